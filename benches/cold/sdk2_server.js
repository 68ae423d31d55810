// The official SDK 2.x's server alone, over a port; its first call is asked for by hand, with no client to load.

import { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { askByHand } from "../pages/pairs/by_hand.js";
import { Port } from "../pages/pairs/port.js";

const server = new McpServer({ name: "bench", version: "1.0.0" });
server.registerTool("ping", { description: "Answers", inputSchema: z.object({ text: z.string().optional() }) }, async () => ({ content: [{ type: "text", text: "pong" }] }));
const { port1, port2 } = new MessageChannel();
await server.connect(new Port(port1));
toolIsThere();
answered(await askByHand(new Port(port2)));
