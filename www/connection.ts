// What a `Client` stands on: a conversation with one server over one carrier after the other. A wasm
// handle is one connection; this holds the present one, and what outlives it.

import { Asked } from "./asked.js";
import type { ClientOptions } from "./client_types.js";
import { ModelportError } from "./error.js";
import { on, setTimer } from "./generated/live.js";
import type { ClientHandle } from "./generated/modelport.js";
import { clients as open } from "./live.js";
import { core } from "./load.js";
import { fire, keep, leave, patienceOf, type Carrier, type Held, type Keeper, type ReconnectOptions } from "./reconnecting.js";
import { FaultEvent } from "./server.js";
import { takePort, type PortLike } from "./transport.js";
import type { JsonObject, JsonRpcMessage, LogLevel, ProtocolVersion, RequestOptions } from "./types.js";
import { version } from "./version.js";
import { REFUSED } from "./words.js";

/** The addresses of servers that turned out to speak the handshake era only: they are not probed again. */
const old = new Set<string>();

export const STATELESS = "2026-07-28";
const LOG_LEVEL = "io.modelcontextprotocol/logLevel";

type Met = [ProtocolVersion, JsonObject];

interface Waiter {
  resolve: (value: any) => void;
  reject: (reason: unknown) => void;
  progress: RequestOptions["progress"];
}

/** A connection as the wasm side has it, with the questions that its server asks: each numbers them by itself. */
type Handle = ClientHandle & { asked: Asked; isOver?: true; call?: (name: string, args: JsonObject) => Promise<JsonObject> | undefined };

/** What the wasm side calls. Its table keeps that for as long as it keeps the connection, so it must keep nobody itself. */
const earOf = (self: WeakRef<Connection>) => {
  let own: WeakRef<Handle> | undefined;
  return {
    know: (handle: Handle) => void (own = new WeakRef(handle)),
    event: (kind: string, detail: unknown, more: unknown) => self.deref()?.hear(own?.deref(), kind, detail, more),
    frame: (direction: string, message: JsonRpcMessage) => self.deref()?.hear(undefined, "frame", direction, message),
  };
};

/** Who waits, at any connection. */
const waiters = new Map<number, Waiter>();
let lastWaiter = 0;
const enter = (waiter: Waiter) => {
  // Numbers start again where wasm's end; whoever had one so long ago was answered.
  waiters.set((lastWaiter = (lastWaiter + 1) >>> 0), waiter);
  return lastWaiter;
};

/** What stands for all connections that are over, and says so to whoever wants something of it. */
let over: Handle | undefined;
const ended = () => {
  // Nobody's options, as it stays.
  if (!over) (over = new (core().ClientHandle)("", "", undefined, {}, undefined, () => {}, undefined, waiters) as Handle).close();
  return over;
};

/**
 * Ends one for good. Its memory is given back soon, which the garbage collector would do late: to it a handle is small.
 * By a task: microtasks may run in the middle of an event that the wasm tells, if the browser and not the page started the script.
 */
const letGo = (handle: Handle) => {
  if (handle === over || handle.isOver) return;
  handle.isOver = true;
  handle.close();
  setTimer(() => handle.free(), 0);
};

/** One that may be let go of in the meantime. */
const heldBy = (handle: Handle): Held => ({ close: () => letGo(handle), get inFlight() { return handle.isOver ? 0 : handle.inFlight; } });

export abstract class Connection extends EventTarget {
  /** The connection over the present carrier; after a lost one it is one that is not connected. */
  protected handle: Handle;
  protected asked: Asked;
  protected closed = false;
  /** What every stateless request says in its `_meta` beside what the protocol wants. */
  protected extra: JsonObject | undefined;
  /** Settles once a lost carrier is replaced, or never will be. */
  protected back: Promise<void> | undefined;
  #resume: (() => void) | undefined;
  #make: () => Handle;
  /** Whether what a server turns out to speak says something of it; a pinned revision was not its choice. */
  #remembers: boolean;
  #trace: ((direction: "send" | "receive", message: JsonRpcMessage) => void) | undefined;
  #port: PortLike | undefined;
  #connecting = false;
  #told = false;
  #met: Met | undefined;
  #keeper: Keeper | undefined;
  /** Connections that were replaced, on which something is still under way. */
  #left = new Set<Held>();
  /** Those that are to take the present one's place once they are open. */
  #trying = new Set<ClientHandle>();
  #level: LogLevel | undefined;

