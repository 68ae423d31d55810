// A `Client` that replaces its carrier: sockets dropped at every point of a call's life, subscriptions that
// go on, attempts that wait longer and longer, silence, the network's and the page's comings and goings.

import { setTimeout as sleep } from "node:timers/promises";
import { expect, keepingPage } from "./everywhere.ts";
import { speaking, test, type Era, type Peer } from "./ws_server.ts";

declare global {
  var client: import("../dist/index.js").Client;
  var kept: any;
}

const refused = /WebSocket connection to .* failed/;
const eras: Era[] = ["stateless", "handshake"];
const done = { resultType: "complete", content: [{ type: "text", text: "fine" }] };

/** Connects `client`, which notes its events in `kept.events`. */
const dial = ([url, options]: readonly [string, object?]) => {
  globalThis.client = new lib.Client({ elicit: () => new Promise(() => {}) });
  kept = { events: [] };
  for (const type of ["disconnect", "reconnect", "close"]) client.addEventListener(type, () => kept.events.push(type));
  return client.connect(() => new lib.WebSocketTransport(url), { delay: 20, ...options });
};

/** Where the socket is dropped, by what the server does once it has a call. */
const points: Record<string, (peer: Peer, message: any) => unknown> = {
  "when the call arrives": ({ socket }) => socket.terminate(),
  "with a code": ({ socket }) => socket.close(1012, "restart"),
  "after progress": (peer, { params }) => {
    peer.send({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: params._meta?.progressToken, progress: 1 } });
    setTimeout(() => peer.socket.terminate(), 20);
  },
  "in the middle of the answer": (peer, { id }) => {
    // A frame's head that promises more than comes.
    (peer.socket as any)._socket.write(Buffer.from(`\x81\x7e\x01\x00{"jsonrpc":"2.0","id":${id},"res`, "latin1"));
    setTimeout(() => peer.socket.terminate(), 20);
  },
  "while the client is asked": (peer, { id }) => {
    const ask = { method: "elicitation/create", params: { message: "?", requestedSchema: { type: "object", properties: {} } } };
    if (peer.messages.some(({ method }) => method === "initialize")) peer.send({ jsonrpc: "2.0", id: "ask", ...ask });
    else peer.answer(id, { resultType: "input_required", inputRequests: { ask }, requestState: "s" });
    setTimeout(() => peer.socket.terminate(), 50);
  },
};

