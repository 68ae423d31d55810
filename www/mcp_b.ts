// `modelport/mcp-b`: carriers that speak the envelopes of `@mcp-b/transports`, so that its clients reach
// our servers and ours its servers. An entry of its own, without the wasm; whoever needs none of it loads none.

import { ModelportError } from "./error.js";
import type { Transport } from "./types.js";

export { ModelportError };

/** Both sides are scripts of one window. */
export interface McpbTabOptions {
  /** Which side of the conversation this is. */
  role: "client" | "server";
  /** Default `"mcp-default"`. */
  channel?: string;
  /** Milliseconds a client waits for its server to be ready. Default 10,000. */
  timeout?: number;
}

/** One side is a page, the other the document in a frame of it. */
export interface McpbFrameOptions {
  /** The client is the page, the server is in the frame. */
  role: "client" | "server";
  /** For a client: the frame. */
  frame?: HTMLIFrameElement;
  /** Origins of the other side, of which a client names one. `"*"` is any, and has to be written out. */
  origin: string | string[];
  /** Default `"mcp-iframe"`. */
  channel?: string;
  /** Milliseconds a client waits for its server to be ready. Default 10,000. */
  timeout?: number;
}

/** As much of `chrome.runtime.Port` as is needed. */
export interface ExtensionPort {
  /** Sends a message. */
  postMessage(message: any): void;
  /** Ends it. */
  disconnect(): void;
  /** Tells of messages. */
  onMessage: { addListener(hear: (message: any) => void): void; removeListener(hear: (message: any) => void): void };
  /** Tells that the other side has gone. */
  onDisconnect: { addListener(hear: () => void): void; removeListener(hear: () => void): void };
}

/** Both sides are scripts of an extension, or one is a page that an extension talks to. */
export interface McpbExtensionOptions {
  /** Which side of the conversation this is. */
  role: "client" | "server";
  /** A port of the extension. A client may leave it out and opens one named `mcp`, to `extensionId` if that is given. */
  port?: ExtensionPort;
  /** For a client without a port: the extension to connect to. Default: its own. */
  extensionId?: string;
  /** Milliseconds between two signs of life of a server. Default 25,000; 0 is none. */
  keepAlive?: number;
}

/** What a carrier is made of: it opens, and gives the ways to send and to let go. */
type Open = (hear: (payload: unknown) => void, end: () => void) => { post: (payload: unknown) => void; release: () => void; ready?: Promise<unknown> };

const CHECK = "mcp-check-ready";
const READY = "mcp-server-ready";
const STOPPED = "mcp-server-stopped";
const wrong = (message: string) => new ModelportError("invalid-argument", message);
const closed = () => new ModelportError("closed", "The transport is not open.");

/** The states that all three have in common. */
class Endpoint implements Transport {
  /** Hears of each message. Set it before `start()`. */
  onmessage?: ((message: any, extra?: any) => void) | undefined;
  /** Hears of what could not be read, and of faults that end nothing. Set it before `start()`. */
  onerror?: ((error: Error) => void) | undefined;
  /** Hears, once, that it is closed, from whichever side. Set it before `start()`. */
  onclose?: (() => void) | undefined;
  #open: Open;
  #wire: ReturnType<Open> | undefined;
  #closed = false;

  constructor(open: Open) {
    this.#open = open;
  }

