// `createScopeServer` as its scope and its clients see it: what is let in, what is left alone, what
// waits for a decision, and what is over after `stop()`.

import { expect, popup, test, type Tab } from "./everywhere.ts";

/** Opens a page in which `workerOf(code)` makes a module worker: `lib` is there at once, `ready` is not yet. */
async function workerPage(openPage: () => Promise<Tab>): Promise<Tab> {
  const page = await openPage();
  await page.evaluate(() => {
    const workerOf = (code: string) => {
      const source = `import * as lib from "${location.origin}/dist/index.js"; const ready = lib.ready(); const log = [];\n${code}`;
      return new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })), { type: "module" });
    };
    /** Everything the worker posts to the page. */
    const heardFrom = (worker: Worker) => {
      const heard: any[] = [];
      worker.addEventListener("message", ({ data }) => heard.push(data));
      return heard;
    };
    Object.assign(globalThis, { workerOf, heardFrom });
  });
  return page;
}

declare const workerOf: (code: string) => Worker;
declare const heardFrom: (worker: Worker) => any[];

const ping = (id: unknown) => ({ jsonrpc: "2.0", id, method: "ping" });
const initialize = { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c", version: "1" } } };

/** `count` appends what it is given to a list, and gives the list. */
const counting = `
  const counted = [];
  const options = ready.then(() => ({ tools: new lib.ToolManager([{ name: "count", execute: ({ n }) => (counted.push(n), { counted }) }]) }));
`;

test("C58 a worker that is not ready yet keeps what it is told, in order, and answers objects in objects and text in text", async ({ openPage }) => {
  const page = await workerPage(openPage);
  const seen = await page.evaluate(async ({ counting, initialize }) => {
    const worker = workerOf(`${counting} lib.createScopeServer(options.then((options) => new Promise((resolve) => setTimeout(resolve, 200, options))));`);
    const heard = heardFrom(worker);
    const call = (id: number) => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "count", arguments: { n: id } } });
    worker.postMessage(initialize);
    for (let id = 1; id < 40; id++) worker.postMessage(call(id));
    await kit.until(() => heard.length === 40);
    worker.postMessage(JSON.stringify(call(40)));
    await kit.until(() => heard.length === 41);
    const text = heard.pop();
    return { ids: heard.map(({ id }) => id), isText: typeof text, counted: JSON.parse(text).result.structuredContent.counted };
  }, { counting, initialize });
  expect(seen).toEqual({ ids: Array.from({ length: 40 }, (_, id) => id), isText: "string", counted: Array.from({ length: 40 }, (_, n) => n + 1) });
});

test("C56 what is not JSON-RPC on a worker's channel is the worker's own business", async ({ openPage }) => {
  const page = await workerPage(openPage);
  const seen = await page.evaluate(async ({ counting, initialize, ping }) => {
    const worker = workerOf(`${counting} lib.createScopeServer(options); addEventListener("message", ({ data }) => data?.own && postMessage({ own: data.own + 1 }));`);
    const heard = heardFrom(worker);
    const noise = [null, 42, "hello", "{", { type: "init" }, [], [1], { jsonrpc: "1.0" }, { modelport: "wake", nonce: "1" }, { own: 1 }];
    for (const each of noise) worker.postMessage(each);
    worker.postMessage(initialize);
    for (const each of noise) worker.postMessage(each);
    worker.postMessage(ping);
    await kit.until(() => heard.some(({ id }) => id === 7));
    return heard.map((each) => each.own ?? [each.id, each.error]);
  }, { counting, initialize, ping: ping(7) });
  expect(seen.filter((each: unknown) => each === 2)).toHaveLength(2);
  expect(seen.filter((each: unknown) => each !== 2)).toEqual([[0, undefined], [7, undefined]]);
});

