// What a client hears of changes, and what it keeps until it hears of one: `listen()` and the cache.

import { expect, test } from "./everywhere.ts";

const eras = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;
const isModern = (protocol: string) => protocol === "2026-07-28";

for (const protocol of eras) {
  test(`${protocol}: a subscription hears of what it named, once for changes made together, before the answer that made them`, async ({ openPage }) => {
    const page = await openPage();
    const seen = await page.evaluate(async (protocol) => {
      const order: string[] = [];
      const tools = new lib.ToolManager();
      const { client, server, stop } = lib.createPageServer({
        tools,
        client: { protocol, trace: (direction, { method, result }: any) => void (direction === "receive" && order.push(method ?? (result?.content ? "answer" : "other"))) },
        prompts: { get: () => "p" },
        resources: { read: () => "r" },
      });
      tools.add({ name: "change", execute: () => {
        for (const name of ["a", "b", "c"]) tools.add({ name, execute: () => name });
        server.promptsChanged();
        server.promptsChanged();
        server.resourcesChanged();
        server.resourceUpdated("page://mine");
        server.resourceUpdated("page://other");
        return "done";
      } });
      await client.connect();
      const subscription = client.listen({ toolsListChanged: true, promptsListChanged: false, resourcesListChanged: true, resourceSubscriptions: ["page://mine"], taskIds: ["t"] });
      const granted = await subscription.granted;
      const notices: any[] = [];
      const reading = (async () => {
        for await (const { method, params } of subscription) {
          notices.push([method, params["uri"]]);
          if (notices.length === 4) break;
        }
      })();
      order.length = 0;
      await client.callTool("change");
      await kit.until(() => notices.length === 3, "three notices");
      server.resourceUpdated("page://mine");
      await reading;
      // Who left hears nothing more, and the server holds nothing for it.
      server.resourceUpdated("page://mine");
      await client.tools();
      const after = await subscription.next();
      const { pending } = client;
      stop();
      return { granted, order, notices, after, pending };
    }, protocol);

    const mine = ["notifications/resources/updated", "page://mine"];
    const lists = ["notifications/tools/list_changed", "notifications/resources/list_changed"];
    expect(seen.granted).toEqual({ toolsListChanged: true, ...(isModern(protocol) ? { taskIds: [] } : { promptsListChanged: false }), resourcesListChanged: true, resourceSubscriptions: ["page://mine"] });
    // The handshake era announces every list; the subscription takes what it named.
    const announced = isModern(protocol) ? lists : [lists[0], "notifications/prompts/list_changed", lists[1]];
    expect(seen.order.slice(0, announced.length + 2)).toEqual([mine[0], ...announced, "answer"]);
    expect(seen.notices).toEqual([mine, ...lists.map((method) => [method, undefined]), mine]);
    expect(seen.after).toEqual({ done: true, value: undefined });
    expect(seen.pending).toBe(0);
  });

  test(`${protocol}: a slow reader's subscription overflows: what was queued comes first, and the server is told`, async ({ openPage }) => {
    const page = await openPage();
    const seen = await page.evaluate(async (protocol) => {
      const sent: string[] = [];
      const { client, server, stop } = lib.createPageServer({
        tools: new lib.ToolManager(), resources: { read: () => "r" },
        client: { protocol, trace: (direction, { method }) => void (direction === "send" && sent.push(String(method))) },
      });
      await client.connect();
      const subscription = client.listen({ resourceSubscriptions: ["a:1", "a:2", "a:3"] }, { capacity: 2 });
      await subscription.granted;
      for (const uri of ["a:1", "a:2", "a:3", "a:1"]) server.resourceUpdated(uri);
      await client.tools();
      sent.length = 0;
      const steps = [await subscription.next(), await subscription.next()].map(({ value }) => value?.params["uri"]);
      const overflow = await kit.outcome(subscription.next());
      const done = await subscription.next();
      const quiet = client.listen({ resourceSubscriptions: ["a:1"] }, { capacity: 0 });
      await quiet.granted;
      const waiting = quiet.next();
      server.resourceUpdated("a:1");
      const direct = (await waiting).value?.params["uri"];
      server.resourceUpdated("a:1");
      await client.tools();
      const none = await kit.outcome(quiet.next());
      await client.tools();
      const { pending } = client;
      stop();
      return { steps, overflow, done, direct, none, pending, told: sent.filter((method) => /cancelled|unsubscribe/.test(method)).length > 0 };
    }, protocol);

    expect(seen.steps).toEqual(["a:1", "a:2"]);
    expect(seen.overflow).toMatchObject({ name: "ModelportError", code: "overflow" });
    expect(seen.done).toEqual({ done: true, value: undefined });
    expect([seen.direct, seen.none.code]).toEqual(["a:1", "overflow"]);
    expect(seen.told).toBe(true);
    expect(seen.pending).toBe(0);
  });

  test(`${protocol}: a subscription ends by its signal, by return(), by refusal and by the connection's end`, async ({ openPage }) => {
    const page = await openPage();
    const seen = await page.evaluate(async (protocol) => {
      const { client, stop } = lib.createPageServer({ tools: new lib.ToolManager(), resources: { read: () => "r" }, limits: { subscriptions: 2 }, client: { protocol } });
      const early = client.listen({ toolsListChanged: true });
      const notConnected = [await kit.outcome(early.granted), await kit.outcome(early.next())].map(({ code }) => code);
      await client.connect();
      const never = client.listen({ toolsListChanged: true }, { signal: AbortSignal.abort("early") });
      const aborted = await never.next().catch((reason: unknown) => reason);
      const controller = new AbortController();
      const signalled = client.listen({ resourceSubscriptions: ["a:1"] }, { signal: controller.signal });
      await signalled.granted;
      const waiting = signalled.next().catch((reason: unknown) => reason);
      controller.abort("enough");
      const reason = await waiting;
      const returned = client.listen({ resourceSubscriptions: ["a:2"] });
      await returned.granted;
      const reading = returned.next();
      await returned.return();
      const left = await reading;
      await client.tools();
      // Room for two only: had the others not been given back, this would not be granted.
      const again = client.listen({ resourceSubscriptions: ["a:3"] });
      await again.granted;
      const tooMany = client.listen({ resourceSubscriptions: ["a:4", "a:5"] });
      const refused = [await kit.outcome(tooMany.next()), await kit.outcome(tooMany.granted)].map(({ code }) => code);
      const ending = kit.outcome(again.next());
      stop();
      const ended = await ending;
      const late = await kit.outcome(client.listen({ toolsListChanged: true }).next());
      return { notConnected, aborted, reason, left, refused, ended, late: late.code, pending: client.pending };
    }, protocol);

    expect(seen.notConnected).toEqual(["not-connected", "not-connected"]);
    expect(seen.aborted).toBe("early");
    expect(seen.reason).toBe("enough");
    expect(seen.left).toEqual({ done: true, value: undefined });
    expect(seen.refused).toEqual(["internal-error", "internal-error"]);
    expect(seen.ended.code ?? seen.ended.value.done).toEqual(isModern(protocol) ? "closed" : true);
    expect(seen.late).toBe("closed");
    expect(seen.pending).toBe(0);
  });
}

