// Modelport's server and client in the page, and one call.

import { ToolManager, createPageServer, ready } from "modelport";

await ready();
const tools = new ToolManager([{ name: "ping", description: "Answers", inputSchema: { type: "object", properties: {} }, execute: () => "pong" }]);
const { client } = createPageServer({ tools });
toolIsThere();
await client.connect();
answered((await client.callTool("ping", {})).content[0].text);
