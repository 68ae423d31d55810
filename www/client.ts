// `Client`: one connection to an MCP server, whatever its era.

import { Asked } from "./asked.js";
import type { ClientOptions, ListenFilter, ListenOptions, Notice } from "./client_types.js";
import { ModelportError } from "./error.js";
import type { ClientHandle } from "./generated/modelport.js";
import { Subscription } from "./listen.js";
import { core } from "./load.js";
import { FaultEvent } from "./server.js";
import type { PromptInfo, PromptMessage, ResourceContents, ResourceInfo, ResourceTemplateInfo } from "./server_types.js";
import { followTask } from "./task_client.js";
import { takePort, type PortLike } from "./transport.js";
import type { CallToolResult, JsonObject, JsonRpcMessage, LogLevel, ProtocolVersion, RequestOptions, Tool, Transport } from "./types.js";
import { version } from "./version.js";

/** Connected clients: whoever awaits an answer may have kept nothing but the promise. */
const open = new Set<Client>();

/** The addresses of servers that turned out to speak the handshake era only: they are not probed again. */
const old = new Set<string>();

const STATELESS = "2026-07-28";
const SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId";
const LOG_LEVEL = "io.modelcontextprotocol/logLevel";

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
  #asked: Asked;
  #tasks: boolean;
  #heard = new Map<unknown, (notice: Notice) => void>();
  /** Who is being subscribed: a carrier may bring the first notice before it has returned. */
  #opening: ((notice: Notice) => void) | undefined;
  /** How many subscriptions follow a resource, in the handshake era. */
  #followed = new Map<string, number>();
  /** What every stateless request says in its `_meta` beside what the protocol wants. */
  #extra: JsonObject | undefined;

  constructor(options: ClientOptions & { trace?: (direction: "send" | "receive", message: JsonRpcMessage) => void; port?: PortLike } = {}) {
    super();
    const { name = "modelport", version: own = version, protocol = "auto", timeout, limits, trace, port, tasks = false } = options;
    const self = new WeakRef(this);
    const event = (kind: string, detail: unknown, more: unknown) => self.deref()?.hear(kind, detail, more);
    const pinned = protocol === "auto" ? undefined : protocol;
    this.#asked = new Asked(options);
    this.#tasks = tasks;
    const bounds = timeout === undefined ? limits : { ...limits, requestTimeout: timeout };
    this.#handle = new (core().ClientHandle)(name, own, pinned, this.#asked.capabilities, bounds, event, trace, this.#waiters);
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
    // A carrier that has an address leads to the same server next time.
    const { url } = (transport ?? {}) as { url?: unknown };
    const address = url === undefined ? "" : String(url);
    try {
      const port = transport ? takePort(transport) : this.#port;
      if (port) this.#handle.usePort(port);
      else if (transport) await new Promise<unknown>((resolve, reject) => this.#handle.useCarrier(transport, resolve, reject));
      else throw new ModelportError("invalid-argument", "connect() needs a transport.");
      [this.#revision, this.#answer] = await new Promise<[ProtocolVersion, JsonObject]>((resolve, reject) => this.#handle.connect(old.has(address), resolve, reject));
      if (address && this.#revision !== STATELESS) old.add(address);
    } catch (error) {
      open.delete(this);
      old.delete(address);
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
  async tools(options?: { fresh?: boolean }): Promise<Tool[]> {
    const listing = await this.#list<Omit<Tool, "execute">>("tools/list", options);
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
  callTool(name: string, args: JsonObject = {}, options: RequestOptions = {}): Promise<CallToolResult> {
    const sent = this.#send((waiter) => this.#handle.callTool(name, args, this.#extra, waiter, ...manner(options)), options);
    return (this.#tasks ? sent.then((result: any) => (result.resultType === "task" ? followTask(this, result, this.#asked, options) : result)) : sent) as Promise<CallToolResult>;
  }

  /** Every resource of the server (MCP, server/resources). */
  listResources(options?: { fresh?: boolean }): Promise<ResourceInfo[]> {
    return this.#list("resources/list", options);
  }

  /** Every template of resources. */
  listResourceTemplates(options?: { fresh?: boolean }): Promise<ResourceTemplateInfo[]> {
    return this.#list("resources/templates/list", options);
  }

  /** Reads a resource; rejects with code `invalid-params`, or `remote-error` -32002 of older servers, if there is none. */
  readResource(uri: string, options?: RequestOptions): Promise<{ contents: ResourceContents[] } & JsonObject> {
    return this.request("resources/read", { uri }, options) as never;
  }

  /** Every prompt of the server (MCP, server/prompts). */
  listPrompts(options?: { fresh?: boolean }): Promise<PromptInfo[]> {
    return this.#list("prompts/list", options);
  }

  /** A prompt's messages. */
  getPrompt(name: string, args?: Record<string, string>, options?: RequestOptions): Promise<{ messages: PromptMessage[]; description?: string } & JsonObject> {
    return this.request("prompts/get", { name, ...(args && { arguments: args }) }, options) as never;
  }

  /** Completes an argument of a prompt or of a resource template; `known` are those that are filled in already. */
  async complete(
    ref: { type: "ref/prompt"; name: string } | { type: "ref/resource"; uri: string },
    argument: { name: string; value: string },
    known?: Record<string, string>,
    options?: RequestOptions,
  ): Promise<{ values: string[]; total?: number; hasMore?: boolean }> {
    const { completion } = await this.request("completion/complete", { ref, argument, ...(known && { context: { arguments: known } }) }, options);
    return completion as never;
  }

  /** From this level on the server's log is wanted: `notification` events of `notifications/message`. */
  async setLoggingLevel(level: LogLevel): Promise<void> {
    if (this.#revision === STATELESS) this.#extra = { _meta: { [LOG_LEVEL]: level } };
    else await this.request("logging/setLevel", { level });
  }

  /**
   * Hears of changes, as an async iterator. In the handshake era resources are subscribed to one by
   * one, and lists are what the server announces by itself.
   */
  listen(filter: ListenFilter, options?: ListenOptions): Subscription {
    // Without a connection the request is what says so.
    const isOld = !this.#closed && this.#revision && this.#revision !== STATELESS;
    return new Subscription({ open: (filter, hear, signal) => (isOld ? this.#subscribe(filter, hear, signal) : this.#listen(filter, hear, signal)) }, filter, options);
  }

  /** Sends any request, for methods that have no function of their own here. */
  request(method: string, params?: JsonObject, options: RequestOptions = {}): Promise<JsonObject> {
    const extra = this.#extra ? { ...params, _meta: { ...this.#extra["_meta"]!, ...(params?.["_meta"] as object) } } : params;
    return this.#send((waiter) => this.#handle.request(method, extra, options.fresh ?? false, waiter, ...manner(options)), options) as Promise<JsonObject>;
  }

  /** Sends any notification, such as `notifications/roots/list_changed` in the handshake era. */
  notify(method: string, params?: JsonObject): void {
    this.#handle.notify(method, params);
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

  #list<Entry>(method: string, options: { fresh?: boolean } = {}): Promise<Entry[]> {
    return new Promise((resolve, reject) => this.#handle.list(method, options.fresh ?? false, resolve, reject));
  }

  async #listen(notifications: ListenFilter, hear: (notice: Notice) => void, signal: AbortSignal): Promise<void> {
    let id: unknown;
    try {
      const params = { notifications };
      await this.#send(
        (waiter) => {
          this.#opening = hear;
          const call = this.#handle.request("subscriptions/listen", params, true, waiter, false, 0, false, 0);
          this.#opening = undefined;
          this.#heard.set((id = call), hear);
          return call;
        },
        { signal },
      );
    } finally {
      this.#heard.delete(id);
    }
  }

  async #subscribe(filter: ListenFilter, hear: (notice: Notice) => void, signal: AbortSignal): Promise<void> {
    const { taskIds: _, ...granted } = filter;
    const { resourceSubscriptions: uris = [], ...lists } = granted;
    const wanted = Object.entries(lists).flatMap(([name, flag]) => (flag ? [`notifications/${name.replace("ListChanged", "")}/list_changed`] : []));
    this.#heard.set(hear, ({ method, params }) => {
      if (wanted.includes(method) || (method === "notifications/resources/updated" && uris.includes(params?.["uri"] as string))) hear({ method, params: params ?? {} });
    });
    const each = (method: string, uris: string[]) => Promise.all(uris.map((uri) => this.request(method, { uri })));
    // The server knows one subscription to a resource, however many there are here.
    const count = (step: number) => uris.filter((uri) => {
      const left = (this.#followed.get(uri) ?? 0) + step;
      return left ? void this.#followed.set(uri, left) : this.#followed.delete(uri);
    });
    count(1);
    try {
      await each("resources/subscribe", uris);
      hear({ method: "notifications/subscriptions/acknowledged", params: { notifications: granted as JsonObject } });
      await new Promise<void>((resolve) => {
        if (signal.aborted) return resolve();
        signal.addEventListener("abort", () => resolve(), { once: true });
        this.addEventListener("close", () => resolve(), { once: true, signal });
      });
    } finally {
      this.#heard.delete(hear);
      const left = count(-1);
      if (!this.#closed) each("resources/unsubscribe", left).catch(() => {});
    }
  }

  #send(send: (waiter: number) => number, { signal, progress }: RequestOptions): Promise<unknown> {
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
      // What came back at once may have made the caller give up.
      if (signal.aborted) abort();
      else signal.addEventListener("abort", abort, { once: true });
    });
  }

  /** Takes news from the wasm side. @internal */
  hear(kind: string, detail: unknown, more: any): void {
    if (kind === "notification") this.#notified(detail as string, more);
    else if (kind === "error") this.dispatchEvent(new FaultEvent(detail));
    else if (kind === "unask") this.#asked.forget(detail as number);
    else if (kind !== "close") this.#asked.answer(kind, detail as number, more, (...answer) => this.#handle.reply(...answer));
    else {
      this.#closed = true;
      open.delete(this);
      this.dispatchEvent(new Event("close"));
    }
  }

  #notified(method: string, params: any): void {
    const id = params?._meta?.[SUBSCRIPTION_ID];
    // What belongs to a subscription that is gone is late, and nobody's.
    if (id !== undefined) return (this.#heard.get(id) ?? this.#opening)?.({ method, params });
    for (const hear of [...this.#heard.values()]) hear({ method, params });
    this.dispatchEvent(new NotificationEvent(method, params));
  }
}

/** How a request is sent, as the handle takes it. */
const manner = ({ progress, timeout, resetOnProgress = false, maxTimeout = 0 }: RequestOptions) => [!!progress || resetOnProgress, timeout, resetOnProgress, maxTimeout] as const;

interface Waiter {
  resolve: (value: any) => void;
  reject: (reason: unknown) => void;
  progress: RequestOptions["progress"];
}
