// Whether calls run over a port of a service worker, which the browser would stop otherwise: what
// arrives by a port is no event, and only events can keep such a worker running.

import { setTimer } from "./generated/live.js";
import type { PortLike } from "./transport.js";

/** How often it is looked whether calls still run, and how long the first may take to arrive. */
const LOOK = 500;

type Frame = { id?: unknown; method?: string; params?: { requestId?: unknown } };

/** A message in either form; an empty one if it is none. */
export const frameOf = (data: any): Frame => {
  try {
    return (typeof data === "string" ? JSON.parse(data) : data) ?? {};
  } catch {
    return {};
  }
};

/** Follows a port's requests and answers. Resolves, whenever it is asked, once no call runs. */
export function followCalls(port: PortLike, isOpen: () => boolean): () => Promise<void> {
  const running = new Set<unknown>();
  const post = port.postMessage.bind(port) as (...given: unknown[]) => void;
  // Even an end in this realm has to post what it says; see src/web/port.js.
  Object.assign(port, { isFollowed: true });
  port.addEventListener("message", ((event: MessageEvent) => {
    const { id, method, params } = frameOf(event.data);
    if (method === "notifications/cancelled") running.delete(params?.requestId);
    // A subscription is open for as long as its client likes; that is no work.
    else if (method && id !== undefined && method !== "subscriptions/listen") running.add(id);
  }) as EventListener);
  port.postMessage = (...given: unknown[]) => {
    const { id, method } = frameOf(given[0]);
    if (!method) running.delete(id);
    post(...given);
  };
  let looking: Promise<void> | undefined;
  let again = false;
  const look = async () => {
    do {
      again = false;
      await new Promise<void>((resolve) => setTimer(resolve, LOOK));
    } while (again || (running.size > 0 && isOpen()));
    looking = undefined;
  };
  return () => {
    // The request may arrive after the event that announces it.
    again = true;
    return (looking ??= look());
  };
}
