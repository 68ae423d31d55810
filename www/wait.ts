// Waiting for a while, or until nobody wants it any more.

import { clearTimer, on, setTimer } from "./generated/live.js";

/** Resolves after so many milliseconds, or as soon as the signal aborts, which the caller has to look at. */
export const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimer(timer);
      off();
      resolve();
    };
    // A longer one would ring at once.
    const timer = setTimer(done, signal.aborted ? 0 : Math.min(ms, 2 ** 31 - 1));
    const off = on(signal, "abort", done);
  });
