// MCP-B's server and the official client in one window, and one call.

import { TabClientTransport, TabServerTransport } from "@mcp-b/transports";
import { BrowserMcpServer } from "@mcp-b/webmcp-ts-sdk";
import { Client } from "@modelcontextprotocol/client";

const info = { name: "bench", version: "1.0.0" };
const server = new BrowserMcpServer(info);
await server.registerTool({ name: "ping", description: "Answers", inputSchema: { type: "object", properties: {} }, execute: async () => ({ content: [{ type: "text", text: "pong" }] }) });
await server.connect(new TabServerTransport({ allowedOrigins: [location.origin] }));
toolIsThere();
const client = new Client(info);
await client.connect(new TabClientTransport({ targetOrigin: location.origin }));
answered((await client.callTool({ name: "ping", arguments: {} })).content[0].text);