for (const era of eras) {
  for (const [point, drop] of Object.entries(points)) {
    test(`${era}: a socket dropped ${point} leaves the call's outcome unknown, and it is not made again`, async ({ openPage, sockets, expectNoise }) => {
      expectNoise(refused);
      sockets.handle = speaking(era, (peer, message) => {
        if (message.method !== "tools/call") return;
        if (sockets.peers.length === 1) drop(peer, message);
        else peer.answer(message.id, done);
      });
      const page = await openPage();
      await page.evaluate(dial, [sockets.url] as const);
      const seen = await page.evaluate(async () => {
        let settled = 0;
        const call = (options?: object) => kit.outcome(client.callTool("x", {}, options).finally(() => settled++));
        const back = new Promise((resolve) => client.addEventListener("reconnect", resolve, { once: true }));
        const gone = kit.deferred<number>();
        client.addEventListener("disconnect", () => gone.resolve(performance.now()), { once: true });
        const outcomes = Promise.all([call({ progress: () => {} }), call()]);
        const from = await gone.promise;
        const lost = await outcomes;
        const late = performance.now() - from;
        const between = await kit.outcome(client.callTool("between"));
        await back;
        const { content } = await client.callTool("after");
        return { lost, late, between: between.code, content, settled, pending: client.pending, events: kept.events };
      });
      for (const { code, message } of seen.lost) {
        expect(code).toBe("closed");
        expect(message).toContain("outcome is unknown");
      }
      expect(seen.late).toBeLessThan(1_000);
      expect(seen).toMatchObject({ between: "not-connected", content: done.content, settled: 2, pending: 0, events: ["disconnect", "reconnect"] });
      const calls = sockets.peers.map(({ messages }) => messages.filter(({ method }) => method === "tools/call").map(({ params }) => params.name));
      expect(calls[1]).toEqual(["after"]);
      expect(calls[0]!.every((name) => name === "x")).toBe(true);
      // The conversation was opened anew, in the era that the server has.
      expect(sockets.peers[1]!.messages[0].method).toBe(era === "stateless" ? "server/discover" : "initialize");
      await page.evaluate(() => client.close());
      expect(await page.evaluate(() => kept.events)).toEqual(["disconnect", "reconnect", "close"]);
    });
  }

  test(`${era}: sockets dropped while a conversation is opened are followed by others`, async ({ openPage, sockets, expectNoise }) => {
    expectNoise(refused);
    const speak = speaking(era, (peer, { id, method }) => method === "tools/call" && peer.answer(id, done));
    sockets.handle = speak;
    const page = await openPage();
    await page.evaluate(dial, [sockets.url] as const);
    // The second is dropped at once, the third when it speaks, and the handshake's fourth after its answer.
    sockets.greet = (peer) => sockets.peers.length === 2 && peer.socket.terminate();
    sockets.handle = (peer, message) => {
      if (sockets.peers.length === 3) return peer.socket.terminate();
      if (sockets.peers.length === 4 && message.method === "notifications/initialized") return peer.socket.terminate();
      return speak(peer, message);
    };
    sockets.last().socket.terminate();
    const expected = era === "stateless" ? 4 : 5;
    await expect.poll(() => sockets.peers.length).toBe(expected);
    await page.waitForFunction((count) => kept.events.filter((type: string) => type === "reconnect").length === count, expected - 3);
    expect(await page.evaluate(async () => (await client.callTool("x")).content)).toEqual(done.content);
    await page.evaluate(() => client.close());
    await expect.poll(() => sockets.peers.every(({ end }) => end)).toBe(true);
  });

  test(`${era}: subscriptions, the log's level and tools go on over the next socket`, async ({ openPage, sockets, expectNoise }) => {
    expectNoise(refused);
    sockets.handle = speaking(era, (peer, { id, method }) => {
      if (method === "tools/list") peer.answer(id, { resultType: "complete", ttlMs: 0, cacheScope: "private", tools: [{ name: "x", inputSchema: { type: "object" } }] });
      if (method === "tools/call") peer.answer(id, done);
    });
    const subscribed = (peer: Peer) => peer.messages.filter(({ method }) => method === "subscriptions/listen" || method === "resources/subscribe");
    const update = (peer: Peer, uri: string) => {
      const ids = era === "stateless" ? subscribed(peer).map(({ id }) => ({ _meta: { "io.modelcontextprotocol/subscriptionId": id } })) : [{}];
      for (const meta of ids) peer.send({ jsonrpc: "2.0", method: "notifications/resources/updated", params: { uri, ...meta } });
    };
    const page = await openPage();
    await page.evaluate(dial, [sockets.url] as const);
    await page.evaluate(async () => {
      await client.setLoggingLevel("warning");
      kept.tool = (await client.tools())[0];
      kept.heard = [];
      kept.subscriptions = ["a://1", "a://2"].map((uri) => client.listen({ resourceSubscriptions: [uri] }));
      for (const subscription of kept.subscriptions) {
        void (async () => {
          for await (const { params } of subscription) kept.heard.push(params.uri);
        })().catch(() => {});
      }
    });
    for (const round of [0, 1, 2]) {
      await expect.poll(() => sockets.peers.length === round + 1 && subscribed(sockets.last()).length).toBe(2);
      await page.waitForFunction(() => client.protocol);
      for (const uri of ["a://1", "a://2"]) update(sockets.last(), uri);
      const whole = (round + 1) * (era === "stateless" ? 4 : 2);
      await page.waitForFunction((whole) => kept.heard.length >= whole, whole);
      expect(await page.evaluate(async () => (await kept.tool.execute({})).content)).toEqual(done.content);
      if (round < 2) sockets.last().socket.terminate();
    }
    const levels = sockets.peers.map(({ messages }) =>
      era === "handshake" ? messages.find(({ method }) => method === "logging/setLevel")?.params.level : messages.find(({ method }) => method === "tools/call").params._meta["io.modelcontextprotocol/logLevel"],
    );
    expect(levels).toEqual(["warning", "warning", "warning"]);
    // A subscription that is ended while there is no socket is not taken up again.
    sockets.open = false;
    sockets.last().socket.terminate();
    await page.waitForFunction(() => !client.protocol);
    await page.evaluate(() => kept.subscriptions[0].return());
    sockets.open = true;
    await page.waitForFunction(() => client.protocol);
    await expect.poll(() => subscribed(sockets.last()).length).toBe(1);
    await page.evaluate(() => client.close());
  });

  test(`${era}: a server that falls silent is left`, async ({ openPage, sockets }) => {
    const speak = speaking(era);
    sockets.handle = (peer, message) => (sockets.peers.length > 1 || peer.messages.length < 4 ? speak(peer, message) : undefined);
    const page = await openPage();
    await page.evaluate(dial, [sockets.url, { ping: 40, patience: 1_000 }] as const);
    const outcome = await page.evaluate(() => kit.outcome(client.callTool("x", {}, { timeout: 0 })));
    expect(outcome.code).toBe("closed");
    await expect.poll(() => sockets.peers[0]!.end?.code).toBe(1000);
    await page.waitForFunction(() => kept.events.includes("reconnect"));
    const asked = era === "stateless" ? "server/discover" : "ping";
    await expect.poll(() => sockets.last().messages.filter(({ method }) => method === asked).length).toBeGreaterThan(3);
    expect(sockets.peers).toHaveLength(2);
    await page.evaluate(() => client.close());
    const quiet = sockets.last().messages.length;
    await page.waitForTimeout(150);
    expect(sockets.last().messages.length).toBe(quiet);
  });
}

