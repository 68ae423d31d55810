// Whether the other end of a port is still there. Ports do not say so, but a lock does: each realm holds one
// as long as it has ends and they name it to the others; who is granted the other's lock knows that its realm is
// gone. Locks of another origin cannot be seen: there a page that goes says so, and an end that says
// nothing is asked. Only ends that know each other as Modelport's do this; others never hear of it.

import { clearTimer, live, on, setTimer } from "./live.js";

const ignore = () => {};

// Milliseconds after which somebody's lock is looked for.
const LOOKS = [0, 50, 250];
// Milliseconds in which an end of this origin without a lock has to say something.
const PROMPT = 400;

// Only a secure context has them.
const { locks } = globalThis.navigator ?? {};

// One lock for all the ends of this realm, held as long as there are any.
let ends = 0;
let own;

const claim = async (name, options, held) => {
  live.locks++;
  try {
    await locks.request(name, options, held);
  } catch {
  } finally {
    live.locks--;
  }
};

const enter = () => {
  if (ends++) return;
  const name = `modelport:${crypto.randomUUID()}`;
  let release;
  const end = new Promise((resolve) => (release = resolve));
  const granted = new Promise((resolve) => claim(name, {}, () => (resolve(), end)));
  own = { name, granted, release };
};

const leave = () => {
  if (!--ends) own.release();
};

// `tell` says something to the other end, once it is known; `gone` is called once, if that goes first.
// `heartbeat` is in milliseconds, and 0 asks never; one that was chosen asks even whose lock is watched, as a
// thread may be stuck that still holds it.
export const attend = (tell, gone, heartbeat = 5_000, isChosen = false) => {
  if (locks?.query) enter();
  const lock = locks?.query && own.name;
  const ended = new AbortController();
  const { signal } = ended;
  const timers = new Set();
  let isHeld = false;
  let isWatched = false;
  let isSilent = false;

  const after = (wait, act) => {
    const timer = setTimer(() => (timers.delete(timer), act()), wait);
    timers.add(timer);
  };
  const watch = async (theirs) => {
    // An end of this very realm lives as long as this one.
    if (theirs === lock) isWatched = true;
    if (isWatched) return;
    const { held, pending } = await locks.query();
    if (signal.aborted || isWatched || ![...held, ...pending].some(({ name }) => name === theirs)) return;
    isWatched = true;
    await claim(theirs, { signal, mode: "shared" }, () => signal.aborted || gone());
  };
  // Asks for a sign of life, and goes on with `next` if there is one in time.
  const ask = (patience, next) => {
    if (isWatched && !isChosen) return;
    isSilent = true;
    tell({ beat: true });
    // Both the timer and an answer may have waited for a busy thread; the answer then is next.
    after(patience, () => after(0, () => after(0, () => (!isSilent ? next() : (isWatched && !isChosen) || gone()))));
  };
  const beat = () => ask(heartbeat, beat);
  const later = () => heartbeat && after(heartbeat, beat);

  if (lock) {
    own.granted.then(() => {
      isHeld = true;
      if (!signal.aborted) tell({ lock });
    });
  }
  // A page that is kept for "Back" is not gone; what is said to it then ends it, and gives its lock back.
  const off = globalThis.document ? on(globalThis, "pagehide", ({ persisted }) => persisted || tell({ gone: true })) : ignore;

  return {
    // What the other end has to know of this one.
    facts: lock ? { lock, origin: globalThis.origin } : {},
    // The other end is known, or tells its lock's name again.
    meet({ lock: theirs, origin }, isFirst) {
      if (isFirst && isHeld) tell({ lock });
      if (typeof theirs === "string" && lock) {
        // Its name may come before its lock is known everywhere.
        for (const wait of LOOKS) after(wait, () => watch(theirs).catch(ignore));
      }
      if (!isFirst) return;
      // Of one's own origin a lock that is not there belongs to somebody who was gone at once, or to a
      // partition of its own, of which one hears.
      if (lock && origin === globalThis.origin && origin !== "null") after(LOOKS[2] + 50, () => ask(PROMPT, later));
      else later();
    },
    heard: () => void (isSilent = false),
    end() {
      off();
      timers.forEach(clearTimer);
      ended.abort();
      if (lock) leave();
      tell({ gone: true });
    },
  };
};
