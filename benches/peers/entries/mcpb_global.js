// MCP-B as its quick start has it: it puts itself in the place of `document.modelContext` when it is imported.

import "@mcp-b/global";
export { TabClientTransport } from "@mcp-b/transports";
export { Client } from "@modelcontextprotocol/client";
