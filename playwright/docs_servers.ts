// The servers elsewhere that blocks of the documentation talk to, on loopback: each greets whoever calls its one tool.

import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer, type WebSocket } from "ws";

export interface Elsewhere {
  /** In the place of this address in the block. */
  instead: [written: string, url: string];
  /** What the block's check may ask for, by name. */
  tells: Record<string, (...given: any[]) => unknown>;
  close(): Promise<unknown>;
}

const meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} };
const tool = { name: "greet", description: "Greets", inputSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] } };

/** What a stateless server of one tool answers. */
function answer({ id, method, params }: any): object {
  const results: Record<string, object> = {
    "server/discover": { supportedVersions: ["2026-07-28"], capabilities: { tools: {} }, ttlMs: 0, cacheScope: "private" },
    "tools/list": { tools: [tool], ttlMs: 0, cacheScope: "private" },
    "tools/call": { content: [{ type: "text", text: `Hello, ${params?.arguments?.name}.` }] },
  };
  const result = results[method];
  return { jsonrpc: "2.0", id, ...(result ? { result: { ...result, resultType: "complete" } } : { error: { code: -32601, message: "Method not found" } }) };
}

async function http(): Promise<Elsewhere> {
  const seen: IncomingHttpHeaders[] = [];
  const server = createServer(async (request, response) => {
    response.setHeader("Access-Control-Allow-Origin", "*");
    response.setHeader("Access-Control-Allow-Headers", "content-type, authorization, mcp-protocol-version, mcp-method, mcp-name");
    if (request.method === "OPTIONS") return response.writeHead(204).end();
    seen.push(request.headers);
    let text = "";
    for await (const part of request) text += part;
    const message = JSON.parse(text);
    if (message.id === undefined) return response.writeHead(202).end();
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(answer(message)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  return { instead: ["https://example.com/mcp", url], tells: { seen: () => seen }, close: () => new Promise((resolve) => (server.close(resolve), server.closeAllConnections())) };
}

async function sockets(written: string, hear: (socket: WebSocket, message: any) => void): Promise<Elsewhere & { all: Set<WebSocket> }> {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0, handleProtocols: (offered) => [...offered][0] ?? false });
  await new Promise((resolve) => server.once("listening", resolve));
  server.on("connection", (socket) => socket.on("message", (data) => hear(socket, JSON.parse(String(data)))));
  const close = async () => {
    for (const socket of server.clients) socket.terminate();
    await new Promise((resolve) => server.close(resolve));
  };
  return { instead: [written, `ws://127.0.0.1:${(server.address() as AddressInfo).port}/page`], tells: {}, close, all: server.clients };
}

/** A server that a page dials. */
const dialled = () => sockets("wss://example.com/mcp", (socket, message) => message.id !== undefined && socket.send(JSON.stringify(answer(message))));

/** A client that a page dials in order to serve it. */
async function socket(): Promise<Elsewhere> {
  const waiting = new Map<number, (result: unknown) => void>();
  const one = await sockets("ws://127.0.0.1:9000/page", (_, { id, result, error }) => waiting.get(id)?.(result ?? error));
  let last = 0;
  one.tells["asked"] = async (method: string, params: object) => {
    const id = ++last;
    const answered = new Promise<any>((resolve) => waiting.set(id, resolve));
    for (const each of one.all) each.send(JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta: meta } }));
    const { _meta, resultType, ...rest } = await answered;
    return rest;
  };
  return one;
}

export const elsewhere: Record<string, () => Promise<Elsewhere>> = { http, dialled, socket };