test("server.close() ends a stateless peer's subscriptions with the answer they are owed", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const { client, server, stop } = lib.createPageServer({ tools: new lib.ToolManager(), resources: { read: () => "r" } });
    await client.connect();
    const [one, other] = [client.listen({ toolsListChanged: true }), client.listen({ resourceSubscriptions: ["a:1"] })];
    await Promise.all([one.granted, other.granted]);
    server.resourceUpdated("a:1");
    await server.close();
    const ends = [await one.next(), (await other.next()).value?.method, await other.next()];
    stop();
    // The same on the wire, where the answer names its subscription.
    const { port1, port2 } = new MessageChannel();
    const raw = new lib.Server({ tools: new lib.ToolManager() });
    await raw.connect(new lib.MessagePortTransport(port1));
    const peer = new kit.Peer(port2);
    peer.post({ jsonrpc: "2.0", id: "mine", method: "subscriptions/listen", params: { notifications: { toolsListChanged: true, promptsListChanged: true }, _meta: kit.modernMeta() } });
    await kit.until(() => peer.frames.length === 1, "the acknowledgement");
    await raw.close();
    await kit.until(() => peer.frames.length === 2, "the answer");
    return { ends, frames: peer.frames };
  });
  expect(seen.ends).toEqual([{ done: true, value: undefined }, "notifications/resources/updated", { done: true, value: undefined }]);
  const _meta = expect.objectContaining({ "io.modelcontextprotocol/subscriptionId": "mine" });
  expect(seen.frames).toEqual([
    { jsonrpc: "2.0", method: "notifications/subscriptions/acknowledged", params: { notifications: { toolsListChanged: true }, _meta } },
    { jsonrpc: "2.0", id: "mine", result: { resultType: "complete", _meta } },
  ]);
});

test("two subscriptions of one handshake client to one resource: the one that ends leaves the other its notices", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const sent: string[] = [];
    const { client, server, stop } = lib.createPageServer({
      tools: new lib.ToolManager(), resources: { read: () => "r" },
      client: { protocol: "2025-11-25", trace: (direction, { method }) => void (direction === "send" && sent.push(String(method))) },
    });
    await client.connect();
    const one = client.listen({ resourceSubscriptions: ["a:1", "a:2"] });
    const other = client.listen({ resourceSubscriptions: ["a:1"] });
    await Promise.all([one.granted, other.granted]);
    await one.return();
    await client.tools();
    server.resourceUpdated("a:2");
    server.resourceUpdated("a:1");
    const heard = (await other.next()).value?.params["uri"];
    await other.return();
    await client.tools();
    stop();
    return { heard, unsubscribed: sent.filter((method) => method === "resources/unsubscribe").length };
  });
  expect(seen).toEqual({ heard: "a:1", unsubscribed: 2 });
});

