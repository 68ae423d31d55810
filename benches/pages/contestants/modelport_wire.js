// Modelport's client over a carrier that leaves the page, or its thread: to our server in a worker, to our server
// in Node through a socket, or to MCP written by hand behind a POST.

import { insist } from "../payloads.js";

const far = `
  const { Server, ToolManager, MessagePortTransport, ready } = await import(DIST);
  await ready();
  const execute = ({ value }) => (typeof value === "string" ? value : { content: [], structuredContent: { value } });
  const tools = new ToolManager([{ name: "echo", inputSchema: { type: "object", properties: { value: {} }, required: ["value"] }, execute }]);
  const server = new Server({ tools });
  onmessage = ({ ports: [port] }) => server.connect(new MessagePortTransport(port));
  postMessage("");`;

const carriers = {
  worker: async ({ MessagePortTransport }, { dist }) => {
    const source = far.replace("DIST", JSON.stringify(new URL(`${dist}index.js`, location.href).href));
    const worker = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })), { type: "module" });
    await new Promise((resolve) => (worker.onmessage = resolve));
    const { port1, port2 } = new MessageChannel();
    worker.postMessage("", [port2]);
    return [new MessagePortTransport(port1), () => worker.terminate()];
  },
  socket: async ({ WebSocketTransport }, { port }) => [new WebSocketTransport(`ws://127.0.0.1:${port}/mcp`), () => {}],
  http: async ({ HttpTransport }, { port }) => [new HttpTransport(`http://127.0.0.1:${port}/mcp`), () => {}],
};

export async function open({ dist, carrier, port, protocol = "auto" }) {
  const lib = await import(`${dist}index.js`);
  await lib.ready();
  const [transport, end] = await carriers[carrier](lib, { dist, port });
  const client = new lib.Client({ protocol });
  await client.connect(transport);
  return {
    about: { protocol: client.protocol },
    call: (value) => client.callTool("echo", { value }),
    check: (answer, payload) => insist(typeof payload === "string" ? answer.content[0].text : answer.structuredContent.value, payload, `Modelport over ${carrier}`),
    close: async () => {
      await client.close();
      end();
    },
  };
}