test("without a function that makes carriers, silence closes the client", async ({ openPage, sockets }) => {
  sockets.handle = (peer, message) => peer.messages.length < 2 && speaking("stateless")(peer, message);
  const page = await openPage();
  const events = await page.evaluate(async (url) => {
    const client = new lib.Client();
    const events: string[] = [];
    for (const type of ["disconnect", "close"]) client.addEventListener(type, () => events.push(type));
    await client.connect(new lib.WebSocketTransport(url), { ping: 20, patience: 100 });
    events.push((await kit.outcome(client.callTool("x", {}, { timeout: 0 }))).code, (await kit.outcome(client.callTool("x"))).code);
    return events;
  }, sockets.url);
  expect(events).toEqual(["close", "closed", "closed"]);
  expect(sockets.peers).toHaveLength(1);
});

test("attempts wait longer and longer, and end when they are used up", async ({ openPage, sockets, expectNoise }) => {
  expectNoise(refused);
  sockets.handle = speaking("stateless");
  const page = await openPage();
  await page.evaluate(dial, [sockets.url, { delay: 80, attempts: 4 }] as const);
  await page.evaluate(() => {
    kept.faults = [];
    client.addEventListener("error", (event) => kept.faults.push((event as any).error.code));
  });
  sockets.greet = ({ socket }) => socket.terminate();
  const from = performance.now();
  sockets.last().socket.terminate();
  await page.waitForFunction(() => kept.events.includes("close"));
  const starts = [from, ...sockets.peers.slice(1).map(({ at }) => at)];
  expect(starts).toHaveLength(5);
  const waits = starts.slice(1).map((at, number) => at - starts[number]!);
  // Half of the wait is left to chance; what is there before the browser opens the next one only adds.
  waits.forEach((wait, number) => expect(wait).toBeGreaterThan(38 * 2 ** number));
  const after = await page.evaluate(async () => ({ events: kept.events, faults: kept.faults, used: (await kit.outcome(client.callTool("x"))).code, again: (await kit.outcome(client.connect())).code }));
  expect(after).toEqual({ events: ["disconnect", "close"], faults: ["closed", "closed"], used: "closed", again: "closed" });
});