test("a stateless client keeps what is fresh until it is told of a change, wants it anew or time is up", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const reads: string[] = [];
    const asked: string[] = [];
    const tools = new lib.ToolManager([{ name: "t", execute: () => "t" }]);
    const { client, server, stop } = lib.createPageServer({
      tools, cache: { ttlMs: 60_000, scope: "public" },
      resources: {
        list: () => [{ uri: "a:1", name: "1" }],
        read: (uri) => {
          reads.push(uri);
          const contents = [{ uri, text: String(reads.length) }];
          return uri === "a:own" ? { contents, ttlMs: 0, cacheScope: "private" } : uri === "a:short" ? { contents, ttlMs: 500 } : { contents };
        },
      },
      client: { trace: (direction, { method }) => void (direction === "send" && asked.push(String(method))), limits: { cachedAnswers: 4 } },
    });
    await client.connect();
    const text = async (uri: string, options?: object) => ((await client.readResource(uri, options)).contents[0] as { text: string }).text;
    const count = async (method: string, work: () => Promise<unknown>) => {
      asked.length = 0;
      await work();
      return asked.filter((name) => name === method).length;
    };
    const hints = await client.readResource("a:1");
    const same = [await text("a:1"), await text("a:1"), await text("a:1", { fresh: true }), await text("a:1")];
    const own = [await text("a:own"), await text("a:own")];
    const short = [await text("a:short"), await text("a:short")];
    await new Promise((resolve) => setTimeout(resolve, 520));
    short.push(await text("a:short"));
    const lists = await count("tools/list", async () => { await client.tools(); await client.tools(); await client.listResources(); await client.listResources(); await client.tools({ fresh: true }); });
    const subscription = client.listen({ toolsListChanged: true, resourceSubscriptions: ["a:1"] });
    await subscription.granted;
    tools.add({ name: "new", execute: () => "n" });
    await subscription.next();
    const changed = await count("tools/list", () => client.tools());
    const names = (await client.tools()).map(({ name }) => name);
    const others = await count("resources/list", () => client.listResources());
    server.resourceUpdated("a:1");
    await subscription.next();
    const updated = await count("resources/read", () => text("a:1"));
    // No more than four are kept: the oldest leaves.
    for (const n of [1, 2, 3, 4]) await text(`b:${n}`);
    const kept = await count("resources/read", async () => { for (const n of [4, 3, 2, 1]) await text(`b:${n}`); });
    const left = await count("resources/read", () => text("a:1"));
    stop();
    return { hints: [hints["ttlMs"], hints["cacheScope"]], same, own, short, lists, changed, names, others, updated, kept, left };
  });
  expect(seen.hints).toEqual([60_000, "public"]);
  expect(seen.same).toEqual(["1", "1", "2", "2"]);
  expect(seen.own).toEqual(["3", "4"]);
  expect(seen.short).toEqual(["5", "5", "6"]);
  expect(seen.lists).toBe(2);
  expect([seen.changed, seen.names, seen.others]).toEqual([1, ["t", "new"], 0]);
  expect(seen.updated).toBe(1);
  expect([seen.kept, seen.left]).toEqual([0, 1]);
});

test("without hints nothing is kept, and peers of the handshake era are not sent any", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const results: any = {};
    for (const [protocol, cache] of [["2026-07-28", undefined], ["2025-11-25", { ttlMs: 60_000 }]] as const) {
      let reads = 0;
      const { client, stop } = lib.createPageServer({ tools: new lib.ToolManager(), ...(cache && { cache }), resources: { read: () => String(++reads) }, client: { protocol } });
      await client.connect();
      await client.readResource("a:1");
      const { ttlMs, cacheScope } = await client.readResource("a:1");
      results[protocol] = [reads, ttlMs, cacheScope];
      stop();
    }
    return results;
  });
  expect(seen).toEqual({ "2026-07-28": [2, 0, "private"], "2025-11-25": [2, undefined, undefined] });
});

test("a carrier that closes its session while it is told of a change breaks nothing", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const server = new lib.Server({ tools: new lib.ToolManager(), resources: { read: () => "" } });
    const sent: string[] = [];
    const open = async (closes: boolean) => {
      const carrier: any = {
        start: async () => {},
        close: async () => {},
        send: async ({ method }: any) => {
          if (!method) return;
          sent.push(method);
          if (closes) session.close();
        },
      };
      const session = await server.connect(carrier);
      const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c", version: "1" } };
      carrier.onmessage({ jsonrpc: "2.0", id: 1, method: "initialize", params: hello });
      carrier.onmessage({ jsonrpc: "2.0", id: 2, method: "resources/subscribe", params: { uri: "a:1" } });
    };
    await open(true);
    await open(false);
    server.resourceUpdated("a:1");
    server.resourceUpdated("a:1");
    const { sessions } = server;
    await server.close();
    return { sent, sessions };
  });
  expect(seen).toEqual({ sent: Array(3).fill("notifications/resources/updated"), sessions: 1 });
});
