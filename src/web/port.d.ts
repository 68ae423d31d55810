// What www/ sees of port.js.

import type { MessagePortOptions, PortLike } from "../transport.js";

export interface Hear {
  frame(frame: any): void;
  garbled(): void;
  oversized(): void;
  closed(): void;
}

/** Listens and starts the port. */
export function openPort(port: PortLike, options: MessagePortOptions | undefined, limit: number, hear: Hear): {
  /** Throws what could not be sent; a promise, if it has to wait for room. */
  send(frame: unknown): Promise<void> | undefined;
  end(closes: boolean): void;
};

/** The answer to what JSON has no form for. */
export function refusalOf(frame: unknown, odd: string): { isAnswer: boolean; answer: unknown; message: string };
