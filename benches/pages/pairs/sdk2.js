// A client and a server of the official SDK 2.x. `level` is "high" (McpServer with zod), "json" (McpServer with JSON
// Schemas) or "low" (Server with handlers of one's own, which checks no arguments).

import { Port } from "./port.js";

const info = { name: "bench", version: "1.0.0" };
const contextOf = ({ mcpReq }) => ({
  signal: mcpReq.signal,
  progress: (progress) => mcpReq.notify({ method: "notifications/progress", params: { progressToken: mcpReq._meta?.progressToken, progress } }),
});

function highServer({ McpServer, fromJsonSchema, z }, tools, isJson) {
  const server = new McpServer(info);
  for (const { name, title, description, annotations, inputSchema, shape, run } of tools) {
    server.registerTool(name, { title, description, annotations, inputSchema: isJson ? fromJsonSchema(inputSchema) : z.object(shape(z)) }, async (args, context) => run(args, contextOf(context)));
  }
  return server;
