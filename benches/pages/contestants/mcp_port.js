// What the protocol itself costs: the very messages of MCP over a MessageChannel, by hand, with nothing
// checked and no registry. No implementation that speaks the protocol in clones can be quicker than this.

import { insist } from "../payloads.js";

const requestMeta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
};
const answerMeta = { "io.modelcontextprotocol/serverInfo": { name: "bench", version: "1.0.0" } };

export async function open({ era }) {
  const stateless = era === "2026-07-28";
  const { port1: near, port2: far } = new MessageChannel();
  const waiting = new Map();
  let last = 0;
  const resultOf = ({ value }) =>
    typeof value === "string" ? { content: [{ type: "text", text: value }] } : { content: [], structuredContent: { value } };
  far.onmessage = ({ data: { id, params } }) => {
    const result = resultOf(params.arguments);
    if (stateless) Object.assign(result, { _meta: answerMeta, resultType: "complete" });
    far.postMessage({ jsonrpc: "2.0", id, result });
  };
  near.onmessage = ({ data: { id, result } }) => {
    waiting.get(id)(result);
    waiting.delete(id);
  };
  return {
    call: (value) =>
      new Promise((resolve) => {
        const id = ++last;
        const params = { name: "echo", arguments: { value } };
        if (stateless) params._meta = requestMeta;
        waiting.set(id, resolve);
        near.postMessage({ jsonrpc: "2.0", id, method: "tools/call", params });
      }),
    check: (answer, payload) =>
      insist(typeof payload === "string" ? answer.content[0].text : answer.structuredContent.value, payload, `MCP by hand (${era})`),
    close: () => near.close(),
  };
}