test("closing between two sockets is the end", async ({ openPage, sockets, expectNoise }) => {
  expectNoise(refused);
  sockets.handle = speaking("stateless");
  const page = await openPage();
  await page.evaluate(dial, [sockets.url] as const);
  const listening = page.evaluate(async () => {
    const seen = [];
    for await (const notice of client.listen({ toolsListChanged: true })) seen.push(notice);
    return seen;
  });
  await expect.poll(() => sockets.sent("subscriptions/listen").length).toBe(1);
  sockets.open = false;
  sockets.last().socket.terminate();
  await page.waitForFunction(() => kept.events.includes("disconnect"));
  await page.evaluate(() => Promise.all([client.close(), client.close()]));
  expect(await listening).toEqual([]);
  sockets.open = true;
  await page.waitForTimeout(200);
  // One that was on its way may still arrive, and goes at once.
  await expect.poll(() => sockets.peers.every(({ end }) => end)).toBe(true);
  expect(sockets.peers.slice(1).flatMap(({ messages }) => messages)).toEqual([]);
  expect(sockets.peers.length).toBeLessThan(3);
  expect(await page.evaluate(() => kept.events)).toEqual(["disconnect", "close"]);
});

test("a client that is closed while it dials lets that carrier go, and says nothing over it", async ({ openPage, sockets }) => {
  sockets.handle = speaking("stateless");
  const page = await openPage();
  await page.evaluate(async (url) => {
    globalThis.client = new lib.Client();
    kept = { events: [], sent: [], closed: 0 };
    for (const type of ["disconnect", "reconnect", "close"]) client.addEventListener(type, () => kept.events.push(type));
    const slow = { start: () => new Promise<void>((resolve) => (kept.open = resolve)), send: async (message: unknown) => void kept.sent.push(message), close: async () => void kept.closed++ };
    let made = 0;
    await client.connect(() => (made++ ? slow : new lib.WebSocketTransport(url)) as any, { delay: 20 });
  }, sockets.url);
  sockets.last().socket.terminate();
  await page.waitForFunction(() => !!kept.open);
  const seen = await page.evaluate(async () => {
    await client.close();
    const { closed } = kept;
    kept.open();
    await new Promise((resolve) => setTimeout(resolve, 50));
    return { before: closed, closed: kept.closed, sent: kept.sent, events: kept.events };
  });
  expect(seen).toEqual({ before: 1, closed: 1, sent: [], events: ["disconnect", "close"] });
});

test("a first attempt that fails is connect()'s failure, and may be repeated", async ({ openPage, sockets, expectNoise }) => {
  expectNoise(refused);
  sockets.handle = speaking("stateless");
  sockets.open = false;
  const page = await openPage();
  expect(await page.evaluate((url) => kit.outcome((globalThis.client = new lib.Client()).connect(() => new lib.WebSocketTransport(url))), sockets.url)).toMatchObject({ code: "closed", data: { code: 1006 } });
  sockets.open = true;
  await page.evaluate((url) => client.connect(() => new lib.WebSocketTransport(url)), sockets.url);
  expect(await page.evaluate(() => client.protocol)).toBe("2026-07-28");
  await page.evaluate(() => client.close());
});

test("the network's coming and going lets the client look at once", async ({ openPage, sockets, expectNoise }) => {
  expectNoise(refused);
  let silent = false;
  sockets.handle = (peer, message) => !silent && speaking("handshake")(peer, message);
  const page = await openPage();
  await page.evaluate(dial, [sockets.url, { patience: 1_000, delay: 600_000, maxDelay: 600_000 }] as const);
  const pings = () => sockets.sent("ping").length;
  await page.evaluate(() => dispatchEvent(new Event("offline")));
  await expect.poll(pings).toBe(1);
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await expect.poll(pings).toBe(2);
  expect(sockets.peers).toHaveLength(1);
  silent = true;
  await page.evaluate(() => dispatchEvent(new Event("offline")));
  await page.waitForFunction(() => kept.events.includes("disconnect"));
  silent = false;
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await page.waitForFunction(() => kept.events.includes("reconnect"));
  expect(sockets.peers).toHaveLength(2);
  // A client that goes over to another carrier while there is none dials the old address no more.
  sockets.last().socket.terminate();
  await page.waitForFunction(() => !client.protocol);
  await page.evaluate((url) => client.switchTo(() => new lib.WebSocketTransport(`${url}/other`)), sockets.url);
  await page.evaluate(() => dispatchEvent(new Event("pageshow")));
  await page.waitForTimeout(100);
  expect(sockets.peers).toHaveLength(3);
  expect(await page.evaluate(() => kept.events)).toEqual(["disconnect", "reconnect", "disconnect", "reconnect"]);
  await page.evaluate(() => client.close());
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await page.waitForTimeout(100);
  expect([sockets.peers.length, pings()]).toEqual([3, 3]);
});

