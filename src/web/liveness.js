// Whether the other end of a port is still there. Ports do not say so, but a lock does: each end holds one
// for as long as it lives and names it to the other; who is granted the other's lock knows that its holder
// is gone. Locks of another origin cannot be seen: there a page that goes says so, and an end that says
// nothing is asked. Only ends that know each other as Modelport's do this; others never hear of it.

import { clearTimer, live, on, setTimer } from "./live.js";

const ignore = () => {};

// `tell` says something to the other end, once it is known; `gone` is called once, if that goes first.
// `heartbeat` is in milliseconds; 0 asks never.
export const attend = (tell, gone, heartbeat) => {
  // Only a secure context has them.
  const locks = globalThis.navigator?.locks;
  const lock = locks?.query && `modelport:${crypto.randomUUID()}`;
  const ended = new AbortController();
  const { signal } = ended;
  const timers = new Set();
  let isHeld = false;
  let isWatched = false;
  let isSilent = false;

  const claim = async (name, options, held) => {
    live.locks++;
    try {
      await locks.request(name, options, held);
    } catch {
    } finally {
      live.locks--;
    }
  };
  const after = (wait, act) => {
    const timer = setTimer(() => (timers.delete(timer), act()), wait);
    timers.add(timer);
  };
  const watch = async (theirs) => {
    const { held, pending } = await locks.query();
    if (signal.aborted || isWatched || ![...held, ...pending].some(({ name }) => name === theirs)) return;
    isWatched = true;
    await claim(theirs, { signal }, () => signal.aborted || gone());
  };
  const beat = () => {
    if (isWatched) return;
    if (!isSilent) {
      isSilent = true;
      tell({ beat: true });
      return after(heartbeat, beat);
    }
    // Both the timer and an answer may have waited for a busy thread; the answer then is next.
    after(0, () => after(0, () => (isSilent ? gone() : beat())));
  };

  if (lock) {
    claim(lock, {}, () => {
      isHeld = true;
      if (signal.aborted) return undefined;
      tell({ lock });
      return new Promise((resolve) => signal.addEventListener("abort", resolve));
    });
  }
  // A page that is kept for "Back" is not gone; what is said to it then ends it, and gives its lock back.
  const off = globalThis.document ? on(globalThis, "pagehide", ({ persisted }) => persisted || tell({ gone: true })) : ignore;

  return {
    // What the other end has to know of this one.
    facts: lock ? { lock } : {},
    // The other end is known, or tells its lock's name again.
    meet(theirs, isFirst) {
      if (isFirst && isHeld) tell({ lock });
      if (typeof theirs === "string" && locks?.query) {
        // Its name may come before its lock is known everywhere, and its end may be too busy to say more.
        for (const wait of [0, 50, 500]) after(wait, () => watch(theirs).catch(ignore));
      }
      if (isFirst && heartbeat) after(Math.max(heartbeat, 600), beat);
    },
    heard: () => void (isSilent = false),
    end() {
      off();
      timers.forEach(clearTimer);
      ended.abort();
      tell({ gone: true });
    },
  };
};
