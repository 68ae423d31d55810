// A peer that is gone without a word is noticed: calls settle with `closed`, and the server lets go of
// the session. Each way to go is a real one: a port closed, a worker ended, a frame taken away.

import { expect, test } from "./everywhere.ts";

/** Milliseconds within which everybody must have noticed. */
const SOON = 1_000;

test("a port the other side closes ends the session and the calls on both sides", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const tools = new lib.ToolManager([{ name: "wait", execute: (_, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))) }]);
    const talk = async () => {
      const { port1, port2 } = new MessageChannel();
      const server = new lib.Server({ tools });
      const session = await server.connect(new lib.MessagePortTransport(port1));
      const client = new lib.Client();
      await client.connect(new lib.MessagePortTransport(port2));
      return { server, session, client, call: kit.outcome(client.callTool("wait")) };
    };
    const left = await talk();
    await new Promise((resolve) => setTimeout(resolve, 20));
    await left.client.close();
    await kit.until(() => left.server.sessions === 0, "the server notices", 1_000);
    const right = await talk();
    await new Promise((resolve) => setTimeout(resolve, 20));
    right.session.close();
    const seen = { left: await left.call, right: await right.call, pending: right.client.pending };
    // A lock is given back in the browser's own time.
    let locks: unknown[] = [];
    for (let looks = 0; looks < 100; looks += 1) {
      const { held, pending } = await navigator.locks.query();
      locks = [...held!, ...pending!];
      if (locks.length === 0) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return { ...seen, locks };
  });
  expect(seen).toEqual({ left: expect.objectContaining({ code: "closed" }), right: expect.objectContaining({ code: "closed" }), pending: 0, locks: [] });
});

const worker = `
  import * as lib from "/dist/index.js";
  await lib.ready();
  const tools = new lib.ToolManager([
    { name: "wait", execute: () => new Promise(() => {}) },
    { name: "end", execute: () => void setTimeout(() => self.close(), 10) },
    { name: "hang", execute: () => { for (;;); } },
  ]);
  const server = new lib.Server({ tools });
  self.addEventListener("message", ({ ports }) => server.connect(new lib.MessagePortTransport(ports[0])), { once: true });
  self.postMessage("here");
`;

for (const protocol of ["2026-07-28", "2025-11-25"] as const) {
  for (const end of ["terminate", "close itself", "terminate in an endless loop"]) {
    test(`${protocol}: a worker that is made to ${end} settles its calls`, async ({ openPage }) => {
      const page = await openPage();
      const seen = await page.evaluate(
        async ({ worker, protocol, end }) => {
          const script = URL.createObjectURL(new Blob([worker.replace("/dist", `${location.origin}/dist`)], { type: "text/javascript" }));
          const thread = new Worker(script, { type: "module" });
          await new Promise((resolve, reject) => ((thread.onmessage = resolve), (thread.onerror = reject)));
          const { port1, port2 } = new MessageChannel();
          thread.postMessage("serve", [port1]);
          const client = new lib.Client({ protocol });
          await client.connect(new lib.MessagePortTransport(port2));
          // A thread that never comes to rest after its start cannot take its lock.
          await new Promise((resolve) => setTimeout(resolve, 200));
          let closed = 0;
          client.addEventListener("close", () => (closed += 1));
          const call = kit.outcome(client.callTool(end === "terminate in an endless loop" ? "hang" : "wait", {}, { timeout: 0 }));
          await new Promise((resolve) => setTimeout(resolve, 50));
          const started = performance.now();
          if (end === "close itself") client.callTool("end").catch(() => {});
          else thread.terminate();
          const settled = await call;
          return { settled, took: performance.now() - started, pending: client.pending, closed, after: await kit.outcome(client.callTool("wait")) };
        },
        { worker, protocol, end },
      );
      expect(seen).toMatchObject({ settled: { code: "closed" }, pending: 0, closed: 1, after: { code: "closed" } });
      // The browser itself gives a thread in an endless loop two seconds to end.
      expect(seen.took).toBeLessThan(end === "terminate in an endless loop" ? SOON + 2_500 : SOON);
    });
  }
}

test("a frame that is taken away, and one that navigates, end their sessions at the server", async ({ openPage, site }) => {
  const page = await openPage();
  const seen = await page.evaluate(async (blank) => {
    const tools = new lib.ToolManager([{ name: "echo", execute: () => "ok" }]);
    const server = new lib.Server({ tools });
    const took: number[] = [];
    for (const end of ["remove", "navigate"]) {
      const frame = document.createElement("iframe");
      frame.src = blank;
      await new Promise((resolve) => ((frame.onload = resolve), document.body.append(frame)));
      const { port1, port2 } = new MessageChannel();
      await server.connect(new lib.MessagePortTransport(port1));
      const inside = frame.contentWindow as any;
      inside.eval(`window.started = (async () => {
        const lib = await import("/dist/index.js");
        await lib.ready();
        const port = await new Promise((resolve) => {
          addEventListener("message", ({ ports }) => ports[0] && resolve(ports[0]));
          window.ready = true;
        });
        window.client = new lib.Client();
        await client.connect(new lib.MessagePortTransport(port));
        await client.callTool("echo");
      })()`);
      // The listener of the frame is set once its library is ready.
      await kit.until(() => inside.ready, "the frame listens");
      inside.postMessage("port", "*", [port2]);
      await inside.started;
      // What one end tells of itself is heard a moment later; a frame that goes sooner goes unheard.
      await new Promise((resolve) => setTimeout(resolve, 100));
      const started = performance.now();
      if (end === "remove") frame.remove();
      else frame.src = "about:blank";
      await kit.until(() => server.sessions === 0, "the server notices", 3_000);
      took.push(performance.now() - started);
      frame.remove();
    }
    return took;
  }, site.blank());
  for (const took of seen) expect(took).toBeLessThan(SOON);
});
