// The greeting between windows: who is answered, who is not, in which order things may happen, and
// what becomes of whoever gives up. Two real origins: localhost and 127.0.0.1.

import { embed, expect, loadSdks, popup, test, type Pane } from "./everywhere.ts";
import type { Site } from "./site.ts";

const elsewhere = (address: string) => address.replace("localhost", "127.0.0.1");

/** A page that serves by `kit/host.ts`; `query` tells it how. */
const host = (site: Site, query = "", headers = {}) => site.blank({ body: `<script type="module" src="/bundles/host.js${query}"></script>`, headers });

/** What a page needs to be sandboxed without the browser remarking on it. */
const siteKeyed = { "Origin-Agent-Cluster": "?0" };

/** Serves in a page, and keeps what `events` tells in `told`. */
const serve = (page: Pane, origins?: readonly string[] | "frames") =>
  page.evaluate((origins) => {
    const named = origins === "frames" ? [document.querySelector("iframe")!] : origins;
    const scope = lib.createScopeServer({ tools: kit.boxTools(), ...(named && { origins: named }) });
    const told: any[] = [];
    for (const type of ["open", "refused", "close", "error"]) {
      scope.events.addEventListener(type, (event: any) => told.push([type, event.arrival?.origin, event.error?.code].filter((part) => part !== undefined)));
    }
    Object.assign(globalThis, { scope, told });
  }, origins);

const told = (page: Pane): Promise<unknown[]> => page.evaluate(() => (globalThis as any).told);

/** What `connectToParent` comes to in a frame: who answered `seen`, or the code. */
const toParent = (frame: Pane, origins: string[], timeout = 5_000) =>
  frame.evaluate(
    async ([origins, timeout]) => {
      const { value, code } = await kit.outcome(lib.connectToParent({ origins, timeout }));
      return code ?? ((await value.callTool("seen")).structuredContent as any).here;
    },
    [origins, timeout] as const,
  );

test("C58 either side may come first: a frame that serves late, or long before", async ({ openPage, site }) => {
  const page = await openPage();
  const origin = elsewhere(site.url);
  const query = `?origins=${site.url}`;
  const seen = await page.evaluate(
    async ({ late, early, origin }) => {
      const first = kit.addFrame(late);
      const waited = lib.connectToFrame(first, { origin });
      const second = kit.addFrame(early);
      await new Promise((resolve) => second.addEventListener("load", resolve));
      const clients = [await waited, await lib.connectToFrame(second, { origin })];
      // The frame's element may not even be in the document.
      const third = document.createElement("iframe");
      const patient = lib.connectToFrame(third, { origin });
      third.src = early;
      document.body.append(third);
      clients.push(await patient);
      return Promise.all(clients.map(async (client) => [client.server!["serverInfo"] ?? client.protocol, (await client.callTool("echo", { a: 1 })).structuredContent]));
    },
    { late: elsewhere(host(site, `${query}&late=700`)), early: elsewhere(host(site, query)), origin },
  );
  expect(seen).toEqual(Array(3).fill([expect.anything(), { a: 1 }]));
});

test("a page serves the frames whose origin it names, by default its own, and nobody else", async ({ openPage, site }) => {
  const page = await openPage();
  const foreign = await embed(page, elsewhere(site.blank()));
  const own = await embed(page, site.blank());
  await serve(page);
  expect(await toParent(own, [site.url])).toBe("Window");
  expect(await toParent(foreign, [site.url], 900)).toBe("timeout");
  // Hello was said several times, and is told once.
  expect(await told(page)).toEqual([["open", site.url], ["refused", elsewhere(site.url), "origin-refused"]]);
  await page.evaluate(() => (globalThis as any).scope.stop());
  await serve(page, [elsewhere(site.url)]);
  expect(await toParent(foreign, [site.url])).toBe("Window");
  expect(await toParent(own, [site.url], 900)).toBe("timeout");
  expect(await told(page)).toEqual([["open", elsewhere(site.url)], ["refused", site.url, "origin-refused"]]);
});

