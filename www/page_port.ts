// The two ends of a page server's conversation: like a MessageChannel to whoever uses them, but what is
// posted is handed over within the realm (src/web/copy.js).

import { copy, newInbox } from "./generated/copy.js";
import type { PortLike } from "./transport.js";

type Listener = (event: { data: unknown }) => void;

class PagePort {
  /** Its other end lives and dies with it, and takes objects only; see src/web/port.js. */
  readonly isPage = true;
  peer!: PagePort;
  #listener: Listener | undefined;
  #inbox = newInbox((data) => this.#listener!({ data }));

  postMessage(message: unknown): void {
    this.peer.#inbox.put(copy(message));
  }

  addEventListener(type: string, listener: Listener): void {
    if (type !== "message") return;
    this.#listener = listener;
    this.#inbox.open();
  }

  removeEventListener(type: string): void {
    // Whoever stops listening has closed this end: what still comes is dropped, not kept.
    if (type === "message") this.#listener = () => {};
  }
}

/** Two ends that belong together. */
export function pagePorts(): [PortLike, PortLike] {
  const [one, other] = [new PagePort(), new PagePort()];
  one.peer = other;
  other.peer = one;
  return [one as unknown as PortLike, other as unknown as PortLike];
}
