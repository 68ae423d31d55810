// The floor of a cancellation: one small message over a MessageChannel that aborts a signal.

export async function open() {
  const { port1: near, port2: far } = new MessageChannel();
  let controller;
  far.onmessage = () => controller.abort();
  return {
    time() {
      controller = new AbortController();
      const stopped = new Promise((resolve) => controller.signal.addEventListener("abort", () => resolve(performance.now())));
      const start = performance.now();
      near.postMessage({ abort: 1 });
      return stopped.then((end) => end - start);
    },
    close: () => near.close(),
  };
}
