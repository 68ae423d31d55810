// What www/ sees of port.js.

import type { MessagePortOptions, PortLike } from "../transport.js";

export interface Hear {
  /** A frame that came as text comes with the number of its characters. */
  frame(frame: any, length?: number): void;
  garbled(): void;
  oversized(): void;
  closed(): void;
}

/** Listens and starts the port. */
export function openPort(port: PortLike, options: MessagePortOptions | undefined, limit: number, hear: Hear): {
  /** Throws what could not be sent; a promise, if it has to wait for room. */
  send(frame: unknown): Promise<void> | undefined;
  /** JSON text of a part of a frame, if the frame would travel as text. */
  text(part: unknown): string | undefined;
  post(text: string): void;
  end(closes: boolean): void;
};

/** The answer to what JSON has no form for. */
export function refusalOf(frame: unknown, odd: string): { isAnswer: boolean; answer: unknown; message: string };