  /** Resolves once the other side can be talked to: for a client, once its server is ready. */
  async start(): Promise<void> {
    if (this.#closed) throw closed();
    if (this.#wire) throw wrong("The transport was started already.");
    const wire = (this.#wire = this.#open(this.#heard, () => this.#end()));
    try {
      await wire.ready;
    } catch (error) {
      this.#closed = true;
      wire.release();
      throw error;
    }
    if (this.#closed) throw closed();
  }

  /** Posts one message; rejects with `closed` if it is not open. */
  async send(message: unknown): Promise<void> {
    if (!this.#wire || this.#closed) throw closed();
    this.#wire.post(message);
  }

  /** Ends it; a server tells its client that it has stopped. */
  async close(): Promise<void> {
    this.#end();
  }

  [Symbol.dispose](): void {
    this.#end();
  }

  #end(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#wire?.release();
    this.onclose?.();
  }

  readonly #heard = (message: any) => {
    if (message?.jsonrpc === "2.0") this.onmessage?.(message);
    else this.onerror?.(new ModelportError("parse-error", "The peer sent what is no message."));
  };
}

/** Where a side of an envelope posts, and whom it believes. */
interface Side {
  role: "client" | "server";
  channel: string;
  timeout: number | undefined;
  peer: () => Window | null | undefined;
  origins: string[];
  /** The origins among them that a server tells that it is there. */
  greeted: string[];
}

/** Both envelopes: `{ channel, type: "mcp", direction, payload }`, and words that say whether the server is there. */
const envelope = ({ role, channel, timeout = 10_000, peer, origins, greeted }: Side): Open => {
  const isServer = role === "server";
  const ways = ["client-to-server", "server-to-client"];
  const [inward, outward] = isServer ? ways : ways.reverse();
  return (hear, end) => {
    // A client knows where it talks to. A server answers the origin that talked to it, and no other.
    let target = isServer ? undefined : origins[0];
    let isReady = () => {};
    let fail: (error: unknown) => void = () => {};
    // An opaque origin cannot be named. No tail call: WebKit would forget whose script it is, and name another source.
    const write = (payload: unknown, to: string) => void peer()?.postMessage({ channel, type: "mcp", direction: outward, payload }, to === "null" ? "*" : to);
    const post = (payload: unknown) => target && write(payload, target);
    const heard = ({ source, origin, data }: MessageEvent) => {
      if (source === null || source !== peer() || !(origins.includes("*") || origins.includes(origin))) return;
      if (data?.channel !== channel || data.type !== "mcp" || data.direction !== inward) return;
      const { payload } = data;
      if (isServer) target = origin;
      if (payload === CHECK) return void (isServer && post(READY));
      if (payload === STOPPED) return isServer ? undefined : end();
      isReady();
      if (payload !== READY) hear(payload);
    };
    addEventListener("message", heard);
    const ready = isServer
      ? undefined
      : new Promise<void>((resolve, reject) => {
          const timer = setTimeout(() => fail(new ModelportError("timeout", "No MCP-B server answers.")), timeout);
          const settle = <T>(act: (value: T) => void) => (value: T) => (clearTimeout(timer), act(value));
          isReady = settle(resolve) as () => void;
          fail = settle(reject);
        });
    if (isServer) for (const to of greeted) write(READY, to);
    else post(CHECK);
    const release = () => {
      removeEventListener("message", heard);
      fail(closed());
      if (isServer) post(STOPPED);
    };
    return ready ? { post, release, ready } : { post, release };
  };
};

/** `TabClientTransport` and `TabServerTransport`: both sides are scripts of one window. */
export class McpbTabTransport extends Endpoint {
  /** Carries one side's messages; opens nothing before `start()`. */
  constructor({ role, channel = "mcp-default", timeout }: McpbTabOptions) {
    super((hear, end) => {
      const origins = [self.origin];
      return envelope({ role, channel, timeout, peer: () => window, origins, greeted: origins })(hear, end);
    });
  }
}

/** `IframeParentTransport`, the client, and `IframeChildTransport`, the server. */
export class McpbFrameTransport extends Endpoint {
  /** Carries one side's messages; opens nothing before `start()`. Throws `invalid-argument` where the origin, or a client's frame, is missing. */
  constructor({ role, frame, origin, channel = "mcp-iframe", timeout }: McpbFrameOptions) {
    const origins = [origin ?? []].flat();
    const isClient = role === "client";
    if (!origins.length || (isClient && (!frame || origins.length > 1 || origins[0] === "null"))) throw wrong("McpbFrameTransport needs the origin of the other side, and a client needs its frame.");
    super((hear, end) => {
      const peer = () => (isClient ? frame!.contentWindow : parent === window ? null : parent);
      // Others than the parent's would only be remarked on in the console.
      const greeted = origins.filter((origin) => origin === "*" || origin === (location.ancestorOrigins?.[0] ?? origin));
      return envelope({ role, channel, timeout, peer, origins, greeted })(hear, end);
    });
  }
}

/** `ExtensionClientTransport` and `ExtensionServerTransport`: a port of `chrome.runtime`. */
export class McpbExtensionTransport extends Endpoint {
  /** Carries one side's messages; opens nothing before `start()`. Throws `invalid-argument` for a server without a port. */
  constructor({ role, port, extensionId, keepAlive = 25_000 }: McpbExtensionOptions) {
    if (role === "server" && !port) throw wrong("A server needs the port it was given.");
    super((hear, end) => {
      const runtime = (globalThis as any).chrome?.runtime;
      if (!port && !runtime?.connect) throw wrong("chrome.runtime is not there.");
      const name = { name: "mcp" };
      const wire: ExtensionPort = port ?? (extensionId ? runtime.connect(extensionId, name) : runtime.connect(name));
      const heard = (message: any) => message?.type !== "keep-alive" && hear(message);
      const live = () => {
        try {
          wire.postMessage({ type: "keep-alive", timestamp: Date.now() });
        } catch {
          end();
        }
      };
      const timer = role === "server" && keepAlive ? setInterval(live, keepAlive) : undefined;
      wire.onMessage.addListener(heard);
      wire.onDisconnect.addListener(end);
      const release = () => {
        clearInterval(timer);
        wire.onMessage.removeListener(heard);
        wire.onDisconnect.removeListener(end);
        try {
          wire.disconnect();
        } catch {} // It is gone already.
      };
      return { post: (message) => wire.postMessage(message), release };
    });
  }
}
