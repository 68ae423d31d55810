// `MessagePortTransport`: a port as the official SDK's `Transport`. How a port is heard and spoken to is
// src/web/port.js; our own client and server take the port over and use that themselves.

import { ModelportError } from "./error.js";
import { openPort, refusalOf } from "./generated/port.js";
import { survey } from "./generated/survey.js";
import type { Transport } from "./types.js";

/** What messages can be posted to and heard from. */
export type PortLike = MessagePort | Worker | (EventTarget & { postMessage(message: unknown): void });

/** How messages travel over a port, and how long a silent peer is believed to be alive. */
export interface MessagePortOptions {
  /**
   * Sends structured clones only, or JSON text only. Default: clones, and text to a peer that sends text;
   * two ends that are Modelport's choose for each message what is quicker.
   */
  form?: "clone" | "text";
  /**
   * Moves the `ArrayBuffer`s of binary content (`data` and `blob`) to a Modelport end that has this set too,
   * where they arrive as buffers. Everybody else gets them as Base64.
   */
  transfer?: boolean;
  /** Messages that may be under way, not yet heard by a Modelport end; further ones wait for room. Default 0: any number. */
  window?: number;
  /**
   * Milliseconds of silence after which a Modelport end is asked for a sign of life; after as many again without one
   * it is taken for gone. Default: never if its Web Lock can be watched, else 5,000, as with another origin. 0 is never.
   */
  heartbeat?: number;
}

/** UTF-16 units of a message that comes as text. */
const LONGEST = 67_108_864;
/** How deep what comes may nest. */
const DEPTH = 1_000;

/** The port of a transport that has not been started yet, and its options, for whoever takes it over. */
export function takePort(transport: Transport): readonly [PortLike, MessagePortOptions | undefined] | undefined {
  return transport instanceof MessagePortTransport ? [transport.release(), transport.options] : undefined;
}

/**
 * Carries messages over a `MessagePort` (or a worker). What the port queued before `start()` arrives in
 * order; members that are undefined are absent, and what JSON has no form for is refused by its path.
 */
export class MessagePortTransport implements Transport {
  /** Hears of each message. Set it before `start()`. */
  onmessage?: ((message: any, extra?: any) => void) | undefined;
  /** Hears of what could not be read, and of faults that end nothing. Set it before `start()`. */
  onerror?: ((error: Error) => void) | undefined;
  /** Hears, once, that it is closed, from whichever side. Set it before `start()`. */
  onclose?: (() => void) | undefined;
  /** The options it was made with. */
  readonly options: MessagePortOptions | undefined;
  #port: PortLike;
  #carrier: ReturnType<typeof openPort> | undefined;
  #state: "new" | "open" | "taken" | "closed" = "new";

  /** A transport over this port, which is left alone until `start()`. Throws `invalid-argument` for what is no port. */
  constructor(port: PortLike, options?: MessagePortOptions) {
    if (typeof port?.postMessage !== "function" || typeof port.addEventListener !== "function") {
      throw new ModelportError("invalid-argument", "MessagePortTransport needs a MessagePort, or something that posts and hears messages like one.");
    }
    this.#port = port;
    this.options = options;
  }

  /** Begins to hear. Rejects with `invalid-argument` the second time, and with `closed` after `close()`. */
  async start(): Promise<void> {
    if (this.#state === "closed") throw new ModelportError("closed", "The transport is closed.");
    if (this.#state !== "new") throw new ModelportError("invalid-argument", "The transport was started already.");
    this.#state = "open";
    const fault = (message: string) => this.onerror?.(new ModelportError("parse-error", message));
    this.#carrier = openPort(this.#port, this.options, LONGEST, {
      frame: (frame) => this.#heard(frame),
      garbled: () => fault("The peer sent what could not be read."),
      oversized: () => fault("The peer sent a message that is too long."),
      closed: () => this.#end(),
    });
  }

  /** Resolves once the message is on its way; rejects with `send-failed` for one that JSON has no form for. */
  async send(message: unknown): Promise<void> {
    if (this.#state !== "open") throw new ModelportError("closed", "The transport is not open.");
    try {
      await this.#carrier!.send(message);
    } catch (cause) {
      throw new ModelportError("send-failed", (cause as Error).message, { cause });
    }
  }

  /** Says goodbye to the other end and lets the port go. */
  async close(): Promise<void> {
    if (this.#state !== "taken") this.#end();
  }

  [Symbol.dispose](): void {
    void this.close();
  }

  /** Gives the port away, once, before `start()`. */
  release(): PortLike {
    if (this.#state !== "new") throw new ModelportError("invalid-argument", "The transport is in use already.");
    this.#state = "taken";
    return this.#port;
  }

  #heard(frame: any): void {
    const { odd } = survey(frame?.result ?? frame?.params, DEPTH, Infinity, true, !!this.options?.transfer);
    if (!odd) return this.onmessage?.(frame);
    const { isAnswer, answer, message } = refusalOf(frame, odd);
    if (isAnswer) this.onmessage?.(answer);
    else if (answer) this.#carrier!.send(answer);
    else this.onerror?.(new ModelportError("parse-error", message));
  }

  #end(): void {
    if (this.#state === "closed") return;
    this.#state = "closed";
    this.#carrier?.end(true);
    this.onclose?.();
  }
}
