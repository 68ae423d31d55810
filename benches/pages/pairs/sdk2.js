// A client and a server of the official SDK 2.x. `level` is "high" (McpServer with zod), "json" (McpServer with JSON
// Schemas) or "low" (Server with handlers of one's own, which checks no arguments).

import { carrierOf } from "./port.js";

const info = { name: "bench", version: "1.0.0" };
const contextOf = ({ mcpReq }) => ({
  signal: mcpReq.signal,
  progress: (progress) => mcpReq.notify({ method: "notifications/progress", params: { progressToken: mcpReq._meta?.progressToken, progress } }),
});

function highServer({ McpServer, fromJsonSchema, z }, tools, isJson) {
  const server = new McpServer(info);
  for (const { name, title, description, annotations, inputSchema, shape, run } of tools) {
    const schema = isJson ? fromJsonSchema(inputSchema) : z.object(shape(z));
    server.registerTool(name, { title, description, annotations, inputSchema: schema }, async (args, context) => run(args, contextOf(context)));
  }
  return server;
}

function lowServer({ Server }, tools) {
  const server = new Server(info, { capabilities: { tools: { listChanged: true } } });
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const list = tools.map(({ run, shape, ...shown }) => shown);
  server.setRequestHandler("tools/list", () => ({ tools: list }));
  server.setRequestHandler("tools/call", async ({ params }, context) => byName.get(params.name).run(params.arguments, contextOf(context)));
  return server;
}

/** Calls of the client of 2.x, which MCP-B's pages use too. */
export const clientOf = (client) => ({
  call: (name, args, { signal, progress } = {}) => client.callTool({ name, arguments: args }, signal || progress ? { signal, onprogress: progress } : undefined),
  list: async () => (await client.listTools()).tools,
  close: () => client.close(),
});

/** Two ends that hand each other the very objects, which nobody copies. */
export async function inMemory() {
  const { InMemoryTransport } = await import("/peers/sdk2.js");
  return InMemoryTransport.createLinkedPair();
}

/** Serves the tools over a port. */
export async function serve({ level, form, tools }, port) {
  const lib = await import("/peers/sdk2.js");
  const server = level === "low" ? lowServer(lib, tools) : highServer(lib, tools, level === "json");
  await server.connect(carrierOf(port, form));
}

/** A client over a port. */
export async function connect({ form }, port) {
  const { Client } = await import("/peers/sdk2.js");
  const client = new Client(info);
  await client.connect(carrierOf(port, form));
  return clientOf(client);
}
