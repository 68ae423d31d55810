// The soak: hundreds of thousands of calls and thousands of sessions, after which the heap, the wasm's memory
// and the live-object count are where they were after warming up. Both ends of a port are in one page, so
// that one measurement sees both; the other ends of sockets are in Node, of greetings in a worker or a frame.

import { native } from "./everywhere.ts";
import { expect, type Page } from "./fixtures.ts";
import { serverOf } from "./kit/points.ts";
import { inChromium, ours, Wire } from "./ws_server.ts";

const test = native("heap", inChromium);

const MEGABYTE = 1 << 20;
/** Calls under way at once, and sessions. */
const AT_ONCE = 64;
const A_FEW = 2;
/** The one connection in memory is that which stands for all that are over. */
const NOTHING = { clients: 0, sessions: 0, calls: 0, runs: 0, ports: 0, sockets: 0, requests: 0, locks: 0, listeners: 0, timers: 0, objects: 1 };
const ERAS = ["2026-07-28", "2025-11-25"] as const;

type Gauge = Record<"heap" | "memory", number> & { live: Record<string, number> };

/** What is held once the garbage is collected and what it set free is given back. */
async function gaugeOf(page: Page): Promise<() => Promise<Gauge>> {
  const session = await page.context().newCDPSession(page);
  return async () => {
    for (let round = 0; round < 3; round++) {
      await session.send("HeapProfiler.collectGarbage");
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
    }
    const { usedSize: heap } = await session.send("Runtime.getHeapUsage");
    const { memory, ...live } = await page.evaluate(() => lib.liveObjects());
    return { heap, memory, live };
  };
}

/** Does so much to warm up and all of it then; what is held at the end must be what was held before. */
async function soak(page: Page, warm: () => Promise<unknown>, work: () => Promise<unknown>, open: Record<string, number> = {}): Promise<void> {
  const gauge = await gaugeOf(page);
  await warm();
  const before = await gauge();
  const started = performance.now();
  await work();
  const seconds = (performance.now() - started) / 1_000;
  const after = await gauge();
  const [heap, memory] = [after.heap - before.heap, after.memory - before.memory];
  test.info().annotations.push({ type: "soak", description: `${seconds.toFixed(1)} s; heap ${heap}, wasm ${memory} bytes more than ${before.heap} and ${before.memory}` });
  if (process.env["SOAK_REPORT"]) console.log(test.info().title, test.info().annotations.at(-1)!.description, JSON.stringify(after.live));
  expect(after.live).toEqual({ ...NOTHING, ...open });
  expect(heap).toBeLessThan(MEGABYTE);
  expect(memory).toBeLessThan(MEGABYTE);
}

/** Makes so many calls, half of them in either era, some at once. */
const calls = (page: Page, count: number) =>
  page.evaluate(
    async ([count, AT_ONCE]) => {
      let wrong = 0;
      for (const client of clients) {
        let left = count / clients.length;
        const some = async () => {
          while (left-- > 0) {
            const { structuredContent } = await client.callTool("echo", { left });
            if (typeof (structuredContent as any)?.left !== "number") wrong++;
          }
        };
        await Promise.all(Array.from({ length: AT_ONCE }, some));
      }
      if (wrong) throw new Error(`${wrong} answers were wrong`);
    },
    [count, AT_ONCE] as const,
  );

declare const clients: import("../dist/index.js").Client[];
declare const connect: (protocol: (typeof ERAS)[number]) => Promise<import("../dist/index.js").Client>;

/** Opens, uses and closes so many sessions, some at once. */
const sessions = (page: Page, count: number) =>
  page.evaluate(
    async ([count, A_FEW, ERAS]) => {
      let left = count;
      const some = async () => {
        while (left-- > 0) {
          const client = await connect(ERAS[left % 2]!);
          await client.callTool("echo", { left });
          await client.close();
        }
      };
      await Promise.all(Array.from({ length: A_FEW }, some));
      // Whoever is served hears of the end a moment later, and locks are given back in the browser's own time.
      await kit.until(() => !lib.liveObjects().sessions, "the sessions end");
      for (let looks = 0; looks < 200 && (await navigator.locks.query()).held!.length; looks++) await new Promise((resolve) => setTimeout(resolve, 50));
    },
    [count, A_FEW, ERAS] as const,
  );

