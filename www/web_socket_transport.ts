// `WebSocketTransport`: a WebSocket as the official SDK's `Transport`. One object is one socket; who
// wants another one after it makes another transport (see reconnecting.ts).

import { ModelportError } from "./error.js";
import { clearTimer, live, on, setTimer, type Timer } from "./generated/live.js";
import { jsonText } from "./generated/survey.js";
import type { Transport } from "./types.js";

/** What is offered to the server, what is accepted from it, and how much may wait. */
export interface WebSocketOptions {
  /** The subprotocols to offer, of which the server has to select one; `[]` offers none. Default `"mcp"`. */
  protocols?: string | string[];
  /** UTF-16 units of a message, both ways; a longer one costs its call and not the socket. Default 67,108,864. */
  maxMessageLength?: number;
  /** Bytes that wait in the socket beyond which `send()` waits, until a quarter is left. Default 1,048,576. */
  highWater?: number;
  /** Takes binary frames for UTF-8 text, instead of ending the connection. */
  binary?: boolean;
  /** Closes the transport. */
  signal?: AbortSignal;
}

/** What waits for the socket. */
interface Waiting {
  text: string;
  resolve: () => void;
  reject: (reason: unknown) => void;
}

/** Milliseconds between two looks at what waits in the socket: it has no event for that. */
const LOOK = 10;
/** The close code of a binary frame: browsers let pages close with 1000 and with 3000 to 4999, so not with 1003. */
const TEXT_ONLY = 4003;
/** How much of either end of a text that is too long is looked at. */
const GLANCE = 1_024;
const INTERNAL = -32603;
const TOO_LONG = "The message is too long.";

/** Carries messages over a WebSocket that it opens, one text frame each, for a client or a server. */
export class WebSocketTransport implements Transport {
  /** Hears of each message. Set it before `start()`. */
  onmessage?: ((message: any, extra?: any) => void) | undefined;
  /** Hears of what could not be read, and of faults that end nothing. Set it before `start()`. */
  onerror?: ((error: Error) => void) | undefined;
  /** Hears, once, that it is closed, from whichever side. Set it before `start()`. */
  onclose?: (() => void) | undefined;
  /** Where it connects to. */
  readonly url: string;
  #options: WebSocketOptions;
  #max: number;
  #socket: WebSocket | undefined;
  /** Releases all listeners; aborted is closed. */
  #end = new AbortController();
  #open = false;
  #queue: Waiting[] = [];
  #queued = 0;
  #timer: Timer;
  #why: ModelportError | undefined;
  /** Rejects `start()`, as long as it is under way. */
  #fail: ((reason: unknown) => void) | undefined;

  /** A transport to this address. Nothing is opened before `start()`. */
  constructor(url: string | URL, options: WebSocketOptions = {}) {
    this.url = `${url}`;
    this.#options = options;
    this.#max = options.maxMessageLength ?? 67_108_864;
  }

