// One tool registered through MCP-B, as its quick start shows.

import "@mcp-b/global";

await document.modelContext.registerTool({
  name: "ping",
  description: "Answers",
  inputSchema: { type: "object", properties: {} },
  execute: async () => ({ content: [{ type: "text", text: "pong" }] }),
});
toolIsThere();
answered(await callThroughRegistry());
