// A client of one of the pairs over a WebSocket, to Modelport's server in Node, as the others bring none for a socket.

import { insistOnEcho } from "../echo_tool.js";

export async function open({ pair, port, ...options }) {
  const { connect } = await import(`../pairs/${pair}.js`);
  const client = await connect(options, `ws://127.0.0.1:${port}/mcp`);
  return { call: (value) => client.call("echo", { value }), check: (answer, payload) => insistOnEcho(answer, payload, `${pair} over a socket`), close: client.close };
}