test("C56 a client takes no port from another origin, nor one that another window forges with the right nonce", async ({ openPage, site }) => {
  const page = await openPage();
  // Serves whoever comes from the page; but the page expects another origin there.
  const frame = await embed(page, elsewhere(site.blank()));
  await serve(frame, [site.url]);
  const wrong = await page.evaluate((origin) => kit.outcome(lib.connectToFrame(document.querySelector("iframe")!, { origin, timeout: 700 })), site.url);
  expect(wrong.code).toBe("timeout");
  expect(await told(frame), "the server let it in, and the client did not go in").toEqual([["open", site.url]]);

  // The frame betrays the nonce to its sibling, of the very origin that is expected, which answers in its stead.
  await frame.evaluate(() => {
    (globalThis as any).scope.stop();
    addEventListener("message", ({ data }) => parent.frames[1]!.postMessage(data, "*"));
  });
  const sibling = await embed(page, elsewhere(site.blank()));
  await sibling.evaluate(() => {
    const forged: unknown[] = [];
    Object.assign(globalThis, { forged });
    addEventListener("message", ({ data }) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = (event) => forged.push(event.data);
      parent.postMessage({ ...data, modelport: "welcome" }, "*", [port2]);
      forged.push("answered");
    });
  });
  const forged = await page.evaluate((origin) => kit.outcome(lib.connectToFrame(document.querySelector("iframe")!, { origin, timeout: 700 })), elsewhere(site.url));
  expect(forged.code).toBe("timeout");
  const got = await sibling.evaluate(() => [...new Set((globalThis as any).forged)]);
  expect(got, "the forger answered, and nothing was said to it").toEqual(["answered"]);
});

test("C56 noise before, during and after the greeting disturbs neither side and is not answered", async ({ openPage, site }) => {
  const page = await openPage();
  const frame = await embed(page, elsewhere(site.blank()));
  await serve(page, [elsewhere(site.url)]);
  await page.evaluate((origin) => {
    const data = new Proxy({}, { get: () => { throw new Error("looked at"); } });
    for (const source of [null, window, frames[0]!]) {
      // Firefox lets nobody make an event that comes from a window of another origin.
      if (kit.canForge(source)) dispatchEvent(new MessageEvent("message", { data, origin, source }));
    }
    dispatchEvent(new MessageEvent("message", { data: { modelport: "hello", nonce: "1" }, origin, source: null }));
  }, elsewhere(site.url));
  const seen = await frame.evaluate(async (origin) => {
    const heard: any[] = [];
    addEventListener("message", ({ data, isTrusted }) => isTrusted && heard.push(data?.modelport ?? data));
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "grow", arguments: {} } };
    const noise = [{ source: "react-devtools" }, "hello", null, 42, { jsonrpc: "2.0" }, call, JSON.stringify(call), { modelport: "hello" }, { modelport: "hello", nonce: 5 }, { modelport: "hello", nonce: "x".repeat(1000) }, { modelport: "welcome", nonce: "1" }, { modelport: "wake", nonce: "1" }];
    const makeNoise = () => {
      for (const each of noise) {
        parent.postMessage(each, "*");
        parent.postMessage(each, "*", [new MessageChannel().port1]);
        // What is said to oneself, with the peer's origin as the target or one's own.
        postMessage(each, location.origin);
      }
      for (const data of [new Proxy({}, { get: () => { throw new Error("looked at"); } }), call]) dispatchEvent(new MessageEvent("message", { data, origin, source: null }));
    };
    makeNoise();
    const connecting = lib.connectToParent({ origins: [origin] });
    makeNoise();
    const client = await connecting;
    const faults: unknown[] = [];
    client.addEventListener("error", (event) => faults.push((event as any).error));
    makeNoise();
    const tools = await client.tools();
    await new Promise((resolve) => setTimeout(resolve, 100));
    const fromParent = heard.filter((each) => each === "welcome").length;
    return { tools: tools.length, again: (await client.tools()).length, faults, fromParent, answers: heard.filter((each) => each?.result || each?.error) };
  }, site.url);
  expect(seen).toEqual({ tools: 8, again: 8, faults: [], fromParent: 3 + 1, answers: [] });
  expect(await told(page)).toEqual([["open", elsewhere(site.url)]]);
});

