// The far ends of carriers that leave the page: on loopback, in this process. Under /bare/ they give back what
// they get; under /mcp a WebSocket is served by our own `Server` in Node, and a POST by MCP's answer, written by hand.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { WebSocketServer } from "ws";
import { paths } from "../../scripts/lib/paths.mjs";

const echo = {
  name: "echo",
  description: "Returns its argument",
  inputSchema: { type: "object", properties: { value: {} }, required: ["value"] },
  execute: ({ value }) => (typeof value === "string" ? value : { content: [], structuredContent: { value } }),
};

/** A socket of `ws` as a `Transport`. */
const wire = (socket) => {
  const transport = {
    start: async () => {
      socket.on("message", (data) => transport.onmessage(JSON.parse(data.toString())));
      socket.on("close", () => transport.onclose());
    },
    send: async (message) => socket.send(JSON.stringify(message)),
    close: async () => socket.close(),
  };
  return transport;
};

const capabilities = { tools: {} };
const complete = { resultType: "complete" };
const results = {
  "server/discover": () => ({ ...complete, ttlMs: 0, cacheScope: "private", supportedVersions: ["2026-07-28"], capabilities, serverInfo: { name: "bench", version: "1" } }),
  "tools/list": () => ({ ...complete, ttlMs: 0, cacheScope: "private", tools: [{ ...echo, execute: undefined }] }),
  "tools/call": ({ arguments: { value } }) => ({ ...complete, ...(typeof value === "string" ? { content: [{ type: "text", text: value }] } : echo.execute({ value })) }),
};

const crossOrigin = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Headers": "*, Authorization",
  "Access-Control-Max-Age": "7200",
  "Cross-Origin-Resource-Policy": "cross-origin",
};

const post = async (request, response) => {
  if (request.method === "OPTIONS") return response.writeHead(204, crossOrigin).end();
  const parts = [];
  for await (const part of request) parts.push(part);
  const body = Buffer.concat(parts);
  const json = (text) => response.writeHead(200, { ...crossOrigin, "Content-Type": "application/json" }).end(text);
  if (request.url !== "/mcp") return json(body);
  const { id, method, params } = JSON.parse(body);
  if (!results[method]) return response.writeHead(202, crossOrigin).end();
  json(JSON.stringify({ jsonrpc: "2.0", id, result: results[method](params) }));
};

/** `{ port, close() }`. */
export async function openWires() {
  const { Server, ToolManager, ready } = await import(pathToFileURL(join(paths.dist, "index.js")));
  await ready(await readFile(join(paths.dist, "modelport.wasm")));
  const server = new Server({ tools: new ToolManager([echo]) });
  const http = createServer(post);
  const sockets = new WebSocketServer({ server: http, perMessageDeflate: false, handleProtocols: (offered) => [...offered][0] });
  sockets.on("connection", (socket, { url }) => {
    socket.on("error", () => {});
    if (url === "/mcp") server.connect(wire(socket));
    else socket.on("message", (data) => socket.send(data.toString()));
  });
  await new Promise((resolve) => http.listen(0, "127.0.0.1", resolve));
  const close = async () => {
    await server.close();
    for (const socket of sockets.clients) socket.terminate();
    http.closeAllConnections();
    http.close();
  };
  return { port: http.address().port, close };
}
