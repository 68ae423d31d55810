// Who is not let in by a worker hears it, whatever it is; and what else a scope server owes to ports: one
// session each, one answer a request, and none kept for a client that is gone.

import { expect, loadSdks, popup, test } from "./everywhere.ts";

const call = (id: unknown, name: string, args: object = {}) => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } });

for (const refuse of ["no", "throw", "broken"]) {
  test(`a SharedWorker that refuses (${refuse}) says so to our client, in either era, and to the official SDK's`, async ({ openPage }) => {
    const page = await openPage();
    await loadSdks(page);
    const seen = await page.evaluate(async (script) => {
      const worker = () => new SharedWorker(script, { type: "module" });
      const ours = ([undefined, "2026-07-28", "2025-11-25"] as const).map((protocol) => kit.outcome(lib.connectToWorker(worker(), { client: { protocol: protocol ?? "auto" } })));
      const theirs = [sdk1, sdk2].map(async ({ Client }) => {
        const client: any = new Client({ name: "sdk", version: "1" });
        return kit.outcome(client.connect(new lib.MessagePortTransport(await lib.portTo(worker()))));
      });
      return { ours: await Promise.all(ours), theirs: await Promise.all(theirs) };
    }, `/bundles/host.js?refuse=${refuse}`);
    const refusal = { name: "ModelportError", code: "origin-refused", message: "The server refuses this client." };
    expect(seen.ours).toMatchObject([refusal, refusal, refusal]);
    for (const { code, message } of seen.theirs) expect([code, message]).toEqual([403, expect.stringContaining("refuses this client")]);
  });
}

test("so do a dedicated worker and a service worker, to whoever sends a port, greets or speaks on the worker's own channel", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const script = "/bundles/host.js?refuse=no";
    const worker = new Worker(script, { type: "module" });
    const { installing, active } = await navigator.serviceWorker.register(script, { type: "module" });
    const service = (active ?? installing)!;
    const byPort = (to: Worker | ServiceWorker) => {
      const { port1, port2 } = new MessageChannel();
      to.postMessage("a port", [port2]);
      return new lib.Client().connect(new lib.MessagePortTransport(port1));
    };
    const client = new lib.Client();
    const ways = [() => byPort(worker), () => byPort(service), () => lib.connectToWorker(worker), () => lib.connectToWorker(service), () => client.connect(new lib.MessagePortTransport(worker))];
    const codes = [];
    for (const way of ways) codes.push((await kit.outcome(way)).code);
    // The client itself may go elsewhere.
    const { port1, port2 } = new MessageChannel();
    await new lib.Server({ tools: kit.boxTools() }).connect(new lib.MessagePortTransport(port1));
    await client.connect(new lib.MessagePortTransport(port2));
    return { codes, tools: (await client.tools()).length };
  });
  expect(seen).toEqual({ codes: Array(5).fill("origin-refused"), tools: 8 });
});

test("a port that is refused answers requests only, each in its form, until it is closed or the scope stops", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async (request) => {
    // The ten seconds for which it is answered are over when the test says so.
    const later = setTimeout;
    const over: (() => void)[] = [];
    globalThis.setTimeout = ((work: () => void, ms: number) => (ms === 10_000 ? over.push(work) : later(work, ms))) as typeof setTimeout;
    const scope = Object.assign(new EventTarget(), { postMessage: () => {} });
    const served = lib.createScopeServer({ tools: kit.boxTools(), accept: () => false }, scope);
    const arrive = () => {
      const { port1, port2 } = new MessageChannel();
      const heard: unknown[] = [];
      port1.onmessage = ({ data }) => heard.push(data);
      scope.dispatchEvent(new MessageEvent("message", { ports: [port2] }));
      return { heard, say: (...frames: unknown[]) => frames.forEach((frame) => port1.postMessage(frame)) };
    };
    const [first, second] = [arrive(), arrive()];
    first.say("hello", 42, null, "{", { jsonrpc: "2.0", method: "notifications/initialized" }, { jsonrpc: "2.0", id: 1, result: {} }, request, JSON.stringify(request));
    second.say(request);
    await kit.until(() => first.heard.length === 2 && second.heard.length === 1);
    Object.assign(globalThis, { arrive, first, second, served, over });
    return first.heard.map((answer) => (typeof answer === "string" ? [JSON.parse(answer)] : answer));
  }, call(9, "grow"));
  const refusal = { jsonrpc: "2.0", id: 9, error: { code: 403, message: "The server refuses this client." } };
  expect(seen).toEqual([refusal, [refusal]]);
  const say = (who: string) =>
    page.evaluate(
      async ([who, request]) => {
        const { heard, say } = (globalThis as any)[who];
        const before = heard.length;
        say(request);
        // Messages are no timers: two tasks of this queue suffice, and more do no harm.
        for (let turn = 0; turn < 50; turn++) {
          const { port1, port2 } = new MessageChannel();
          await new Promise((resolve) => ((port1.onmessage = resolve), port2.postMessage("")));
        }
        return heard.length - before;
      },
      [who, call(10, "grow")] as const,
    );
  expect(await say("first")).toBe(1);
  await page.evaluate(() => (globalThis as any).over.splice(0).forEach((ring: () => void) => ring()));
  expect(await say("first")).toBe(0);
  await page.evaluate(() => {
    const { arrive, served } = globalThis as any;
    Object.assign(globalThis, { third: arrive() });
    Object.assign(globalThis, { stop: () => served.stop() });
  });
  expect(await say("third")).toBe(1);
  await page.evaluate(() => (globalThis as any).stop());
  expect(await say("third")).toBe(0);
});

