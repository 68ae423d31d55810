// `Client`: one connection to an MCP server, whatever its era.

import { ModelportError } from "./error.js";
import { core } from "./load.js";
import { FaultEvent } from "./server.js";
import { takePort, type PortLike } from "./transport.js";
import type { ClientHandle } from "./generated/modelport.js";
import type { CallOptions, CallToolResult, ClientOptions, JsonObject, JsonRpcMessage, ProtocolVersion, Tool, Transport } from "./types.js";
import { version } from "./version.js";

/** Connected clients: whoever awaits an answer may have kept nothing but the promise. */
const open = new Set<Client>();

/** A notification from the server that is not about a call. */
export class NotificationEvent extends Event {
  readonly method: string;
  readonly params: unknown;

  constructor(method: string, params: unknown) {
    super("notification");
    this.method = method;
    this.params = params;
  }
}

/** Fires `notification`, `error` (faults that concern no call) and `close`. */
export class Client extends EventTarget {
  #handle: ClientHandle;
  #waiters = new Map<number, Waiter>();
  #lastWaiter = 0;
  #port: PortLike | undefined;
  #closed = false;
  #connecting = false;
  #revision: ProtocolVersion | undefined;
  #answer: JsonObject | undefined;

  constructor(options: ClientOptions & { trace?: (direction: "send" | "receive", message: JsonRpcMessage) => void; port?: PortLike } = {}) {
    super();
    const { name = "modelport", version: own = version, protocol = "auto", timeout, trace, port } = options;
    const self = new WeakRef(this);
    const event = (kind: string, detail: unknown, more: unknown) => self.deref()?.hear(kind, detail, more);
    const pinned = protocol === "auto" ? undefined : protocol;
    this.#handle = new (core().ClientHandle)(name, own, pinned, timeout, event, trace, this.#waiters);
    this.#port = port;
  }

  /**
   * Opens the conversation: asks for `2026-07-28` and falls back to the handshake, unless a
   * revision is pinned. Without a transport it takes the one it was made with, as the client of
   * `createPageServer` does. May be tried again after a failure, not after `close()`.
   */
  async connect(transport?: Transport): Promise<void> {
    if (this.#closed) throw new ModelportError("closed", "The client is closed.");
    if (this.#connecting || this.#revision) throw new ModelportError("invalid-argument", "connect() was called already.");
    this.#connecting = true;
    open.add(this);
    try {
      const port = transport ? takePort(transport) : this.#port;
      if (port) this.#handle.usePort(port);
      else if (transport) await new Promise<unknown>((resolve, reject) => this.#handle.useCarrier(transport, resolve, reject));
      else throw new ModelportError("invalid-argument", "connect() needs a transport.");
      [this.#revision, this.#answer] = await new Promise<[ProtocolVersion, JsonObject]>((resolve, reject) => this.#handle.connect(resolve, reject));
    } catch (error) {
      open.delete(this);
      throw error;
    } finally {
      this.#connecting = false;
    }
  }

  /** The revision both sides speak, once connected. */
  get protocol(): ProtocolVersion | undefined {
    return this.#revision;
  }

  /** What the server said of itself: the result of `server/discover` or `initialize`. */
  get server(): JsonObject | undefined {
    return this.#answer;
  }

  /** How many calls wait for an answer. */
  get pending(): number {
    return this.#handle.inFlight;
  }

  /**
   * The server's tools, all pages of them, as ordinary tools: add them to a `ToolManager`, publish
   * them, or call them. `execute` resolves to the server's `CallToolResult`.
   */
  async tools(): Promise<Tool[]> {
    const listing = await new Promise<Omit<Tool, "execute">[]>((resolve, reject) => this.#handle.listTools(resolve, reject));
    return listing.map((tool) => ({
      ...tool,
      execute: (args: JsonObject, context) =>
        this.callTool(tool.name, args, { signal: context?.signal, progress: (step) => context?.progress(step), timeout: 0 }),
    }));
  }

  /**
   * Calls a tool. A tool that failed is a result with `isError`; an error is the protocol's
   * (`invalid-params` for an unknown tool, `timeout`, `closed` …). An aborted `signal` rejects
   * with its reason, and the server is told.
   */
  callTool(name: string, args: JsonObject = {}, options: CallOptions = {}): Promise<CallToolResult> {
    return this.#send((waiter) => this.#handle.callTool(name, args, options.timeout, waiter, !!options.progress), options) as Promise<CallToolResult>;
  }

  /** Sends any request, for methods that have no function of their own here. */
  request(method: string, params?: JsonObject, options: CallOptions = {}): Promise<JsonObject> {
    return this.#send((waiter) => this.#handle.request(method, params, options.timeout, waiter, !!options.progress), options) as Promise<JsonObject>;
  }

  /** Ends the connection; every call that waits rejects with `closed`. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#handle.close();
    open.delete(this);
  }

  [Symbol.dispose](): void {
    void this.close();
  }

  #send(send: (waiter: number) => number, { signal, progress }: CallOptions): Promise<unknown> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      // Numbers start again where wasm's end; whoever had one so long ago was answered.
      const number = (this.#lastWaiter = (this.#lastWaiter + 1) >>> 0);
      const waiter: Waiter = { resolve, reject, progress };
      this.#waiters.set(number, waiter);
      const call = send(number);
      if (!signal || !this.#waiters.has(number)) return;
      const release = <T>(settle: (value: T) => void) => (value: T) => {
        signal.removeEventListener("abort", abort);
        settle(value);
      };
      const abort = () => {
        reject(signal.reason);
        const words = signal.reason instanceof Error ? signal.reason.message : String(signal.reason);
        if (call) this.#handle.cancel(call, words);
      };
      waiter.resolve = release(resolve);
      waiter.reject = release(reject);
      signal.addEventListener("abort", abort, { once: true });
    });
  }

  /** Takes news from the wasm side. @internal */
  hear(kind: string, detail: unknown, more: unknown): void {
    if (kind === "notification") this.dispatchEvent(new NotificationEvent(detail as string, more));
    else if (kind === "error") this.dispatchEvent(new FaultEvent(detail));
    else {
      this.#closed = true;
      open.delete(this);
      this.dispatchEvent(new Event("close"));
    }
  }
}

interface Waiter {
  resolve: (value: any) => void;
  reject: (reason: unknown) => void;
  progress: CallOptions["progress"];
}
