// Waiting for a while, or until nobody wants it any more.

/** Resolves after so many milliseconds, or as soon as the signal aborts, which the caller has to look at. */
export const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    // A longer one would ring at once.
    const timer = setTimeout(done, signal.aborted ? 0 : Math.min(ms, 2 ** 31 - 1));
    signal.addEventListener("abort", done);
  });
