// One tool in MCP-B's polyfill, as in a browser without a registry.

import { initializeWebMCPPolyfill } from "@mcp-b/webmcp-polyfill";

delete Document.prototype.modelContext;
initializeWebMCPPolyfill();
await document.modelContext.registerTool({ name: "ping", description: "Answers", inputSchema: { type: "object", properties: {} }, execute: () => "pong" });
toolIsThere();
const tool = (await document.modelContext.getTools()).find(({ name }) => name === "ping");
answered(await document.modelContext.executeTool(tool, "{}"));