test("a port that is delivered twice is one session, the others of an event are left alone, and what came with them is not run", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async (request) => {
    const scope = Object.assign(new EventTarget(), { postMessage: () => {} });
    const served = lib.createScopeServer({ tools: kit.boxTools() }, scope);
    let opened = 0;
    served.events.addEventListener("open", () => opened++);
    const [one, other] = [new MessageChannel(), new MessageChannel()];
    const peers = [new kit.Peer(one.port1), new kit.Peer(other.port1)];
    for (const data of [request, JSON.stringify(request), "again"]) scope.dispatchEvent(new MessageEvent("message", { data, ports: [one.port2, other.port2] }));
    await kit.until(() => opened);
    await peers[0]!.initialize();
    peers[0]!.post({ ...request, id: 1 });
    peers[1]!.post({ ...request, id: 1 });
    await peers[0]!.answer(1);
    await peers[0]!.request("ping", {}, 2);
    const tools = (await peers[0]!.request("tools/list", {}, 3)).result.tools.length;
    served.stop();
    return { opened, tools, answers: peers.map(({ frames }) => frames.flatMap(({ id }) => (id < 4 ? [id] : []))) };
  }, call(1, "grow"));
  expect(seen).toEqual({ opened: 1, tools: 9, answers: [[1, 2, 3], []] });
});

test("ports do not hear each other, garbled text has one answer, a long argument too; the server says who it is", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const serve = (identity: object) => {
      const scope = Object.assign(new EventTarget(), { postMessage: () => {} });
      const adds = { name: "add", execute: ({ a, b }: any) => ({ sum: Number(a) + b }) };
      lib.createScopeServer({ tools: new lib.ToolManager([adds]), ...identity }, scope);
      return () => {
        const { port1, port2 } = new MessageChannel();
        scope.dispatchEvent(new MessageEvent("message", { ports: [port2] }));
        return new kit.Peer(port1);
      };
    };
    const arrive = serve({});
    const [one, two] = [arrive(), arrive()];
    const add = (a: unknown) => ({ name: "add", arguments: { a, b: 1 }, _meta: kit.modernMeta() });
    const both = await Promise.all([one.request("tools/call", add(1), 7), two.request("tools/call", add(2), 7)]);
    const garbled = await one.probe("{");
    await one.request("tools/call", add("x".repeat(1_000_000)), 8);
    const long = one.frames.filter(({ id }) => id === 8);
    await one.request("tools/call", add(3), 9);
    const identity = async (peer: any) => (await peer.request("server/discover", { _meta: kit.modernMeta() }, "who")).result._meta["io.modelcontextprotocol/serverInfo"];
    return {
      sums: both.map(({ result }) => result.structuredContent),
      heard: [one, two].map(({ frames }) => frames.filter(({ id }) => id === 7).length),
      garbled: garbled.map(({ id, error }: any) => [id, error?.code]),
      long: [long.length, long[0].result?.content ?? long[0].error],
      last: one.frames.at(-1).result.structuredContent,
      who: [await identity(two), await identity(serve({ name: "shop", version: "9", title: "Shop" })()), lib.version],
    };
  });
  expect(seen.sums).toEqual([{ sum: 2 }, { sum: 3 }]);
  expect(seen.heard).toEqual([1, 1]);
  expect(seen.garbled).toEqual([[undefined, -32700]]);
  expect(seen.long[0]).toBe(1);
  expect(seen.last).toEqual({ sum: 4 });
  expect(seen.who).toEqual([{ name: "modelport", version: seen.who[2] }, { name: "shop", version: "9", title: "Shop" }, expect.any(String)]);
});

for (const kind of ["SharedWorker", "service worker"]) {
  test(`a ${kind} lets go of the session of a document that is gone without a word`, async ({ openPage, site }) => {
    const connect = async (kind: string) => {
      const script = "/bundles/host.js?reaped";
      const find = async () => {
        const { installing, active } = await navigator.serviceWorker.register(script, { type: "module" });
        return (active ?? installing)!;
      };
      const client = await lib.connectToWorker(kind === "SharedWorker" ? new SharedWorker(script, { type: "module" }) : await find());
      Object.assign(globalThis, { client });
    };
    const page = await openPage();
    await page.evaluate(() => {
      const counts: number[] = [];
      const channel = new BroadcastChannel("host");
      channel.onmessage = ({ data }) => counts.push(data);
      Object.assign(globalThis, { counts, channel });
    });
    await page.evaluate(connect, kind);
    const sessions = () => page.evaluate(() => (globalThis as any).counts.at(-1));
    for (const end of ["closes", "navigates"]) {
      const other = await popup(page, site.blank());
      await other.evaluate(connect, kind);
      await other.evaluate(() => void kit.outcome((globalThis as any).client.callTool("waits")));
      await expect.poll(sessions).toBe(2);
      await expect.poll(() => page.evaluate(async () => (await (globalThis as any).client.callTool("seen")).structuredContent.waiting)).toBeGreaterThan(end === "closes" ? 0 : 1);
      if (end === "closes") await other.close();
      else await other.evaluate(() => void setTimeout(() => location.replace("about:blank")));
      await expect.poll(sessions, end).toBe(1);
    }
    const seen: any = await page.evaluate(async () => (await (globalThis as any).client.callTool("seen")).structuredContent);
    expect(seen.aborted, "what ran for them was aborted").toHaveLength(2);
  });
}
