// The two ends of a page server's conversation: like a MessageChannel to whoever uses them, but what
// is posted comes out at the other end in a microtask, and only objects and arrays are copied.

import { jsonText } from "./generated/survey.js";
import type { PortLike } from "./transport.js";

/** One message in so many goes by way of a task, so that a page that calls in a loop still paints. */
const BREATHER = 100;

class Unusual extends Error {}

/**
 * The same as a trip through JSON text, for values that hold nothing unusual: strings are shared,
 * as nobody can change them. Throws what would not look the same after such a trip.
 */
function copyPlain(value: unknown): unknown {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      // JSON has neither an infinity nor a negative zero.
      return Number.isFinite(value) ? value + 0 : null;
    case "object":
      return value === null ? null : copyObject(value);
    default:
      throw new Unusual();
  }
}

function copyObject(value: object): object {
  if ("toJSON" in value) throw new Unusual();
  if (Array.isArray(value)) {
    const made = new Array(value.length);
    for (let place = 0; place < made.length; place++) made[place] = value[place] === undefined ? null : copyPlain(value[place]);
    return made;
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw new Unusual();
  const made: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[name];
    // Setting this one would not make a member.
    if (name === "__proto__") throw new Unusual();
    if (member !== undefined) made[name] = copyPlain(member);
  }
  return made;
}

/** A deep copy of what JSON makes of a value. Throws for what JSON has no form for. */
export function copy(value: unknown): unknown {
  try {
    return copyPlain(value);
  } catch {
    // Dates, bytes, cycles, getters that throw: JSON has an answer for each, even if it is an error.
    return JSON.parse(jsonText(value));
  }
}

type Listener = (event: { data: unknown }) => void;

class PagePort {
  /** Its other end lives and dies with it, and takes objects only; see src/web/port.js. */
  readonly isPage = true;
  peer!: PagePort;
  #queue: unknown[] = [];
  #listener: Listener | undefined;
  #due = false;
  #posted = 0;

  postMessage(message: unknown): void {
    this.peer.#take(copy(message));
  }

  addEventListener(type: string, listener: Listener): void {
    if (type !== "message") return;
    this.#listener = listener;
    if (this.#queue.length > 0) this.#schedule();
  }

  removeEventListener(type: string): void {
    // Whoever stops listening has closed this end: what still comes is dropped, not kept.
    if (type === "message") this.#listener = () => {};
  }

  #take(message: unknown): void {
    this.#queue.push(message);
    if (this.#listener && !this.#due) this.#schedule();
  }

  #schedule(): void {
    this.#due = true;
    if (++this.#posted % BREATHER) queueMicrotask(this.#deliver);
    else inTask(this.#deliver);
  }

  readonly #deliver = () => {
    this.#due = false;
    const messages = this.#queue;
    this.#queue = [];
    for (const data of messages) this.#listener?.({ data });
  };
}

/** Calls back in a task of its own, which no timer's least delay puts off. */
function inTask(callback: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    callback();
  };
  port2.postMessage(undefined);
}

/** Two ends that belong together. */
export function pagePorts(): [PortLike, PortLike] {
  const [one, other] = [new PagePort(), new PagePort()];
  one.peer = other;
  other.peer = one;
  return [one as unknown as PortLike, other as unknown as PortLike];
}