test("accept decides over every way in, may take its time, and may throw; what comes meanwhile is kept in order", async ({ openPage }) => {
  const page = await workerPage(openPage);
  const seen = await page.evaluate(async ({ counting, initialize }) => {
    const worker = workerOf(`${counting}
      const scope = lib.createScopeServer(options.then((options) => ({ ...options, accept: async ({ data, ports }) => {
        const { token } = data?.params?._meta ?? data ?? {};
        if (token === "throw") throw new RangeError("no such token");
        if (token === "slow") await new Promise((resolve) => setTimeout(resolve, 150));
        return token === "slow";
      } })));
      for (const type of ["open", "refused"]) scope.events.addEventListener(type, ({ error }) => postMessage({ told: [type, error?.name, scope.server.sessions] }));
    `);
    const heard = heardFrom(worker);
    const told = () => heard.filter((each) => each.told).map((each) => each.told);
    const call = (id: number, token?: string) => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "count", arguments: { n: id }, ...(token && { _meta: { token } }) } });
    // Neither runs what it asks for.
    worker.postMessage(call(1));
    await kit.until(() => told().length === 1);
    worker.postMessage(call(2, "throw"));
    await kit.until(() => told().length === 2);
    const refused = [];
    for (const token of [undefined, "throw"]) {
      const { port1, port2 } = new MessageChannel();
      const peer = new kit.Peer(port1);
      worker.postMessage({ token }, [port2]);
      peer.post(initialize);
      refused.push(peer);
    }
    await kit.until(() => told().length === 4);
    const { port1, port2 } = new MessageChannel();
    const peer = new kit.Peer(port1);
    for (const id of [10, 11, 12]) peer.post(call(id));
    worker.postMessage({ token: "slow" }, [port2]);
    worker.postMessage({ ...initialize, params: { ...initialize.params, _meta: { token: "slow" } } });
    for (const id of [20, 21, 22]) worker.postMessage(call(id));
    await kit.until(() => heard.some(({ id }) => id === 22) && peer.frames.length >= 3);
    const last = heard.find(({ id }) => id === 22).result.structuredContent.counted;
    return { told: told(), refused: refused.map(({ frames }) => frames), order: [peer.frames.map(({ id }) => id), heard.flatMap(({ id, error }) => (error ? [[id, error.code]] : (id ?? [])))], ran: last };
  }, { counting, initialize });
  expect(seen.told).toEqual([["refused", undefined, 0], ["refused", "RangeError", 0], ["refused", undefined, 0], ["refused", "RangeError", 0], ["open", undefined, 1], ["open", undefined, 2]]);
  const refusal = { jsonrpc: "2.0", id: 0, error: { code: 403, message: "The server refuses this client." } };
  expect(seen.refused, "both hear that they are not let in").toEqual([[refusal], [refusal]]);
  expect(seen.order).toEqual([[10, 11, 12], [[1, 403], [2, 403], 0, 20, 21, 22]]);
  expect(seen.ran.filter((n: number) => n < 10), "what was refused did not run").toEqual([]);
});

test("too much said before a decision, or too many who wait for one, are refused with overflow", async ({ openPage }) => {
  const page = await workerPage(openPage);
  const seen = await page.evaluate(async (ping) => {
    // A scope of our own: whatever posts and hears messages is one.
    const posted: any[] = [];
    const scope = Object.assign(new EventTarget(), { postMessage: (message: unknown) => posted.push(message) });
    const gate = kit.deferred<boolean>();
    const served = lib.createScopeServer({ tools: kit.boxTools(), accept: () => gate.promise }, scope);
    const told: any[] = [];
    for (const type of ["open", "refused"]) served.events.addEventListener(type, (event: any) => told.push([type, event.error?.code]));
    const say = (init: MessageEventInit) => scope.dispatchEvent(new MessageEvent("message", init));
    for (let n = 0; n < 1_000; n++) say({ data: ping });
    const channels = Array.from({ length: 300 }, () => new MessageChannel());
    for (const { port1 } of channels) say({ ports: [port1] });
    await kit.until(() => told.length === 45);
    const early = told.splice(0);
    gate.resolve(true);
    await kit.until(() => told.length === 256);
    // After a refusal the channel is decided on anew.
    const refused = posted.splice(0);
    say({ data: ping });
    await kit.until(() => posted.length === 1);
    const sessions = served.server.sessions;
    served.stop();
    let isLookedAt = false;
    scope.dispatchEvent(Object.defineProperty(new Event("message"), "ports", { get: () => void (isLookedAt = true) }));
    return { isLookedAt, early: new Set(early.map(String)).size, code: early[0], opened: told.filter(([type]) => type === "open").length, overflown: told.filter(([, code]) => code === "overflow").length, refused: refused.filter(({ error }) => error.code === 403).length, posted: posted.map(({ id, result }) => [id, result]), sessions };
  }, ping(1));
  expect(seen).toEqual({ isLookedAt: false, early: 1, code: ["refused", "overflow"], opened: 256, overflown: 1, refused: 257, posted: [[1, {}]], sessions: 256 });
});

