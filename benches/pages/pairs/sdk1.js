// A client and a server of the official SDK 1.x. `level` is "high" (McpServer with zod schemas, as its documentation
// shows) or "low" (Server with handlers of one's own, which checks no arguments).

import { carrierOf } from "./port.js";

const info = { name: "bench", version: "1.0.0" };
const contextOf = ({ signal, sendNotification, _meta }) => ({
  signal,
  progress: (progress) => sendNotification({ method: "notifications/progress", params: { progressToken: _meta?.progressToken, progress } }),
});

function highServer({ McpServer, z }, tools) {
  const server = new McpServer(info);
  for (const { name, title, description, annotations, shape, run } of tools) {
    server.registerTool(name, { title, description, annotations, inputSchema: shape(z) }, async (args, extra) => run(args, contextOf(extra)));
  }
  return server;
}

function lowServer({ CallToolRequestSchema, ListToolsRequestSchema, Server }, tools) {
  const server = new Server(info, { capabilities: { tools: { listChanged: true } } });
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const list = tools.map(({ run, shape, ...shown }) => shown);
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: list }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => byName.get(params.name).run(params.arguments, contextOf(extra)));
  return server;
}

/** Two ends that hand each other the very objects, which nobody copies. */
export async function inMemory() {
  const { InMemoryTransport } = await import("/peers/sdk1.js");
  return InMemoryTransport.createLinkedPair();
}

/** Serves the tools over a port. */
export async function serve({ level, form, tools }, port) {
  const lib = await import("/peers/sdk1.js");
  await (level === "low" ? lowServer : highServer)(lib, tools).connect(carrierOf(port, form));
}

/** A client over a carrier: a port, or a WebSocket's address. */
export async function connect({ form }, carrier) {
  const { Client, WebSocketClientTransport } = await import("/peers/sdk1.js");
  const client = new Client(info);
  await client.connect(typeof carrier === "string" ? new WebSocketClientTransport(new URL(carrier)) : carrierOf(carrier, form));
  return {
    call: (name, args, { signal, progress } = {}) =>
      client.callTool({ name, arguments: args }, undefined, signal || progress ? { signal, onprogress: progress } : undefined),
    list: async () => (await client.listTools()).tools,
    close: () => client.close(),
  };
}
