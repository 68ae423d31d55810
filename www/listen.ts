// `client.listen()`: a subscription as an async iterator, in both eras.

import { ModelportError } from "./error.js";
import { on } from "./generated/live.js";
import type { ListenFilter, ListenOptions, Notice } from "./client_types.js";

/** Hands over every notice until the signal aborts; resolves when the server ends it. */
export type Open = (filter: ListenFilter, hear: (notice: Notice) => void, signal: AbortSignal) => Promise<unknown>;

/** Ends when its reader leaves, when `signal` aborts, when the server ends it, or when it overflows. */
export class Subscription implements AsyncIterableIterator<Notice> {
  #queue: Notice[] = [];
  #readers: { resolve: (result: IteratorResult<Notice>) => void; reject: (reason: unknown) => void }[] = [];
  #controller = new AbortController();
  #end: { error?: unknown } | undefined;
  #granted: (filter: ListenFilter) => void = () => {};
  /** What the server granted of the filter, once it has said so. */
  readonly granted: Promise<ListenFilter>;

  /** Made by `Client.listen`. */
  constructor(open: Open, filter: ListenFilter, { signal, capacity = 64 }: ListenOptions = {}) {
    let refuse: (reason: unknown) => void = () => {};
    this.granted = new Promise((resolve, reject) => {
      this.#granted = resolve;
      refuse = reject;
    });
    // Who never looks at it shall not hear of its failure twice.
    this.granted.catch(() => {});
    let off: (() => void) | undefined;
    const end = (outcome: { error?: unknown }) => {
      if (this.#end) return;
      this.#end = outcome;
      off?.();
      refuse(outcome.error ?? new ModelportError("closed", "The subscription has ended."));
      for (const { resolve, reject } of this.#readers.splice(0)) "error" in outcome ? reject(outcome.error) : resolve({ done: true, value: undefined });
      this.#controller.abort(outcome.error);
    };
    const abort = () => end({ error: signal!.reason });
    this.#stop = () => end({});
    if (signal?.aborted) return abort(), undefined as never;
    off = signal && on(signal, "abort", abort);
    const hear = (notice: Notice) => {
      if (this.#end) return;
      if (notice.method === "notifications/subscriptions/acknowledged") return this.#granted((notice.params["notifications"] ?? {}) as ListenFilter);
      const reader = this.#readers.shift();
      if (reader) return reader.resolve({ done: false, value: notice });
      if (this.#queue.length >= capacity) return end({ error: new ModelportError("overflow", `More than ${capacity} notices wait for a reader.`) });
      this.#queue.push(notice);
    };
    open(filter, hear, this.#controller.signal).then(
      () => end({}),
      (error: unknown) => end({ error }),
    );
  }

  #stop: () => void;

  /** The next notice. What was queued before the end comes first; then it is done, or rejects with what ended it. */
  next(): Promise<IteratorResult<Notice>> {
    const notice = this.#queue.shift();
    if (notice) return Promise.resolve({ done: false, value: notice });
    if (!this.#end) return new Promise((resolve, reject) => this.#readers.push({ resolve, reject }));
    const { error } = this.#end;
    // What ended it is told once.
    const failed = "error" in this.#end;
    this.#end = {};
    return failed ? Promise.reject(error) : Promise.resolve({ done: true, value: undefined });
  }

  /** Ends it; the server is told. */
  async return(): Promise<IteratorResult<Notice>> {
    this.#stop();
    this.#queue.length = 0;
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }
}
