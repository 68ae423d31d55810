// The official SDK 1.x as pages load it: both halves and its in-memory pair of transports.

export { Client } from "@modelcontextprotocol/sdk/client/index.js";
export { WebSocketClientTransport } from "@modelcontextprotocol/sdk/client/websocket.js";
export { McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
export { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
export { completable } from "@modelcontextprotocol/sdk/server/completable.js";
export * as types from "@modelcontextprotocol/sdk/types.js";
export { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
export { z } from "zod";
