// The official SDK 1.x, both halves, as a page loads them.

export { Client } from "@modelcontextprotocol/sdk/client/index.js";
export { WebSocketClientTransport } from "@modelcontextprotocol/sdk/client/websocket.js";
export { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
export { Server } from "@modelcontextprotocol/sdk/server/index.js";
export { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
export { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
export { z } from "zod";