test("ports are sessions of their own, with all that a server offers; open and close are told", async ({ openPage }) => {
  const page = await workerPage(openPage);
  const seen = await page.evaluate(async () => {
    const worker = workerOf(`
      const scope = lib.createScopeServer(ready.then(() => ({
        tools: new lib.ToolManager([{ name: "who", execute: (_, { caller }) => caller.client.name }]),
        name: "shop", version: "9", title: "Shop", instructions: "be kind", logging: true,
        resources: [{ uri: "a://b", name: "B", read: () => { if (!broken) return "text"; throw new Error("broken"); } }],
        prompts: [{ name: "p", get: () => "please" }],
        complete: () => ["yes"],
      })));
      let broken = false;
      for (const type of ["open", "close", "error"]) scope.events.addEventListener(type, (event) => {
        postMessage({ told: type });
        if (type === "open") globalThis.last = event.session;
      });
      addEventListener("message", ({ data }) => data === "end the last" && last.close());
    `);
    const heard = heardFrom(worker);
    const [one, two] = [await lib.connectToWorker(worker, { client: { name: "one", protocol: "2025-11-25" } }), await lib.connectToWorker(worker, { client: { name: "two" } })];
    const offers = await Promise.all([one, two].map(async (client) => [
      client.server!["instructions"],
      (await client.callTool("who")).content,
      (await client.readResource("a://b")).contents,
      (await client.getPrompt("p")).messages.length,
      (await client.complete({ type: "ref/prompt", name: "p" }, { name: "a", value: "" })).values,
    ]));
    worker.postMessage("end the last");
    await kit.until(() => heard.some(({ told }) => told === "close"));
    const still = (await one.callTool("who")).content;
    return { offers, told: heard.flatMap(({ told }) => told ?? []), still };
  });
  const offer = (name: string) => ["be kind", [{ type: "text", text: name }], [expect.objectContaining({ text: "text" })], 1, ["yes"]];
  expect(seen).toEqual({ offers: [offer("one"), offer("two")], told: ["open", "open", "close"], still: [{ type: "text", text: "one" }] });
});

test("stop() ends every session, aborts what runs and lets nobody in, however often it is called", async ({ openPage }) => {
  const page = await workerPage(openPage);
  const seen = await page.evaluate(async ({ ping, initialize }) => {
    const worker = workerOf(`
      const scope = lib.createScopeServer(ready.then(() => ({
        tools: new lib.ToolManager([{ name: "waits", execute: (_, { signal }) => new Promise(() => { postMessage({ did: "run" }); signal.addEventListener("abort", () => postMessage({ did: "abort" })); }) }]),
        accept: ({ data }) => data?.hold ? new Promise((resolve) => setTimeout(resolve, 100, true)) : true,
      })));
      for (const type of ["open", "close", "refused", "error"]) scope.events.addEventListener(type, () => postMessage({ did: type }));
      addEventListener("message", ({ data }) => { if (data === "stop") { scope.stop(); scope[Symbol.dispose](); postMessage({ did: "stop" }); } });
    `);
    const heard = heardFrom(worker);
    const did = (what: string) => heard.filter((each) => each.did === what).length;
    const { port1, port2 } = new MessageChannel();
    const peer = new kit.Peer(port1);
    worker.postMessage({}, [port2]);
    await peer.initialize();
    peer.post({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "waits", arguments: {} } });
    await kit.until(() => did("run"));
    const held = new MessageChannel();
    const late = new kit.Peer(held.port1);
    worker.postMessage({ hold: true }, [held.port2]);
    worker.postMessage("stop");
    const after = new MessageChannel();
    const last = new kit.Peer(after.port1);
    worker.postMessage({}, [after.port2]);
    for (const each of [peer, late, last]) each.post(ping);
    worker.postMessage(initialize);
    await kit.until(() => did("stop"));
    await new Promise((resolve) => setTimeout(resolve, 250));
    return { did: heard.map((each) => each.did ?? each), peer: peer.frames.map(({ id }) => id), others: [late.frames, last.frames] };
  }, { ping: ping(5), initialize });
  expect(seen.did.toSorted()).toEqual(["abort", "close", "open", "run", "stop"]);
  expect(seen).toMatchObject({ peer: [1000], others: [[], []] });
});

