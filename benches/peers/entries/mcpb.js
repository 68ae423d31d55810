// MCP-B's server and transports without its globals, and the official client, which MCP-B has none of its own of.

export { BrowserMcpServer } from "@mcp-b/webmcp-ts-sdk";
export { IframeChildTransport, IframeParentTransport, TabClientTransport, TabServerTransport } from "@mcp-b/transports";
export { Client } from "@modelcontextprotocol/client";
