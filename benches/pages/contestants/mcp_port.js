// What the protocol itself costs: the very messages of MCP over a MessageChannel, by hand, with nothing
// checked and no registry. As clones of objects, or as JSON text, where the parts that never change are
// written once. No implementation that speaks the protocol in the same form can be much quicker.

import { insist } from "../payloads.js";

const requestMeta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
};
const answerMeta = { "io.modelcontextprotocol/serverInfo": { name: "bench", version: "1.0.0" } };

const resultOf = ({ value }) =>
  typeof value === "string" ? { content: [{ type: "text", text: value }] } : { content: [], structuredContent: { value } };

const clones = (stateless) => ({
  request(id, value) {
    const params = { name: "echo", arguments: { value } };
    if (stateless) params._meta = requestMeta;
    return { jsonrpc: "2.0", id, method: "tools/call", params };
  },
  answer(id, value) {
    const result = resultOf(value);
    if (stateless) Object.assign(result, { _meta: answerMeta, resultType: "complete" });
    return { jsonrpc: "2.0", id, result };
  },
  read: (data) => data,
});

function texts(stateless) {
  const asked = stateless ? `,"_meta":${JSON.stringify(requestMeta)}}}` : "}}";
  const answered = stateless ? `,"_meta":${JSON.stringify(answerMeta)},"resultType":"complete"}}` : "}}";
  return {
    request: (id, value) => `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"echo","arguments":${JSON.stringify({ value })}${asked}`,
    answer: (id, value) => `{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(resultOf(value)).slice(0, -1)}${answered}`,
    read: JSON.parse,
  };
}

export async function open({ era, form = "clone" }) {
  const stateless = era === "2026-07-28";
  const { request, answer, read } = form === "text" ? texts(stateless) : clones(stateless);
  const { port1: near, port2: far } = new MessageChannel();
  const waiting = new Map();
  let last = 0;
  far.onmessage = ({ data }) => {
    const { id, params } = read(data);
    far.postMessage(answer(id, params.arguments));
  };
  near.onmessage = ({ data }) => {
    const { id, result } = read(data);
    waiting.get(id)(result);
    waiting.delete(id);
  };
  return {
    call: (value) =>
      new Promise((resolve) => {
        const id = ++last;
        waiting.set(id, resolve);
        near.postMessage(request(id, value));
      }),
    check: (result, payload) =>
      insist(typeof payload === "string" ? result.content[0].text : result.structuredContent.value, payload, `MCP by hand (${era}, ${form})`),
    close: () => near.close(),
  };
}