test("promised options that do not come refuse whoever waits, and are told once", async ({ openPage }) => {
  const page = await workerPage(openPage);
  const seen = await page.evaluate(async () => {
    const told: any[] = [];
    const scope = Object.assign(new EventTarget(), { postMessage: () => told.push("posted") });
    const options = kit.deferred<any>();
    const served = lib.createScopeServer(options.promise, scope);
    for (const type of ["open", "refused", "error"]) served.events.addEventListener(type, (event: any) => told.push([type, event.error.message]));
    const before = await kit.outcome(() => served.server);
    scope.dispatchEvent(new MessageEvent("message", { ports: [new MessageChannel().port1] }));
    options.reject(new Error("no options"));
    await kit.until(() => told.length === 2);
    served.stop();
    return { before: before.code, told };
  });
  expect(seen.before).toBe("not-ready");
  expect(seen.told.toSorted()).toEqual([["error", "no options"], ["refused", "no options"]]);
});

test("a bare window channel is not served: nothing said on it runs, and no answer goes in circles", async ({ openPage }) => {
  const page = await openPage();
  const heard = await page.evaluate(async (initialize) => {
    const heard: any[] = [];
    addEventListener("message", ({ data }) => heard.push(data));
    const { events } = lib.createScopeServer({ tools: kit.boxTools() });
    const told: string[] = [];
    for (const type of ["open", "refused", "error"]) events.addEventListener(type, () => told.push(type));
    postMessage(initialize);
    postMessage(JSON.stringify(initialize));
    postMessage({ modelport: "hello", nonce: "1" });
    const { port1, port2 } = new MessageChannel();
    const peer = new kit.Peer(port1);
    postMessage("a port", { transfer: [port2] });
    peer.post(initialize);
    await new Promise((resolve) => setTimeout(resolve, 200));
    return { heard: heard.length, frames: peer.frames, told };
  }, initialize);
  expect(heard).toEqual({ heard: 4, frames: [], told: [] });
});

test("a service worker runs nothing that comes without a port, and is kept running while calls run and no longer", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const { installing, active } = await navigator.serviceWorker.register("/bundles/host.js", { type: "module" });
    const worker = (active ?? installing)!;
    const client = await lib.connectToWorker(worker);
    const grow = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "grow", arguments: {} } };
    for (const each of [grow, JSON.stringify(grow), "hello", null]) worker.postMessage(each);
    await client.callTool("slow", { ms: 100 });
    const tools = (await client.tools()).length;

    // The same over a scope of our own, whose events say what they are asked to wait for.
    const scope = new EventTarget();
    const served = lib.createScopeServer({ tools: kit.boxTools() }, scope);
    const { port1, port2 } = new MessageChannel();
    const waited: string[] = [];
    const arrive = (name: string, init: MessageEventInit) => {
      const waitUntil = (work: Promise<void>) => void work.then(() => waited.push(name));
      scope.dispatchEvent(Object.assign(new MessageEvent("message", init), { waitUntil }));
    };
    arrive("arrival", { ports: [port1] });
    const direct = new lib.Client();
    await direct.connect(new lib.MessagePortTransport(port2));
    const notices = direct.listen({ toolsListChanged: true });
    const stop = new AbortController();
    const calls = Promise.all([direct.callTool("slow", { ms: 1_200 }), kit.outcome(direct.callTool("waits", {}, { signal: stop.signal }))]);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const during = [...waited];
    stop.abort();
    await calls;
    await kit.until(() => waited.length === 1);
    await notices.return?.();
    served.stop();
    return { tools, during, after: waited };
  });
  expect(seen).toEqual({ tools: 8, during: [], after: ["arrival"] });
});

test("a SharedWorker serves each document that connects, one apart from the other", async ({ openPage, site }) => {
  const page = await openPage();
  const other = await popup(page, site.blank());
  const connect = () => page.evaluate(async () => void Object.assign(globalThis, { client: await lib.connectToWorker(new SharedWorker("/bundles/host.js", { type: "module" })) }));
  await connect();
  const there = await other.evaluate(async () => {
    const client = await lib.connectToWorker(new SharedWorker("/bundles/host.js", { type: "module" }));
    await client.callTool("big", { text: "abc" });
    await client.close();
    return client.pending;
  });
  expect(there).toBe(0);
  await other.close();
  const seen: any = await page.evaluate(async () => (await (globalThis as any).client.callTool("seen")).structuredContent);
  expect(seen, "one server, and another's session that ended is nothing to this one").toMatchObject({ here: "SharedWorkerGlobalScope", lengths: [3] });
});
