// From a caller's `abort()` to the `abort` of the signal that the tool holds. The tool is known to run by then.

import { makePair } from "../pairs/pair.js";

export async function open({ pair, ...options }) {
  let started;
  let ended;
  const wait = {
    name: "wait",
    description: "Waits",
    inputSchema: { type: "object", properties: {} },
    shape: () => ({}),
    run(_args, { signal }) {
      if (!signal) throw new Error("its tools get no signal");
      started();
      return new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          ended(performance.now());
          reject(signal.reason);
        });
      });
    },
  };
  const { call, close } = await makePair({ pair, ...options, tools: [wait] });
  return {
    async time() {
      const controller = new AbortController();
      const running = new Promise((resolve) => (started = resolve));
      const stopped = new Promise((resolve) => (ended = resolve));
      const settled = call("wait", {}, { signal: controller.signal }).then(
        ({ isError, content }) => Promise.reject(new Error(isError ? content[0].text : "the call was answered")),
        (error) => error,
      );
      await Promise.race([running, settled.then((error) => Promise.reject(error))]);
      const start = performance.now();
      controller.abort();
      const end = await stopped;
      await settled;
      return end - start;
    },
    close,
  };
}