test("a port goes to the origin that said hello, not to whatever its window shows by then", async ({ openPage, site, expectNoise }) => {
  const page = await openPage();
  const frame = await embed(page, elsewhere(site.blank()));
  await page.evaluate((origin) => {
    const gate = kit.deferred<boolean>();
    Object.assign(globalThis, { gate, asked: false });
    lib.createScopeServer({ tools: kit.boxTools(), origins: [origin], accept: () => (Object.assign(globalThis, { asked: true }), gate.promise) });
  }, elsewhere(site.url));
  await frame.evaluate(() => parent.postMessage({ modelport: "hello", nonce: "1" }, "*"));
  await expect.poll(() => page.evaluate(() => (globalThis as any).asked)).toBe(true);
  // The next document says over its own origin what it has heard, and that it listens.
  const next = site.blank({ body: `<script>const heard = []; addEventListener("message", ({ data, ports }) => heard.push(data, ports.length)); parent.heard = heard;</script>` });
  await page.evaluate((src) => void (document.querySelector("iframe")!.src = src), next);
  await expect.poll(() => page.evaluate(() => (globalThis as any).heard)).toEqual([]);
  // The browser says in the console what it does not deliver.
  expectNoise(/does not match the recipient window's origin/);
  await page.evaluate(() => (globalThis as any).gate.resolve(true));
  await page.evaluate(() => document.querySelector("iframe")!.contentWindow!.postMessage("last", "*"));
  await expect.poll(() => page.evaluate(() => (globalThis as any).heard)).toEqual(["last", 0]);
});

test("sandboxed frames have no origin to go by: the one that was named is served, another is not", async ({ openPage, site }) => {
  const page = await openPage();
  const named = await embed(page, site.blank({ headers: siteKeyed }), "allow-scripts");
  const stranger = await embed(page, site.blank({ headers: siteKeyed }), "allow-scripts");
  await serve(page, "frames");
  expect(await toParent(named, [site.url])).toBe("Window");
  expect(await toParent(stranger, [site.url], 700)).toBe("timeout");
  expect(await told(page)).toEqual([["open", "null"], ["refused", "null", "origin-refused"]]);
});

test("'*' has to be written out and is refused where the page has something to lose; so is what is no origin", async ({ openPage, site }) => {
  const page = await openPage();
  const codes = await page.evaluate(() =>
    Promise.all(
      [["*"], "*", ["null"], ["https://a.example/"], ["a.example"], [""], [undefined]].map(async (origins: any) =>
        (await kit.outcome(() => lib.createScopeServer({ tools: new lib.ToolManager(), origins }))).code),
    ),
  );
  expect(codes).toEqual(Array(7).fill("origin-refused"));
  const asClient = await page.evaluate(async () => {
    const frame = kit.addFrame("about:blank");
    const attempts = [() => lib.connectToFrame(frame, { origin: "*" }), () => lib.connectToFrame(frame, {} as any), () => lib.connectToFrame(frame, { origin: "x" })];
    const nobody = [() => lib.connectToWindow(null!, { origin: "https://a.example" }), () => lib.connectToWindow(window, { origin: location.origin }), () => lib.connectToParent({ origins: [location.origin] }), () => lib.connectToWorker(null!)];
    return Promise.all([...attempts, ...nobody].map(async (attempt) => (await kit.outcome(attempt)).code));
  });
  expect(asClient).toEqual([...Array(3).fill("origin-refused"), ...Array(4).fill("invalid-argument")]);
  // A sandboxed page has nothing of its own, and may let anybody in: here, a page of another origin.
  const here = await page.evaluate(async (src) => {
    const client = await lib.connectToFrame(kit.addFrame(src, "allow-scripts"), { origin: "null" });
    return ((await client.callTool("seen")).structuredContent as any).here;
  }, elsewhere(host(site, "?origins=*", siteKeyed)));
  expect(here).toBe("Window");
});

test("a popup's client reaches its opener's server, and an opener a popup on another origin", async ({ openPage, site }) => {
  const page = await openPage();
  await serve(page);
  const opened = await popup(page, site.blank());
  const there = await opened.evaluate(async () => (await (await lib.connectToWindow(opener, { origin: location.origin })).callTool("echo", { from: "popup" })).structuredContent);
  expect(there).toEqual({ from: "popup" });
  const back = await page.evaluate(
    async ({ src, origin }) => {
      const popup = window.open(src, "_blank", "popup")!;
      const client = await lib.connectToWindow(popup, { origin });
      const { structuredContent } = await client.callTool("echo", { from: "opener" });
      popup.close();
      await kit.until(() => popup.closed);
      return [structuredContent, (await kit.outcome(lib.connectToWindow(popup, { origin }))).code];
    },
    { src: elsewhere(host(site, `?origins=${site.url}`)), origin: elsewhere(site.url) },
  );
  expect(back).toEqual([{ from: "opener" }, "closed"]);
});

test("who is not accepted hears it at once; who gives up says hello no more", async ({ openPage, site }) => {
  const page = await openPage();
  for (const refuse of ["no", "throw"]) {
    const answer = await page.evaluate((src) => kit.outcome(lib.connectToFrame(kit.addFrame(src), { origin: location.origin })), host(site, `?refuse=${refuse}`));
    expect(answer).toMatchObject({ name: "ModelportError", code: "origin-refused" });
  }
  await page.evaluate(() => document.querySelectorAll("iframe").forEach((frame) => frame.remove()));
  const frame = await embed(page, site.blank());
  await frame.evaluate(() => {
    const hellos: any[] = [];
    Object.assign(globalThis, { hellos });
    addEventListener("message", ({ data }) => hellos.push(data));
  });
  const gaveUp = await page.evaluate(async () => {
    const target = document.querySelector("iframe")!;
    const options = { origin: location.origin };
    const stop = new AbortController();
    const aborted = kit.outcome(lib.connectToFrame(target, { ...options, signal: stop.signal }));
    const late = kit.outcome(lib.portTo(target, { ...options, timeout: 200 }));
    setTimeout(() => stop.abort(new TypeError("enough")), 150);
    return [await aborted, await late, await kit.outcome(lib.connectToFrame(target, { ...options, signal: AbortSignal.abort(new TypeError("before")) }))];
  });
  expect(gaveUp).toMatchObject([{ name: "TypeError", message: "enough" }, { name: "ModelportError", code: "timeout" }, { name: "TypeError", message: "before" }]);
  const count = () => frame.evaluate(() => (globalThis as any).hellos.length);
  const before = await count();
  const nonces = await frame.evaluate(() => new Set((globalThis as any).hellos.map(({ nonce }: any) => nonce)).size);
  await page.waitForTimeout(600);
  expect(before).toBeGreaterThanOrEqual(4);
  expect(nonces, "each client has a nonce of its own").toBe(2);
  expect(await count()).toBe(before);
});

test("a port that nobody speaks over is taken back; the official SDK's client speaks over one", async ({ openPage, site }) => {
  const page = await openPage();
  // The ten seconds that a port may be silent are over sooner.
  await page.evaluate(() => {
    const later = setTimeout;
    globalThis.setTimeout = ((work: () => void, ms: number) => later(work, ms === 10_000 ? 1_500 : ms)) as typeof setTimeout;
  });
  const frame = await embed(page, site.blank());
  await serve(page);
  await loadSdks(frame);
  const listed = await frame.evaluate(async () => {
    const silent = await lib.portTo(parent, { origin: location.origin });
    const client = new sdk2.Client({ name: "sdk", version: "1" });
    await client.connect(new lib.MessagePortTransport(await lib.portTo(parent, { origin: location.origin })) as any);
    Object.assign(globalThis, { silent, client });
    return (await client.listTools()).tools.length;
  });
  expect(listed).toBe(8);
  const sessions = () => page.evaluate(() => (globalThis as any).scope.server.sessions);
  expect(await sessions()).toBe(2);
  await expect.poll(sessions).toBe(1);
  expect(await told(page)).toEqual([["open", site.url], ["open", site.url], ["close", site.url]]);
  expect(await frame.evaluate(async () => (await (globalThis as any).client.listTools()).tools.length)).toBe(8);
});
