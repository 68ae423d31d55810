// An HTTP server of the tests' own on loopback, with CORS: it notes what arrives and answers as the
// test says, or hands over to a server of the official SDKs.

import { createMcpHandler, McpServer as McpServer2 } from "@modelcontextprotocol/server";
import { McpServer as McpServer1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { randomUUID } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { z } from "zod";
import { test as base } from "./everywhere.ts";
import { equip, type Observed } from "./kit/interop.ts";

export interface Seen {
  verb: string;
  headers: IncomingHttpHeaders;
  /** The message posted, if any. */
  message: any;
  /** Milliseconds of the process's clock. */
  at: number;
  /** Whether the other side went away before the answer was complete. */
  gone: boolean;
}

export interface HttpServer {
  url: string;
  /** Everything that arrived but preflights. */
  seen: Seen[];
  /** The methods that were posted, and the verbs of what is no POST. */
  story(): string[];
  /** Headers that a page may send; all of the protocol's unless told otherwise. */
  allows: string;
  handle(seen: Seen, response: ServerResponse, request: IncomingMessage): unknown;
  close(): Promise<void>;
}

const all = "content-type, accept, authorization, mcp-protocol-version, mcp-method, mcp-name, mcp-param-region, mcp-param-deep, mcp-session-id, last-event-id";

export async function openHttp(): Promise<HttpServer> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    response.setHeader("Access-Control-Allow-Origin", request.headers.origin ?? "*");
    response.setHeader("Access-Control-Allow-Methods", "GET, POST, DELETE");
    response.setHeader("Access-Control-Allow-Headers", http.allows);
    response.setHeader("Access-Control-Expose-Headers", "mcp-session-id, www-authenticate");
    if (request.method === "OPTIONS") return void response.writeHead(204).end();
    let text = "";
    for await (const piece of request.setEncoding("utf8")) text += piece;
    const one: Seen = { verb: request.method!, headers: request.headers, message: text ? JSON.parse(text) : undefined, at: performance.now(), gone: false };
    response.on("close", () => (one.gone = !response.writableFinished));
    seen.push(one);
    await http.handle(one, response, request);
  });
  const http: HttpServer = {
    url: "",
    seen,
    story: () => seen.map(({ verb, message }) => message?.method ?? (message ? "answer" : verb)),
    allows: all,
    handle: (_seen, response) => response.writeHead(404).end(),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  http.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  return http;
}

export const json = (response: ServerResponse, body: unknown, status = 200, headers = {}) =>
  response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));

/** Begins an event stream; the function sends one event, of a message or of lines as they are. */
export const stream = (response: ServerResponse) => {
  response.writeHead(200, { "Content-Type": "text/event-stream" }).flushHeaders();
  return (event: object | string) => response.write(typeof event === "string" ? event : `data: ${JSON.stringify(event)}\n\n`);
};

/** Results that every stateless server gives. */
export const complete = (result: object) => ({ resultType: "complete", ttlMs: 0, cacheScope: "private", ...result });

/** Answers what opens a conversation; the function is asked about the rest. */
export const speaking = (era: "stateless" | "handshake", rest: (seen: Seen, response: ServerResponse) => unknown) => (one: Seen, response: ServerResponse) => {
  const { id, method } = one.message ?? {};
  const answer = (result: object, headers = {}) => json(response, { jsonrpc: "2.0", id, result }, 200, headers);
  if (method === "server/discover") {
    if (era === "stateless") return answer(complete({ supportedVersions: ["2026-07-28"], capabilities: { tools: {} } }));
    return json(response, { jsonrpc: "2.0", id: null, error: { code: -32000, message: "Bad Request: Server not initialized" } }, 400);
  }
  if (method === "initialize") return answer({ protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "plain", version: "1" } }, { "Mcp-Session-Id": "session-1" });
  if (method === "notifications/initialized") return response.writeHead(202).end();
  return rest(one, response);
};

export type OfficialHttp = "1.x" | "2.x";

/** Makes the server one of the official SDK's; `server()` is the newest `McpServer`. */
export function official(http: HttpServer, version: OfficialHttp): { observed: Observed; ended: string[]; server(): any } {
  const observed: Observed = { calls: [], aborted: [], peers: [] };
  const ended: string[] = [];
  let newest: any;
  const info = { name: "theirs", version: "4.5.6" };
  if (version === "2.x") {
    const handler = createMcpHandler(() => (newest = equip(new McpServer2(info), z, 2, observed)));
    http.handle = async ({ verb, headers, message }, response) => {
      const left = new AbortController();
      response.on("close", () => left.abort());
      const answer = await handler.fetch(new Request(http.url, { method: verb, headers: headers as Record<string, string>, body: message && JSON.stringify(message), signal: left.signal }));
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      if (!answer.body) return response.end();
      const body = Readable.fromWeb(answer.body as any);
      response.on("close", () => body.destroy());
      body.on("error", () => response.destroy());
      return body.pipe(response);
    };
    return { observed, ended, server: () => newest };
  }
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  http.handle = async ({ headers, message }, response, request) => {
    let transport = sessions.get(String(headers["mcp-session-id"]));
    if (!transport) {
      const made = (transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => void sessions.set(id, made),
        onsessionclosed: (id) => void ended.push(id),
      }));
      newest = equip(new McpServer1(info), z, 1, observed);
      await newest.connect(made);
    }
    await transport.handleRequest(request, response, message);
  };
  return { observed, ended, server: () => newest };
}

export const test = base.extend<{ http: HttpServer }>({
  http: async ({}, use) => {
    const http = await openHttp();
    await use(http);
    await http.close();
  },
});
