// `HttpTransport`: Streamable HTTP over `fetch`, the client's side of it in both eras. A message is
// of the stateless era if its `_meta` names a revision, or if such a revision was agreed on.

import { ModelportError } from "./error.js";
import { clearTimer, live, on, setTimer, type Timer } from "./generated/live.js";
import { mirror, mirroredBy, type Mirrored } from "./http_headers.js";
import { events, pour, textOf } from "./sse.js";
import { jsonText } from "./generated/survey.js";
import type { Transport } from "./types.js";
import { wait } from "./wait.js";
import { PROTOCOL_VERSION } from "./words.js";

/** How requests are made. */
export interface HttpOptions {
  /** Used in place of the global `fetch`. */
  fetch?: typeof fetch;
  /** Sent with every request; the protocol's own headers win over them. */
  headers?: HeadersInit;
  /** Gives the bearer token, before every request and once more when the server answers 401. */
  token?: () => string | Promise<string>;
  /** Closes the transport. */
  signal?: AbortSignal;
}

/** One exchange: a message and all that answers it, or the stream of what answers nothing. */
interface Call {
  /** The id of a request, else `undefined`. */
  readonly id?: unknown;
  /** The revision it names itself. */
  readonly stated: string | undefined;
  /** Whether it is of the stateless era. */
  readonly modern: boolean;
  readonly stop: AbortController;
  /** Whether the answer is there. */
  done?: boolean;
  /** Ends it a moment later. */
  timer?: Timer;
  /** Where a broken stream is taken up again, how long to wait before, and how often that failed. */
  last?: string | undefined;
  wait?: number;
  failed: number;
}

/** Failures in a row until a broken stream is given up. */
const MAX_FAILURES = 5;
/** Milliseconds to the first attempt, doubled for each further one, where the server names none. */
const FIRST_WAIT = 1_000;
/** Milliseconds between two attempts, whatever the server says. */
const MIN_WAIT = 100;
/** Milliseconds a server has to end a stream after its answer, and to hear of the session's end. */
const GRACE = 1_000;

const DISCOVER = "server/discover";
const INITIALIZE = "initialize";
const INITIALIZED = "notifications/initialized";
const SEND_FAILED = "send-failed";
const CLOSED = "closed";

const ignore = () => {};
const wrong = (message: string) => new ModelportError("invalid-response", message);
const failure = ({ status, headers }: Response, words = "") =>
  new ModelportError(SEND_FAILED, `HTTP ${status} ${words}`.trim(), { data: { status, challenge: headers.get("www-authenticate") } });
const typed = (thrown: any) => (thrown instanceof ModelportError ? thrown : new ModelportError(SEND_FAILED, `${thrown?.message ?? thrown}`, { cause: thrown }));
/** What a failure says of itself: HTTP's status, if any, or that a server is there which does not let this page in. */
const facts = ({ data = {} }: any): { status: number; reachable?: boolean } => data;
/** Whoever guards a server, or a server out of order, says nothing about its era. */
const tellsEra = (status: number) => status < 500 && ![401, 403].includes(status);

/**
 * Carries messages as HTTP requests. `send` of a request settles when the exchange is over, and
 * rejects when it ended without an answer; `close()` ends what is under way and the server's session.
 */
export class HttpTransport implements Transport {
  /** Hears of each message. Set it before `start()`. */
  onmessage?: ((message: any, extra?: any) => void) | undefined;
  /** Hears of what could not be read, and of faults that end nothing. Set it before `start()`. */
  onerror?: ((error: Error) => void) | undefined;
  /** Hears, once, that it is closed, from whichever side. Set it before `start()`. */
  onclose?: (() => void) | undefined;
  /** The session of the handshake era. */
  sessionId: string | undefined;
  /** Its address, by which a client remembers what its server speaks. */
  readonly url: string;
  #options: HttpOptions;
  /** 0: new, 1: open, 2: closed. */
  #state = 0;
  #version: string | undefined;
  #calls = new Set<Call>();
  #mirrored = new Map<string, Mirrored>();
  /** `notifications/initialized` under way: what follows it must not overtake it. */
  #gate: Promise<void> | undefined;
  /** Why the probe failed, where that says nothing about the server's era. */
  #verdict: unknown;
  #off: (() => void) | undefined;

  /** A transport to this address. Nothing is requested before something is sent. */
  constructor(url: string | URL, options: HttpOptions = {}) {
    this.url = `${url}`;
    this.#options = options;
  }

