// Opens a far end (far.js) in a worker or a frame and hands it a port.

const heard = (target, word) =>
  new Promise((resolve, reject) => {
    target.addEventListener("error", ({ message }) => reject(new Error(`the far end failed: ${message}`)));
    target.addEventListener("message", function listen({ data }) {
      if (data !== word) return;
      target.removeEventListener("message", listen);
      resolve();
    });
  });

const places = {
  worker() {
    const worker = new Worker(new URL("far.js", import.meta.url), { type: "module" });
    return { home: worker, post: (data, ports) => worker.postMessage(data, ports), close: () => worker.terminate() };
  },
  frame() {
    const frame = document.createElement("iframe");
    frame.src = new URL("far.html", import.meta.url).href;
    document.body.append(frame);
    return { home: globalThis, frame, post: (data, ports) => frame.contentWindow.postMessage(data, location.origin, ports), close: () => frame.remove() };
  },
};

/** `{ port, frame, close() }`, once the far end serves. */
export async function openFarEnd(place, options = {}) {
  const { home, frame, post, close } = places[place]();
  await heard(home, "far end is there");
  const { port1, port2 } = new MessageChannel();
  const serves = heard(home, "far end serves");
  post({ farEnd: options }, [port2]);
  await serves;
  return { port: port1, frame, close };
}
