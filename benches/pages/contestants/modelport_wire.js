// Modelport's client over a carrier that leaves the page: to our server in Node through a socket, or to MCP written by
// hand behind a POST.

import { insist } from "../payloads.js";

const carriers = {
  socket: ({ WebSocketTransport }, port) => new WebSocketTransport(`ws://127.0.0.1:${port}/mcp`),
  http: ({ HttpTransport }, port) => new HttpTransport(`http://127.0.0.1:${port}/mcp`),
};

export async function open({ dist, carrier, port, protocol = "auto" }) {
  const lib = await import(`${dist}index.js`);
  await lib.ready();
  const client = new lib.Client({ protocol });
  await client.connect(carriers[carrier](lib, port));
  return {
    about: { protocol: client.protocol },
    call: (value) => client.callTool("echo", { value }),
    check: (answer, payload) => insist(typeof payload === "string" ? answer.content[0].text : answer.structuredContent.value, payload, `Modelport over ${carrier}`),
    close: () => client.close(),
  };
}