  constructor(options: ClientOptions & { trace?: (direction: "send" | "receive", message: JsonRpcMessage) => void; port?: PortLike } = {}) {
    super();
    const { name = "modelport", version: own = version, protocol = "auto", timeout, limits, trace, port } = options;
    const self = new WeakRef(this);
    const pinned = protocol === "auto" ? undefined : protocol;
    this.#remembers = !pinned;
    const bounds = timeout === undefined ? limits : { ...limits, requestTimeout: timeout };
    this.asked = new Asked(options);
    this.#trace = trace;
    this.#make = () => {
      const asked = new Asked(options);
      const ear = earOf(self);
      const handle = new (core().ClientHandle)(name, own, pinned, asked.capabilities, bounds, ear.event, trace && ear.frame, waiters);
      ear.know(Object.assign(handle, { asked }));
      return handle as Handle;
    };
    this.handle = this.#make();
    this.#port = port;
  }

  /**
   * Opens the conversation: asks for `2026-07-28` and falls back to the handshake, unless a
   * revision is pinned. Without a carrier it takes the one it was made with, as the client of
   * `createPageServer` does. May be tried again after a failure, not after `close()`.
   *
   * A function that makes carriers lets the client replace one that is lost: it negotiates anew and
   * subscribes again. No call is sent twice: those that wait reject with `closed`, and what became of
   * them is not known; those made in the meantime reject with `not-connected`, and were not sent.
   */
  async connect(carrier?: Carrier, options?: ReconnectOptions): Promise<void> {
    this.#alive();
    if (this.#connecting || this.#met) throw new ModelportError("invalid-argument", "connect() was called already.");
    this.#connecting = true;
    open.add(this);
    try {
      this.#met = await this.#open(this.handle, carrier);
      this.#keep(carrier, options);
    } catch (error) {
      open.delete(this);
      throw error;
    } finally {
      this.#connecting = false;
      if (this.closed) this.#drop();
    }
  }

  /**
   * Goes on over another carrier, and lets the present one go once the other one is in use and what is
   * under way on it has been answered, or `patience` is over. If that fails, nothing has changed.
   */
  async switchTo(carrier: Carrier, options?: ReconnectOptions): Promise<void> {
    this.#alive();
    if (!this.#keeper && !this.#met) throw new ModelportError("not-connected", "await connect() first.");
    await this.#move(carrier, patienceOf(options));
    this.#keep(carrier, options);
  }

  /** The revision both sides speak, once connected. */
  get protocol(): ProtocolVersion | undefined {
    return this.#met?.[0];
  }

  /** What the server said of itself: the result of `server/discover` or `initialize`. */
  get server(): JsonObject | undefined {
    return this.#met?.[1];
  }

  /** How many calls wait for an answer. */
  get pending(): number {
    return [this.handle, ...this.#left].reduce((sum, { inFlight }) => sum + inFlight, 0);
  }

  /** From this level on the server's log is wanted: `notification` events of `notifications/message`. */
  async setLoggingLevel(level: LogLevel): Promise<void> {
    this.#level = level;
    if (this.protocol === STATELESS) this.extra = { _meta: { [LOG_LEVEL]: level } };
    else await this.request("logging/setLevel", { level });
  }

  /** Sends any request, for methods that have no function of their own here. */
  request(method: string, params?: JsonObject, options: RequestOptions = {}): Promise<JsonObject> {
    const extra = this.extra ? { ...params, _meta: { ...this.extra["_meta"]!, ...(params?.["_meta"] as object) } } : params;
    return this.send((waiter) => this.handle.request(method, extra, options.fresh ?? false, waiter, ...manner(options)), options) as Promise<JsonObject>;
  }

  /** Sends any notification, such as `notifications/roots/list_changed` in the handshake era. */
  notify(method: string, params?: JsonObject): void {
    this.handle.notify(method, params);
  }

  /** Ends the connection; every call that waits rejects with `closed`. */
  async close(): Promise<void> {
    this.closed = true;
    this.handle.close();
    this.#drop();
    // Between two carriers there is none that would tell.
    if (this.#keeper) this.#over();
  }

  [Symbol.dispose](): void {
    void this.close();
  }

  protected abstract notified(method: string, params: any): void;

  /** `again` takes the place of an answer that says the message's headers were not right. */
  protected send(send: (waiter: number) => number, { signal, progress }: RequestOptions, again?: () => unknown): Promise<unknown> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, fail) => {
      const reject = (error: any) => (again && error?.code === "header-mismatch" ? resolve(again()) : fail(error));
      const waiter: Waiter = { resolve, reject, progress };
      const number = enter(waiter);
      const { handle } = this;
      const call = send(number);
      if (!signal || !waiters.has(number)) return;
      let off = () => {};
      const release = <T>(settle: (value: T) => void) => (value: T) => {
        off();
        settle(value);
      };
      const abort = () => {
        off();
        reject(signal.reason);
        const words = signal.reason instanceof Error ? signal.reason.message : String(signal.reason);
        if (call) handle.cancel(call, words);
      };
      waiter.resolve = release(resolve);
      waiter.reject = release(reject);
      // What came back at once may have made the caller give up.
      if (signal.aborted) abort();
      else off = on(signal, "abort", abort);
    });
  }

  /** Takes news from the wasm side. @internal */
  hear(handle: Handle | undefined, kind: string, detail: unknown, more: any): void {
    if (kind === "frame") this.#trace!(detail as "send" | "receive", more);
    else if (!handle) return;
    else if (kind === "unask") handle.asked.forget(detail as number);
    else if (!/^(notification|error|close)$/.test(kind)) handle.asked.answer(kind, detail as number, more, (...answer) => handle.reply(...answer));
    // The rest of one that is not in use is the business of who tried it, or let it go.
    else if (handle !== this.handle) return;
    else if (kind === "notification") this.notified(detail as string, more);
    else if (kind === "error") this.dispatchEvent(new FaultEvent(detail));
    else this.#lost();
  }

  async #open(handle: Handle, carrier?: Carrier): Promise<Met> {
    const transport = typeof carrier === "function" ? await carrier() : carrier;
    // A carrier that has an address leads to the same server next time.
    const { url } = (transport ?? {}) as { url?: unknown };
    const address = url === undefined ? "" : String(url);
    try {
      const held = transport ? takePort(transport) : this.#port && ([this.#port, undefined] as const);
      if (held) handle.usePort(...held);
      else if (transport) await new Promise<unknown>((resolve, reject) => handle.useCarrier(transport, resolve, reject));
      else throw new ModelportError("invalid-argument", "connect() needs a transport.");
      const met = await new Promise<Met>((resolve, reject) => handle.connect(old.has(address), resolve, reject));
      handle.call = handle.quick(enter);
      if (address && this.#remembers && met[0] !== STATELESS) old.add(address);
      return met;
    } catch (error) {
      old.delete(address);
      throw (error as ModelportError).rpcCode === REFUSED ? new ModelportError("origin-refused", (error as Error).message) : error;
    }
  }

  #alive(isOver = this.closed): void {
    if (isOver || this.closed) throw new ModelportError("closed", "The client is closed.");
  }

  #keep(carrier: Carrier | undefined, options: ReconnectOptions = {}): void {
    const makes = typeof carrier === "function";
    this.#keeper?.stop();
    this.#keeper = undefined;
    if (!makes && !options.ping) return;
    const ask = async () => {
      const { handle } = this;
      // Any answer is a sign of life, and so is a refusal.
      const method = this.protocol === STATELESS ? "server/discover" : "ping";
      const { code } = await this.request(method, undefined, { timeout: patienceOf(options), fresh: true }).catch((error) => error);
      if (code === "timeout" && handle === this.handle) handle.close();
    };
    const give = (error: unknown) => {
      this.dispatchEvent(new FaultEvent(error));
      this.#over();
    };
    this.#keeper = keep(() => this.#move(carrier as Carrier), ask, give, makes ? options : { ...options, attempts: 0 });
  }

  /** Takes another carrier into use, once the conversation over it is open. */
  async #move(carrier: Carrier, patience = 0): Promise<void> {
    const handle = this.#make();
    const keeper = this.#keeper;
    this.#trying.add(handle);
    try {
      const met = await this.#open(handle, carrier);
      // Closed, or gone over to a third one, in the meantime.
      this.#alive(keeper !== this.#keeper);
      const last = this.handle;
      const wasUp = this.#met;
      this.handle = handle;
      this.#met = met;
      this.extra = undefined;
      if (this.#level) this.setLoggingLevel(this.#level).catch((error) => this.dispatchEvent(new FaultEvent(error)));
      void leave(heldBy(last), this.#left, patience);
      this.#resume?.();
      if (wasUp) fire(this, "disconnect");
      fire(this, "reconnect");
    } catch (error) {
      letGo(handle);
      throw error;
    } finally {
      this.#trying.delete(handle);
    }
  }

  #lost(): void {
    if (this.closed || !this.#keeper?.lost()) return this.#over();
    letGo(this.handle);
    this.handle = this.#make();
    this.#met = undefined;
    this.back = new Promise((resolve) => (this.#resume = resolve));
    fire(this, "disconnect");
  }

  /** The end, told once. */
  #over(): void {
    if (this.#told) return;
    this.#told = this.closed = true;
    this.#keeper?.stop();
    this.#drop();
    this.#resume?.();
    fire(this, "close");
  }

  #drop(): void {
    const { handle } = this;
    // Who is still opening it gives it back.
    if (this.#connecting) handle.close();
    else {
      this.handle = ended();
      letGo(handle);
    }
    for (const each of [...this.#left, ...this.#trying]) each.close();
    open.delete(this);
  }
}

/** How a request is sent, as the handle takes it. */
export const manner = ({ progress, timeout, resetOnProgress = false, maxTimeout = 0 }: RequestOptions) => [!!progress || resetOnProgress, timeout, resetOnProgress, maxTimeout] as const;
