// The official SDK 2.x's server alone, over a port; its first call is asked for by hand, with no client to load.

import { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { Port } from "../pages/pairs/port.js";

const server = new McpServer({ name: "bench", version: "1.0.0" });
server.registerTool("ping", { description: "Answers", inputSchema: z.object({ text: z.string().optional() }) }, async () => ({ content: [{ type: "text", text: "pong" }] }));
const { port1, port2 } = new MessageChannel();
await server.connect(new Port(port1));
toolIsThere();
const near = new Port(port2);
const waiting = new Map();
near.onmessage = ({ id, result }) => waiting.get(id)?.(result);
await near.start();
const ask = (id, method, params) =>
  new Promise((resolve) => {
    waiting.set(id, resolve);
    near.send({ jsonrpc: "2.0", id, method, params });
  });
await ask(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1.0.0" } });
near.send({ jsonrpc: "2.0", method: "notifications/initialized" });
answered((await ask(2, "tools/call", { name: "ping", arguments: {} })).content[0].text);
