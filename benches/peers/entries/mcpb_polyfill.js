// MCP-B's polyfill of the registry, which its caller installs.

export { initializeWebMCPPolyfill } from "@mcp-b/webmcp-polyfill";
