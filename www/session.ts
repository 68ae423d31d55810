// What a server's `connect()` gives: a place that is served over one carrier or one after the other.

import { ModelportError } from "./error.js";
import { fire, keep, leave, patienceOf, type Carrier, type Held, type Keeper, type ReconnectOptions } from "./reconnecting.js";
import type { Session } from "./server_types.js";
import type { Transport } from "./types.js";

/** Serves one carrier once it is open; `gone` hears of its end. */
export type Serve = (transport: Transport, gone: () => void) => Held | Promise<Held>;

/** A session that has no carrier yet; `fault` hears why it is given up, and `over` that it is. */
export function sessionOf(serve: Serve, fault: (error: unknown) => void, over: () => void): Session {
  /** The session over the present carrier; none between two. */
  let present: Held | undefined;
  /** Those that were replaced, for which something still runs. */
  const left = new Set<Held>();
  let keeper: Keeper | undefined;
  let isOver = false;
  let tell!: () => void;

  const close = () => {
    if (isOver) return;
    isOver = true;
    keeper?.stop();
    for (const each of [present, ...left]) each?.close();
    over();
    tell();
  };

  const lost = () => {
    present = undefined;
    if (isOver) return;
    if (keeper?.lost()) fire(session, "disconnect");
    else close();
  };

  const refuse = () => {
    throw new ModelportError("closed", "The session is closed.");
  };

  /** Takes another carrier into use once it is open; `options` come with one that was chosen, and not with a lost one's successor. */
  const move = async (carrier: Carrier, options?: ReconnectOptions) => {
    if (isOver) refuse();
    const asked = keeper;
    const transport = typeof carrier === "function" ? await carrier() : carrier;
    let next: Held | undefined;
    let isGone = false;
    const opening = serve(transport, () => {
      isGone = true;
      if (present && present === next) lost();
    });
    // A port is served at once: nothing can come in between.
    next = opening instanceof Promise ? await opening : opening;
    // Closed, or gone over to a third one, in the meantime.
    if (isOver || asked !== keeper) {
      next.close();
      refuse();
    }
    const last = present;
    present = next;
    if (options) {
      keeper?.stop();
      // What a server could ask its peer is there in one era only, so it asks nothing.
      keeper = typeof carrier === "function" ? keep(() => move(carrier), async () => {}, (error) => (fault(error), close()), { ...options, ping: 0 }) : undefined;
    }
    if (last) {
      void leave(last, left, patienceOf(options));
      fire(session, "disconnect");
    }
    if (last || asked) fire(session, "reconnect");
    if (isGone && present === next) lost();
  };

  const session: Session = Object.assign(new EventTarget(), {
    close,
    closed: new Promise<void>((resolve) => (tell = resolve)),
    switchTo: (carrier: Carrier, options: ReconnectOptions = {}) => move(carrier, options),
  });
  return session;
}
