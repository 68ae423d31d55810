// WebSocket servers of the tests' own on loopback, on the `ws` package: they note what arrives, and each
// connection is spoken by hand, by a server of ours in Node, by one of the official SDKs, or by a relay.

import { McpServer as McpServer1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { readFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer, type WebSocket } from "ws";
import { z } from "zod";
import { expect, test as base } from "./everywhere.ts";
import { test as chromium } from "./fixtures.ts";
import { equip, type Observed } from "./kit/interop.ts";

export interface Peer {
  socket: WebSocket;
  protocol: string;
  origin: string | undefined;
  /** What was asked for: a path, and perhaps a query. */
  path: string;
  at: number;
  /** The messages that arrived, and how many frames were binary. */
  messages: any[];
  binary: number;
  /** How the connection ended, once it has. */
  end?: { code: number; reason: string };
  send(message: unknown): void;
  answer(id: unknown, result: object): void;
}

export interface Sockets {
  url: string;
  peers: Peer[];
  /** Everything that arrived over any connection, by method. */
  sent(method: string): any[];
  /** Whether connections are let in. */
  open: boolean;
  /** Hears of a connection before its first message. */
  greet(peer: Peer): unknown;
  handle(peer: Peer, message: any): unknown;
  last(): Peer;
  /** Goes away with all its connections, and comes back at the same address. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

async function openSockets(): Promise<Sockets> {
  let server: WebSocketServer;
  let port = 0;
  const peers: Peer[] = [];
  const sockets = {
    url: "",
    peers,
    sent: (method: string) => peers.flatMap(({ messages }) => messages).filter((message) => message.method === method),
    open: true,
    greet: (_peer: Peer): unknown => undefined,
    handle: (_peer: Peer, _message: any): unknown => undefined,
    last: () => peers.at(-1)!,
    async stop() {
      for (const { socket } of peers) socket.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
    async start() {
      server = new WebSocketServer({
        host: "127.0.0.1",
        port,
        handleProtocols: (offered) => (offered.has("mcp") ? "mcp" : [...offered][0]!),
        verifyClient: () => sockets.open,
      });
      server.on("connection", connected);
      await new Promise((resolve) => server.once("listening", resolve));
      ({ port } = server.address() as AddressInfo);
      sockets.url = `ws://127.0.0.1:${port}/mcp`;
    },
  };
  const connected = (socket: WebSocket, request: IncomingMessage) => {
    const send = (message: unknown) => socket.send(typeof message === "string" ? message : JSON.stringify(message));
    const answer = (id: unknown, result: object) => send({ jsonrpc: "2.0", id, result });
    const peer: Peer = { socket, protocol: socket.protocol, origin: request.headers.origin, path: request.url ?? "", at: performance.now(), messages: [], binary: 0, send, answer };
    peers.push(peer);
    socket.on("error", () => {});
    socket.on("close", (code, reason) => (peer.end = { code, reason: String(reason) }));
    socket.on("message", (data, isBinary) => {
      if (isBinary) peer.binary++;
      const message = JSON.parse(String(data));
      peer.messages.push(message);
      sockets.handle(peer, message);
    });
    sockets.greet(peer);
  };
  await sockets.start();
  return sockets;
}

/** A connection as the official SDK's `Transport`. */
export class Wire {
  onmessage?: (message: any) => void;
  onerror?: (error: Error) => void;
  onclose?: () => void;
  #peer: Peer;
  constructor(peer: Peer) {
    this.#peer = peer;
  }
  async start(): Promise<void> {
    this.#peer.socket.on("message", (data) => this.onmessage?.(JSON.parse(String(data))));
    this.#peer.socket.on("close", () => this.onclose?.());
  }
  async send(message: unknown): Promise<void> {
    this.#peer.send(message);
  }
  async close(): Promise<void> {
    this.#peer.socket.close();
  }
}

/** The library in Node. */
export async function ours(): Promise<typeof import("../dist/index.js")> {
  const lib = await import("../dist/index.js");
  await lib.ready(await readFile(new URL("../dist/modelport.wasm", import.meta.url)));
  return lib;
}

/** Serves every connection with the official SDK 1.x. */
export function official(sockets: Sockets): Observed {
  const observed: Observed = { calls: [], aborted: [], peers: [] };
  sockets.greet = (peer) => equip(new McpServer1({ name: "theirs", version: "4.5.6" }), z, 1, observed).connect(new Wire(peer));
  return observed;
}

export type Era = "stateless" | "handshake";
const caps = { tools: { listChanged: true }, resources: { subscribe: true }, logging: {} };

/** Answers what opens a conversation, asks whether the server is there and subscribes; the function is asked about the rest. */
export const speaking = (era: Era, rest: (peer: Peer, message: any) => unknown = () => {}) => (peer: Peer, message: any) => {
  const { id, method } = message;
  const complete = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
  if (method === "server/discover") {
    if (era === "stateless") return peer.answer(id, { ...complete, supportedVersions: ["2026-07-28"], capabilities: caps });
    return peer.send({ jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } });
  }
  if (method === "initialize") return peer.answer(id, { protocolVersion: "2025-11-25", capabilities: caps, serverInfo: { name: "plain", version: "1" } });
  if (["ping", "resources/subscribe", "resources/unsubscribe", "logging/setLevel"].includes(method)) return peer.answer(id, {});
  if (method === "subscriptions/listen") {
    const _meta = { "io.modelcontextprotocol/subscriptionId": id };
    return peer.send({ jsonrpc: "2.0", method: "notifications/subscriptions/acknowledged", params: { _meta, notifications: message.params.notifications } });
  }
  return rest(peer, message);
};

const fixtures = {
  sockets: async ({}, use: (sockets: Sockets) => Promise<void>) => {
    const sockets = await openSockets();
    await use(sockets);
    await sockets.stop();
  },
};

export const test = base.extend<{ sockets: Sockets }>(fixtures);

/** For tests that are native to Chromium. */
export const inChromium = chromium.extend<{ sockets: Sockets }>(fixtures);

/** A request as a client of that era writes it, for those who speak to a serving page by hand. */
export const request = (era: Era, id: unknown, method: string, params: object = {}) => {
  const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}, "io.modelcontextprotocol/clientInfo": { name: "hand", version: "1" } };
  return { jsonrpc: "2.0", id, method, params: era === "stateless" ? { ...params, _meta } : params };
};

/** What opens a conversation. */
export const opening = (era: Era) =>
  era === "stateless" ? request(era, "open", "server/discover") : request(era, "open", "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "hand", version: "1" } });

/** What came under an id, once it is there. */
export async function answer(peer: Peer, id: unknown): Promise<any> {
  const find = () => peer.messages.find((message) => message.id === id && !message.method);
  await expect.poll(find).toBeTruthy();
  return find();
}
