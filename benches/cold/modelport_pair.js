// Modelport's server and client in the page, and one call.

import { createPageServer, ready } from "modelport";

await ready();
const { client } = createPageServer({ tools: [{ name: "ping", description: "Answers", inputSchema: { type: "object", properties: {} }, execute: () => "pong" }] });
toolIsThere();
await client.connect();
answered((await client.callTool("ping", {})).content[0].text);