test("a client goes on over another carrier with its tools; two carriers at once are two sessions", async ({ openPage, sockets }) => {
  const answered = (peer: Peer) => peer.messages.filter(({ method }) => method === "tools/call").map(({ params }) => params.name);
  sockets.handle = speaking("stateless", (peer, { id, method, params }) => {
    if (method === "tools/list") peer.answer(id, { resultType: "complete", ttlMs: 0, cacheScope: "private", tools: [{ name: "x", inputSchema: { type: "object" } }] });
    if (method === "tools/call" && params.name !== "wait") peer.answer(id, done);
  });
  const page = await openPage();
  await page.evaluate(async (url) => {
    globalThis.client = new lib.Client({ timeout: 500, limits: { probeTimeout: 100 } });
    kept = { events: [], notices: [] };
    for (const type of ["disconnect", "reconnect", "close"]) client.addEventListener(type, () => kept.events.push(type));
    await client.connect(new lib.WebSocketTransport(url));
    kept.tools = new lib.ToolManager(await client.tools());
    await kept.tools.call("x");
    kept.waiting = kit.outcome(client.callTool("wait", {}, { timeout: 0 }));
    void (async () => {
      for await (const { method } of client.listen({ toolsListChanged: true })) kept.notices.push(method);
    })().catch(() => {});
    await client.switchTo(new lib.WebSocketTransport(url), { patience: 100 });
    await kept.tools.call("x");
  }, sockets.url);
  await expect.poll(() => sockets.peers[0]!.end?.code).toBe(1000);
  await expect.poll(() => sockets.sent("subscriptions/listen").length).toBe(2);
  sockets.last().send({ jsonrpc: "2.0", method: "notifications/tools/list_changed", params: { _meta: { "io.modelcontextprotocol/subscriptionId": sockets.last().messages.find(({ method }) => method === "subscriptions/listen").id } } });
  await page.waitForFunction(() => kept.notices.length === 1);
  expect(sockets.peers.map(answered)).toEqual([["x", "wait"], ["x"]]);
  expect(await page.evaluate(async () => [(await kept.waiting).code, kept.events])).toEqual(["closed", ["disconnect", "reconnect"]]);
  // What cannot be reached is not gone over to.
  const failed = await page.evaluate(async () => [(await kit.outcome(client.switchTo(new lib.MessagePortTransport(new MessageChannel().port1)))).code, kept.events.length, (await client.callTool("x")).content]);
  expect(failed).toEqual(["timeout", 2, done.content]);
  // A second client is another session.
  await page.evaluate(async (url) => {
    const other = new lib.Client();
    await other.connect(new lib.WebSocketTransport(url));
    await other.callTool("other");
    await other.close();
    await client.callTool("mine");
    await client.close();
  }, sockets.url);
  expect(sockets.peers.map(answered)).toEqual([["x", "wait"], ["x", "x", "mine"], ["other"]]);
});

test("a page that is kept for Back leaves the socket, and dials again when it is shown", async ({ openPage, site, sockets }) => {
  sockets.handle = speaking("stateless", (peer, { id, method }) => method === "tools/call" && peer.answer(id, done));
  const page = await keepingPage(openPage, site);
  try {
    await page.evaluate(dial, [sockets.url] as const);
    // The page tells by itself: Playwright loses sight of a page that comes back.
    await page.evaluate(() => {
      addEventListener("pageshow", ({ persisted }) => kept.events.push(persisted ? "kept" : "new"));
      client.addEventListener("reconnect", () => void client.callTool("x", { events: kept.events }));
    });
    await page.goto(site.blank({ body: "elsewhere" }));
    await expect.poll(() => sockets.peers[0]!.end).toEqual({ code: 1000, reason: "pagehide" });
    await sleep(200);
    expect(sockets.peers).toHaveLength(1);
    await page.evaluate(() => setTimeout(() => history.back(), 0));
    await expect.poll(() => sockets.sent("tools/call").map(({ params }) => params.arguments)).toEqual([{ events: ["disconnect", "kept", "reconnect"] }]);
    expect(sockets.peers).toHaveLength(2);
  } finally {
    await page.done();
  }
});
