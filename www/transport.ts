// `MessagePortTransport`: a port as the official SDK's `Transport`. Between our own client and
// server it is only the holder of the port; they take the port itself and skip this class.

import { ModelportError } from "./error.js";
import type { Transport } from "./types.js";

/** What messages can be posted to and heard from. */
export type PortLike = MessagePort | Worker | (EventTarget & { postMessage(message: unknown): void });

/** The port of a transport that has not been started yet, for whoever takes it over. */
export function takePort(transport: Transport): PortLike | undefined {
  return transport instanceof MessagePortTransport ? transport.release() : undefined;
}

/**
 * Carries messages over a `MessagePort` (or a worker) as structured clones. A peer that sends JSON
 * text is answered in text. What the port queued before `start()` arrives in order.
 */
export class MessagePortTransport implements Transport {
  onmessage?: ((message: any, extra?: any) => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onclose?: (() => void) | undefined;
  #port: PortLike;
  #answersInText = false;
  #state: "new" | "open" | "taken" | "closed" = "new";

  constructor(port: PortLike) {
    if (typeof port?.postMessage !== "function" || typeof port.addEventListener !== "function") {
      throw new ModelportError("invalid-argument", "MessagePortTransport needs a MessagePort, or something that posts and hears messages like one.");
    }
    this.#port = port;
  }

  async start(): Promise<void> {
    if (this.#state === "closed") throw new ModelportError("closed", "The transport is closed.");
    if (this.#state !== "new") throw new ModelportError("invalid-argument", "The transport was started already.");
    this.#state = "open";
    this.#port.addEventListener("message", this.#heard as EventListener);
    this.#port.addEventListener("messageerror", this.#garbled);
    // Workers and scopes have no start(): they are started already.
    (this.#port as MessagePort).start?.();
  }

  async send(message: unknown): Promise<void> {
    if (this.#state !== "open") throw new ModelportError("closed", "The transport is not open.");
    this.#port.postMessage(this.#answersInText ? JSON.stringify(message) : message);
  }

  async close(): Promise<void> {
    if (this.#state === "closed" || this.#state === "taken") return;
    this.#state = "closed";
    this.#port.removeEventListener("message", this.#heard as EventListener);
    this.#port.removeEventListener("messageerror", this.#garbled);
    // A worker's own scope has a close() too, which would end the worker.
    if (this.#port instanceof MessagePort) this.#port.close();
    this.onclose?.();
  }

  readonly #garbled = () => this.onerror?.(new ModelportError("parse-error", "The peer sent what could not be read."));

  readonly #heard = ({ data }: MessageEvent) => {
    let frame: unknown = data;
    if (typeof data === "string") {
      this.#answersInText = true;
      try {
        frame = JSON.parse(data);
      } catch {
        return this.#garbled();
      }
    }
    this.onmessage?.(frame);
  };

  [Symbol.dispose](): void {
    void this.close();
  }

  /** Gives the port away, once, before `start()`. */
  release(): PortLike {
    if (this.#state !== "new") throw new ModelportError("invalid-argument", "The transport is in use already.");
    this.#state = "taken";
    return this.#port;
  }
}