  /** Opens it for `send()`; nothing is requested yet. */
  async start(): Promise<void> {
    const { signal } = this.#options;
    if (signal?.aborted) void this.close();
    if (this.#state) throw new ModelportError(this.#state > 1 ? CLOSED : "invalid-argument", "The transport is not new.");
    this.#state = 1;
    if (signal) this.#off = on(signal, "abort", this.#quit);
  }

  /** Takes the revision that was negotiated, for the headers that state it. `Client` calls it. */
  setProtocolVersion(version: string): void {
    this.#version = version;
  }

  /** Posts one message. Settles when the exchange is over: resolves once the answer was delivered, rejects if none came. */
  async send(message: any, options?: { headers?: Record<string, string> }): Promise<void> {
    if (this.#state !== 1) throw this.#closed();
    const { id, method, params } = message;
    if (method === INITIALIZE) {
      this.sessionId = this.#version = undefined;
      this.#calls.forEach(({ modern, stop }) => modern && stop.abort());
    }
    const cancelled = method === "notifications/cancelled" && [...this.#calls].find(({ id }) => id !== undefined && id === params?.requestId);
    // In the stateless era closing the stream is the cancellation, and nothing is posted.
    if (cancelled && cancelled.modern) return cancelled.stop.abort();
    const call = this.#begin(method && id, params?._meta?.[PROTOCOL_VERSION]);
    if (cancelled === undefined && call.modern) return this.#end(call);
    const exchange = this.#exchange(call, message, options?.headers);
    if (method === INITIALIZED) this.#gate = exchange.catch(ignore);
    await exchange;
    if (cancelled) cancelled.stop.abort();
  }

  /** Aborts whatever is under way, and ends the session with `DELETE` if the server gave one. */
  async close(): Promise<void> {
    if (this.#state > 1) return;
    this.#state = 2;
    this.#off?.();
    this.#calls.forEach((call) => this.#end(call));
    this.onclose?.();
    if (!this.sessionId) return;
    const call = this.#begin();
    this.#endSoon(call);
    // The server may not know of DELETE, or be gone.
    await this.#fetch(call, "DELETE").catch(ignore);
    this.#end(call);
  }

  [Symbol.dispose](): void {
    void this.close();
  }

  readonly #quit = () => void this.close();

  #closed = () => new ModelportError(CLOSED, "The transport is not open.");

  #begin(id?: unknown, stated?: string): Call {
    const call: Call = { id, stated, modern: (stated ?? this.#version)! >= "2026", stop: new AbortController(), failed: 0 };
    this.#calls.add(call);
    live.requests++;
    return call;
  }

  #end(call: Call): void {
    clearTimer(call.timer);
    call.stop.abort();
    if (this.#calls.delete(call)) live.requests--;
  }

  #endSoon(call: Call): void {
    call.timer ??= setTimer(() => call.stop.abort(), GRACE);
  }

  async #exchange(call: Call, message: any, headers?: Record<string, string>): Promise<void> {
    const { id, method } = message;
    try {
      await this.#gate;
      const verdict = this.#verdict;
      this.#verdict = undefined;
      if (verdict && method === INITIALIZE) throw verdict;
      const response = await this.#fetch(call, "POST", message, headers);
      if (!response.ok) return await this.#refused(response, call, method);
      if (call.id !== undefined) {
        if (method === INITIALIZE) this.sessionId = response.headers.get("mcp-session-id") ?? undefined;
        await this.#follow(call, message, response);
        if (!call.done) throw wrong("The server ended its answer too early.");
      } else if (method === INITIALIZED) this.#listen(this.#begin());
    } catch (thrown) {
      if (this.#state !== 1) throw this.#closed();
      if (call.done || call.stop.signal.aborted) return;
      const error = typed(thrown);
      if (method !== DISCOVER) throw error;
      // Only what an older server may answer, or a page may get from one, leads to the handshake.
      const { status, reachable } = facts(error);
      if (reachable || tellsEra(status)) return this.onmessage?.({ jsonrpc: "2.0", id, error: { code: -32603, message: error.message } });
      throw (this.#verdict = error);
    } finally {
      this.#end(call);
    }
  }

  /** What answers nothing comes on a stream of its own in the handshake era, if the server has one. */
  #listen(call: Call): void {
    const report = (thrown: unknown) => {
      const error = typed(thrown);
      // Servers that have none should say 405, and some say 404.
      if (![404, 405].includes(facts(error).status) && !call.stop.signal.aborted) this.onerror?.(error);
    };
    void this.#follow(call, {}).catch(report).finally(() => this.#end(call));
  }

  async #fetch(call: Call, verb: string, message?: any, more?: Record<string, string>, again?: boolean): Promise<Response> {
    const { headers: own, token, fetch: request = fetch } = this.#options;
    const headers = new Headers(own);
    const { stop: { signal }, last, stated } = call;
    const all: Record<string, string | undefined> = {
      ...more,
      Authorization: token && `Bearer ${await token()}`,
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": stated ?? this.#version,
      "Mcp-Session-Id": this.sessionId,
      "Last-Event-ID": last,
      "Content-Type": message && "application/json",
      ...(call.modern && message?.method && mirror(message, this.#mirrored)),
    };
    for (const name in all) if (all[name]) headers.set(name, all[name]);
    const init = { method: verb, headers, signal, body: message && jsonText(message), keepalive: verb === "DELETE" };
    try {
      const response = await request(this.url, init);
      if (response.status !== 401 || !token || again) return response;
    } catch (cause) {
      // A page is not told why; while it has a network, it is more likely its rights (CORS) that are lacking.
      const reachable = !!globalThis.navigator?.onLine;
      throw new ModelportError(SEND_FAILED, `The server cannot be reached${reachable ? " (or CORS forbids it)" : ""}.`, { cause, data: { reachable } });
    }
    return this.#fetch(call, verb, message, more, true);
  }

  /** An error of HTTP, which may say in its body what the matter is in the protocol's terms. */
  async #refused(response: Response, call: Call, method: string): Promise<void> {
    const { status } = response;
    const text = await textOf(response);
    if (status === 404 && this.sessionId && !call.modern) {
      this.sessionId = undefined;
      this.onerror?.(new ModelportError(CLOSED, "The server has ended the session."));
      return this.close();
    }
    let error: any;
    try {
      ({ error } = JSON.parse(text));
    } catch {}
    const isAnswer = call.id !== undefined && Number.isInteger(error?.code) && (method !== DISCOVER || tellsEra(status));
    if (!isAnswer) throw failure(response, error?.message);
    this.onmessage?.({ jsonrpc: "2.0", id: call.id, error });
  }

  /** Reads until the answer is there; takes a broken stream up again where the server can, and a subscription from the start. */
  async #follow(call: Call, message: any, response?: Response): Promise<void> {
    const { signal } = call.stop;
    const isAsked = call.modern && message.method === "subscriptions/listen";
    for (;;) {
      let fault: ModelportError | undefined;
      try {
        response ??= await (isAsked ? this.#fetch(call, "POST", message) : this.#fetch(call, "GET"));
        if (!response.ok) throw failure(response);
        call.failed = 0;
        await this.#read(call, message, response);
      } catch (thrown) {
        fault = typed(thrown);
        if (fault.code !== SEND_FAILED || facts(fault).status < 500) throw fault;
      }
      if (call.done || signal.aborted || (call.id !== undefined && !call.last && !isAsked) || call.failed === MAX_FAILURES) {
        if (fault) throw fault;
        return;
      }
      response = undefined;
      const pause = Math.max(MIN_WAIT, call.wait ?? FIRST_WAIT * 2 ** call.failed);
      call.failed++;
      await wait(pause, signal);
      if (signal.aborted) return;
    }
  }

  async #read(call: Call, message: any, response: Response): Promise<void> {
    const type = response.headers.get("content-type") ?? "";
    if (/^application\/json\b/i.test(type)) return this.#deliver(call, message, await textOf(response));
    if (!/^text\/event-stream\b/i.test(type)) throw wrong(`The server answered with "${type}".`);
    const parse = events();
    await pour(response, async (piece) => {
      for (const { data, event = "message", id, retry } of parse(piece)) {
        if (id !== undefined && !call.modern && !id.includes("\0")) call.last = id;
        if (/^\d+$/.test(retry ?? "")) call.wait = Number(retry);
        if (data && event === "message") this.#deliver(call, message, data);
        // Whoever does not end a stream when all is said must not keep it for ever.
        if (call.done) this.#endSoon(call);
        // The official SDKs take a notification a moment later, and forget who wants its progress when the answer is there.
        await null;
      }
    });
  }

  #deliver(call: Call, { method, params }: any, text: string): void {
    let frames;
    try {
      frames = JSON.parse(text);
    } catch {
      return this.onerror?.(new ModelportError("parse-error", "The server sent what is not JSON."));
    }
    for (const frame of Array.isArray(frames) ? frames : [frames]) {
      if (call.stop.signal.aborted) return;
      if (call.id !== undefined && frame?.id === call.id && !frame.method) {
        call.done = true;
        if (method === "tools/list" && call.modern) this.#learn(frame.result, params?.cursor);
      }
      try {
        this.onmessage?.(frame);
      } catch (error) {
        this.onerror?.(error as Error);
      }
    }
  }

  /** Keeps which arguments are repeated in headers, and drops the tools that say so wrongly. */
  #learn(result: any, cursor: unknown): void {
    if (!Array.isArray(result?.tools)) return;
    if (cursor === undefined) this.#mirrored.clear();
    result.tools = result.tools.filter((tool: any) => {
      const mirrored = mirroredBy(tool?.inputSchema);
      if (mirrored) {
        if (mirrored.size) this.#mirrored.set(tool.name, mirrored);
        return true;
      }
      this.onerror?.(wrong(`The tool "${tool.name}" has a wrong x-mcp-header.`));
    });
  }
}
