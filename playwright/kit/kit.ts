// What the tests need inside a page: raw peers that speak frames by hand, other people's minimal
// transport, and ways to wait for a condition.

import type * as Library from "../../dist/index.js";
import type { FaultEvent, Server, ToolManager } from "../../dist/index.js";

declare const lib: typeof Library;

export type Frame = { jsonrpc?: string; id?: unknown; method?: string; params?: any; result?: any; error?: any };

/** Resolves once the condition holds; rejects after `patience` milliseconds. */
export async function until<T>(condition: () => T, what = "the condition", patience = 5_000): Promise<NonNullable<T>> {
  const limit = performance.now() + patience;
  for (;;) {
    const value = condition();
    if (value) return value as NonNullable<T>;
    if (performance.now() > limit) throw new Error(`${what} did not come true within ${patience} ms`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** A promise with its two functions. */
export function deferred<T = void>() {
  let resolve!: (value: T) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<T>((yes, no) => ([resolve, reject] = [yes, no]));
  return { promise, resolve, reject };
}

/** What a promise came to, as data. */
export async function outcome(work: unknown): Promise<any> {
  try {
    return { value: await (typeof work === "function" ? work() : work) };
  } catch (thrown) {
    const error = thrown as any;
    return { name: error?.name, code: error?.code, rpcCode: error?.rpcCode, message: String(error?.message ?? error), data: error?.data };
  }
}

/** Whether a script may make an event that seems to come from there. */
export function canForge(source: MessageEventSource | null): boolean {
  try {
    return !!new MessageEvent("message", { source });
  } catch {
    return false;
  }
}

/** The `_meta` that a stateless request has. */
export const modernMeta = (capabilities: object = {}, more: object = {}) => ({
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": capabilities,
  "io.modelcontextprotocol/clientInfo": { name: "peer", version: "1" },
  ...more,
});

/** One end of a channel, spoken by hand: whatever is given to `post` goes out as it is. */
export class Peer {
  readonly frames: any[] = [];
  readonly port: MessagePort;
  #next = 1000;

  constructor(port: MessagePort) {
    this.port = port;
    port.onmessage = ({ data }) => this.frames.push(typeof data === "string" ? JSON.parse(data) : data);
  }

  post(frame: unknown): void {
    this.port.postMessage(frame);
  }

  /** Sends a request and waits for the frame with its id. */
  async request(method: string, params?: unknown, id: unknown = this.#next++): Promise<Frame> {
    this.post({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) });
    return this.answer(id);
  }

  /** How many milliseconds to wait for an answer. */
  patience = 5_000;

  answer(id: unknown): Promise<Frame> {
    return until(() => this.frames.find((frame) => frame.id === id && frame.method === undefined), `an answer to ${String(id)}`, this.patience);
  }

  /** Sends whatever, and returns the frames that came back before the answer to a ping sent right after it. */
  async probe(frame: unknown): Promise<Frame[]> {
    const from = this.frames.length;
    this.post(frame);
    const id = `probe-${this.#next++}`;
    const pong = await this.request("ping", {}, id);
    if (!pong.result) throw new Error(`the session does not answer a ping any more: ${JSON.stringify(pong)}`);
    return this.frames.slice(from).filter((other) => other.id !== id);
  }

  /** The handshake of the era before 2026-07-28. */
  async initialize(protocolVersion = "2025-11-25"): Promise<Frame> {
    const answer = await this.request("initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "peer", version: "1" } });
    this.post({ jsonrpc: "2.0", method: "notifications/initialized" });
    return answer;
  }
}

/** A peer that has shaken hands with a new server of these tools. */
export async function served(tools: ToolManager): Promise<Peer & { faults: any[]; server: Server }> {
  const { port1, port2 } = new MessageChannel();
  const server = new lib.Server({ tools });
  const faults: any[] = [];
  server.addEventListener("error", (event) => faults.push((event as FaultEvent).error));
  await server.connect(new lib.MessagePortTransport(port1));
  const peer = Object.assign(new Peer(port2), { faults, server });
  await peer.initialize();
  return peer;
}

/** A new server and a client of ours, connected over what a page server uses or over a channel. */
export async function pair(carrier: "page server" | "MessagePort", options: Library.ServerOptions, clientOptions: NonNullable<Library.PageServerOptions["client"]>) {
  if (carrier === "page server") {
    const { client, server, stop } = lib.createPageServer({ ...options, client: clientOptions });
    await client.connect();
    return { client, server, stop: async () => stop() };
  }
  const { port1, port2 } = new MessageChannel();
  const server = new lib.Server(options);
  await server.connect(new lib.MessagePortTransport(port1));
  const client = new lib.Client(clientOptions);
  await client.connect(new lib.MessagePortTransport(port2));
  const stop = async () => {
    await client.close();
    await server.close();
  };
  return { client, server, stop };
}

/** The transport that users of the official SDK write for a port: objects as structured clones. */
export class PortTransport {
  onmessage?: (message: any, extra?: any) => void;
  onerror?: (error: Error) => void;
  onclose?: () => void;
  readonly sent: Frame[] = [];
  readonly received: Frame[] = [];
  #port: MessagePort;

  constructor(port: MessagePort) {
    this.#port = port;
  }

  async start(): Promise<void> {
    this.#port.onmessage = ({ data }) => {
      this.received.push(data);
      this.onmessage?.(data);
    };
  }

  async send(message: any): Promise<void> {
    this.sent.push(message);
    this.#port.postMessage(message);
  }

  async close(): Promise<void> {
    this.#port.close();
    this.onclose?.();
  }
}

/** The same for a port whose peer sends JSON text, and notes in which form it was spoken to. */
export class TextTransport {
  onmessage?: (message: any, extra?: any) => void;
  onerror?: (error: Error) => void;
  onclose?: () => void;
  readonly forms: string[] = [];
  #port: MessagePort;

  constructor(port: MessagePort) {
    this.#port = port;
  }

  async start(): Promise<void> {
    this.#port.onmessage = ({ data }) => {
      this.forms.push(typeof data);
      this.onmessage?.(typeof data === "string" ? JSON.parse(data) : data);
    };
  }

  async send(message: any): Promise<void> {
    this.#port.postMessage(JSON.stringify(message));
  }

  async close(): Promise<void> {
    this.#port.close();
    this.onclose?.();
  }
}

/** The two ports of a channel, and a note of each message: its form, its sort and its direction. */
export function tappedPorts(): [MessagePort, MessagePort, string[]] {
  const { port1, port2 } = new MessageChannel();
  const notes: string[] = [];
  const tap = (port: MessagePort, direction: string) => {
    const post = port.postMessage.bind(port) as (...given: any[]) => void;
    port.postMessage = (...given: any[]) => {
      const { method } = typeof given[0] === "string" ? JSON.parse(given[0]) : given[0];
      const sort = method === undefined || method === "tools/call" ? "call" : method.split("/").at(-1);
      notes.push(`${typeof given[0] === "string" ? "text" : "clone"} ${sort} ${direction}`);
      post(...given);
    };
    return port;
  };
  return [tap(port1, ">"), tap(port2, "<"), notes];
}

export * from "./interop.ts";
export * from "./box.ts";
export * from "./interop_offers.ts";
export { drive as driveTo } from "./points.ts";
export { cells, leftovers, type Cell } from "./chaos.ts";