test("200,000 calls over a port", async ({ openPage }) => {
  test.setTimeout(300_000);
  const page = await openPage();
  await page.evaluate(async (ERAS) => {
    const server = new lib.Server({ tools: new lib.ToolManager([{ name: "echo", execute: (args) => args }]) });
    const connect = async (protocol: (typeof ERAS)[number]) => {
      // An end that wants something of its own stays with the port, even within one realm.
      const { port1, port2 } = new MessageChannel();
      await server.connect(new lib.MessagePortTransport(port1, { heartbeat: 0 }));
      const client = new lib.Client({ protocol });
      await client.connect(new lib.MessagePortTransport(port2));
      return client;
    };
    Object.assign(globalThis, { clients: await Promise.all(ERAS.map(connect)), server });
  }, ERAS);
  await soak(page, () => calls(page, 20_000), async () => {
    await calls(page, 200_000);
    await page.evaluate(async () => {
      for (const client of clients) await client.close();
      await (globalThis as any).server.close();
      Object.assign(globalThis, { clients: undefined, server: undefined });
    });
  });
});

test("50,000 calls over a WebSocket", async ({ openPage, sockets }) => {
  test.setTimeout(300_000);
  const node = await ours();
  const server = serverOf(node, () => {});
  sockets.greet = (peer) => server.connect(new Wire(peer) as any);
  const page = await openPage();
  await page.evaluate(
    async ([url, ERAS]) => {
      const connect = async (protocol: (typeof ERAS)[number]) => {
        const client = new lib.Client({ protocol });
        await client.connect(new lib.WebSocketTransport(url));
        return client;
      };
      Object.assign(globalThis, { clients: await Promise.all(ERAS.map(connect)), connect });
    },
    [sockets.url, ERAS] as const,
  );
  // The Node side notes every message that arrives, which is the test's and not the product's.
  sockets.handle = (peer) => void (peer.messages.length = 0);
  await soak(page, () => calls(page, 5_000), async () => {
    await calls(page, 50_000);
    await page.evaluate(async () => {
      for (const client of clients) await client.close();
      Object.assign(globalThis, { clients: undefined });
    });
  });
  await expect.poll(() => node.liveObjects()).toMatchObject({ clients: 0, sessions: 0, calls: 0, runs: 0, timers: 0, listeners: 0 });
  await soak(page, () => sessions(page, 50), () => sessions(page, 500));
});

test("5,000 sessions over ports", async ({ openPage }) => {
  test.setTimeout(300_000);
  const page = await openPage();
  await page.evaluate(() => {
    const server = new lib.Server({ tools: new lib.ToolManager([{ name: "echo", execute: (args) => args }]) });
    let made = 0;
    const connect = async (protocol: (typeof ERAS)[number]) => {
      const { port1, port2 } = new MessageChannel();
      await server.connect(new lib.MessagePortTransport(port1, made++ % 4 ? undefined : { heartbeat: 0 }));
      const client = new lib.Client({ protocol });
      await client.connect(new lib.MessagePortTransport(port2));
      return client;
    };
    Object.assign(globalThis, { connect });
  });
  // The server itself is the other one of the objects.
  await soak(page, () => sessions(page, 500), () => sessions(page, 5_000), { objects: 2 });
  const locks = await page.evaluate(async () => {
    const { held, pending } = await navigator.locks.query();
    return [...held!, ...pending!].map(({ name }) => name);
  });
  expect(locks).toEqual([]);
});

test("hundreds of greetings: a SharedWorker, a worker, a frame", async ({ openPage, site }) => {
  test.setTimeout(300_000);
  const page = await openPage();
  await page.evaluate(
    ([frame, ERAS]) => {
      const target = kit.addFrame(frame);
      const worker = new Worker("/bundles/host.js", { type: "module" });
      let turn = 0;
      const connect = (protocol: (typeof ERAS)[number]) => {
        const client = { protocol };
        turn = (turn + 1) % 3;
        if (turn === 0) return lib.connectToFrame(target, { origin: location.origin, client });
        return lib.connectToWorker(turn === 1 ? worker : new SharedWorker("/bundles/host.js", { type: "module" }), { client });
      };
      Object.assign(globalThis, { connect });
    },
    [site.blank({ body: `<script type="module" src="/bundles/host.js"></script>` }), ERAS] as const,
  );
  await soak(page, () => sessions(page, 60), () => sessions(page, 600));
});