  /** Resolves once the socket is open; rejects with `closed`, and the code and reason as `data`, if it does not come to that. */
  async start(): Promise<void> {
    const { protocols = "mcp", signal } = this.#options;
    if (signal?.aborted) this.#leave(1000);
    if (this.#socket || this.#why) throw this.#why ?? new ModelportError("invalid-argument", "The transport was started already.");
    let socket: WebSocket;
    try {
      socket = this.#socket = new WebSocket(this.url, protocols);
    } catch (cause) {
      throw new ModelportError("invalid-argument", `${(cause as Error).message}`, { cause });
    }
    live.sockets++;
    const until = this.#end.signal;
    socket.binaryType = "arraybuffer";
    on(socket, "message", ({ data }) => this.#heard(data), until);
    on(socket, "close", ({ code, reason }) => this.#ended(code, reason, true), until);
    if (signal) on(signal, "abort", () => this.#leave(1000), until);
    // A page that is kept for "Back" would keep its socket too, and be thrown away by the next message.
    if ("addEventListener" in globalThis) on(globalThis, "pagehide", () => this.#leave(1000, "pagehide"), until);
    await new Promise<void>((resolve, reject) => {
      this.#fail = reject;
      on(socket, "open", () => resolve(), until);
    });
    this.#fail = undefined;
    this.#open = true;
  }

  /** Resolves once the message is the socket's, for which it waits its turn while too much is buffered. */
  async send(message: any): Promise<void> {
    if (!this.#open) throw this.#why ?? new ModelportError("closed", "The transport is not open.");
    const text = jsonText(message);
    if (text.length > this.#max) {
      const { id, method } = message;
      // Whoever waits for this answer gets another one.
      if (method === undefined) void this.send(refusal(id)).catch(() => {});
      throw new ModelportError("send-failed", TOO_LONG);
    }
    if (!this.#queue.length && this.#takes(this.#high)) return this.#socket!.send(text);
    if (this.#queued + text.length > this.#max) throw new ModelportError("overflow", "Too much waits to be sent.");
    return new Promise((resolve, reject) => {
      this.#queued += text.length;
      this.#queue.push({ text, resolve, reject });
      this.#timer ??= setTimer(this.#pour, LOOK);
    });
  }

  /** Closes the socket, with code 1000. What waits to be sent is given up with `closed`. */
  async close(): Promise<void> {
    this.#leave(1000);
  }

  [Symbol.dispose](): void {
    this.#leave(1000);
  }

  get #high(): number {
    return this.#options.highWater ?? 1_048_576;
  }

  /** Whether the socket takes another message. One that is closing takes none, and says no more than that it is closed. */
  #takes(mark: number): boolean {
    const { readyState, bufferedAmount } = this.#socket!;
    return readyState < 2 && bufferedAmount <= mark;
  }

  readonly #pour = () => {
    clearTimer(this.#timer);
    let mark = this.#high / 4;
    while (this.#queue.length && this.#takes(mark)) {
      const { text, resolve } = this.#queue.shift()!;
      mark = this.#high;
      this.#queued -= text.length;
      this.#socket!.send(text);
      resolve();
    }
    this.#timer = this.#queue.length ? setTimer(this.#pour, LOOK) : undefined;
  };

  #heard(data: string | ArrayBuffer): void {
    // Timers of a tab in the background are rare.
    if (this.#timer) this.#pour();
    if (typeof data !== "string") {
      if (!this.#options.binary) return this.#leave(TEXT_ONLY, "text frames only", true);
      data = new TextDecoder().decode(data);
    }
    let message: any;
    if (data.length > this.#max) {
      const { id, method, result, error } = glance(data);
      this.onerror?.(new ModelportError("overflow", TOO_LONG));
      if (id === undefined || id === true) return;
      message = refusal(id);
      if (method) return void this.send(message).catch(() => {});
      // In place of an answer, whoever waits for it gets this one.
      if (!result && !error) return;
    } else {
      try {
        message = JSON.parse(data);
      } catch (cause) {
        return this.onerror?.(new ModelportError("parse-error", "The peer sent text that is not JSON.", { cause }));
      }
    }
    this.onmessage?.(message);
  }

  /** Closes the socket without waiting for what the peer says to that. */
  #leave(code: number, reason = "", isFault?: boolean): void {
    if (this.#why) return;
    this.#socket?.close(code, reason);
    this.#ended(code, reason, isFault);
  }

  #ended(code: number, reason: string, isFault?: boolean): void {
    const why = (this.#why = new ModelportError("closed", `The socket was closed (${code}${reason && `, ${reason}`}).`, { data: { code, reason } }));
    this.#open = false;
    if (this.#socket) live.sockets--;
    this.#end.abort();
    clearTimer(this.#timer);
    for (const { reject } of this.#queue.splice(0)) reject(why);
    const fail = this.#fail;
    fail?.(why);
    // A socket that never was open is the business of who started it.
    if (isFault && fail) return;
    if (isFault) this.onerror?.(why);
    this.onclose?.();
  }
}

const refusal = (id: unknown) => ({ jsonrpc: "2.0", id, error: { code: INTERNAL, message: TOO_LONG } });

/** What the two ends of a text tell without reading it: its members up to the first that holds others, and an id at the very end. */
function glance(text: string): { id?: unknown; method?: unknown; result?: unknown; error?: unknown } {
  const seen: any = {};
  const member = /\s*[{,]\s*"(\w+)"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+(?=\s*[,}]))?/y;
  const last = /,\s*"id"\s*:\s*("[^"\\]*"|-?\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?}\s*$/.exec(text.slice(-GLANCE));
  const head = text.slice(0, GLANCE);
  try {
    for (let found; (found = member.exec(head)); ) {
      seen[found[1]!] = !found[2] || JSON.parse(found[2]);
      if (!found[2]) break;
    }
    if (last) seen.id = JSON.parse(last[1]!);
  } catch {}
  return seen;
}
