// The official SDK 2.x: its server and client over the two ports of a channel, and one call.

import { Client } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { Port } from "../pages/pairs/port.js";

const info = { name: "bench", version: "1.0.0" };
const server = new McpServer(info);
server.registerTool("ping", { description: "Answers", inputSchema: z.object({ text: z.string().optional() }) }, async () => ({ content: [{ type: "text", text: "pong" }] }));
const { port1, port2 } = new MessageChannel();
await server.connect(new Port(port1));
toolIsThere();
const client = new Client(info);
await client.connect(new Port(port2));
answered((await client.callTool({ name: "ping", arguments: {} })).content[0].text);
