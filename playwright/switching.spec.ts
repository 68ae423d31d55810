// A server and a client that go over to another carrier, over ports and sockets, in both eras: what each side
// saw before, while two carriers are open, and after. What is under way is finished on the old one, for a while.

import { expect, type Tab } from "./everywhere.ts";
import { answer, opening, request, speaking, test, type Era, type Peer, type Sockets } from "./ws_server.ts";

declare global {
  var kept: any;
}

const eras: Era[] = ["stateless", "handshake"];
const text = (words: string) => [{ type: "text", text: words }];
const done = (words: string) => ({ resultType: "complete", content: text(words) });
const refused = /WebSocket connection to .* failed/;

/** A server with a tool that waits for `kept.gate`; what it did and what its session told are in `kept`. */
const prepare = (page: Tab) =>
  page.evaluate(() => {
    const kept = (globalThis.kept = { ran: [], events: [], gate: kit.deferred<string>() } as any);
    kept.tools = new lib.ToolManager([
      { name: "echo", execute: ({ words }) => (kept.ran.push(words), words) },
      { name: "waits", execute: (_, { signal }) => (kept.ran.push("waits"), signal.addEventListener("abort", () => kept.events.push("aborted")), kept.gate.promise) },
    ]);
    kept.server = new lib.Server({ tools: kept.tools });
    kept.serve = async (carrier: any) => {
      kept.session = await kept.server.connect(carrier);
      for (const type of ["disconnect", "reconnect"]) kept.session.addEventListener(type, () => kept.events.push(type));
      void kept.session.closed.then(() => kept.events.push("closed"));
    };
    kept.port = () => {
      const { port1, port2 } = new MessageChannel();
      return [new lib.MessagePortTransport(port1), new kit.Peer(port2)];
    };
  });

/** Serves over a socket, whose other end waits for an answer. */
async function busy(page: Tab, sockets: Sockets, era: Era): Promise<Peer> {
  await prepare(page);
  await page.evaluate((url) => kept.serve(new lib.WebSocketTransport(url)), sockets.url);
  const peer = sockets.last();
  peer.send(opening(era));
  peer.send(request(era, 1, "tools/call", { name: "waits" }));
  await page.waitForFunction(() => kept.ran.length === 1);
  return peer;
}

for (const era of eras) {
  test(`${era}: a server goes over from port to port; what runs is answered over the old one, and new calls over either`, async ({ openPage }) => {
    const page = await openPage();
    await prepare(page);
    const seen = await page.evaluate(
      async ([open, waits, echo]) => {
        const [one, first] = kept.port();
        const [two, second] = kept.port();
        await kept.serve(one);
        first.post(open);
        first.post(waits);
        await kit.until(() => kept.ran.length === 1);
        await kept.session.switchTo(two);
        const both = kept.server.sessions;
        second.post(open);
        // The same id, of another session.
        second.post({ ...echo, id: 1, params: { ...echo.params, arguments: { words: "new" } } });
        await second.answer(1);
        // As long as the old one is there it serves.
        first.post({ ...echo, params: { ...echo.params, arguments: { words: "old" } } });
        await first.answer(2);
        const early = first.frames.some(({ id }: any) => id === 1);
        kept.gate.resolve("finished");
        await first.answer(1);
        await kit.until(() => kept.server.sessions === 1);
        first.post({ ...echo, id: 3 });
        second.post({ ...echo, id: 3 });
        await second.answer(3);
        kept.session.close();
        return { both, early, answers: [first, second].map(({ frames }) => frames.filter(({ id }: any) => Number(id)).map(({ id, result }: any) => [id, result.content[0]?.text])), ran: kept.ran, events: kept.events, sessions: kept.server.sessions };
      },
      [opening(era), request(era, 1, "tools/call", { name: "waits" }), request(era, 2, "tools/call", { name: "echo", arguments: { words: "last" } })] as any[],
    );
    expect(seen).toEqual({ both: 2, early: false, answers: [[[2, "old"], [1, "finished"]], [[1, "new"], [3, "last"]]], ran: ["waits", "new", "old", "last"], events: ["disconnect", "reconnect", "closed"], sessions: 0 });
  });

  test(`${era}: a server goes over from socket to socket; one that cannot be opened changes nothing`, async ({ openPage, sockets, expectNoise }) => {
    expectNoise(refused);
    const page = await openPage();
    const first = await busy(page, sockets, era);

    sockets.open = false;
    const failed = await page.evaluate(async (url) => [(await kit.outcome(kept.session.switchTo(new lib.WebSocketTransport(url)))).code, kept.events, kept.server.sessions], sockets.url);
    expect(failed).toEqual(["closed", [], 1]);
    sockets.open = true;
    first.send(request(era, 2, "tools/call", { name: "echo", arguments: { words: "still" } }));
    expect((await answer(first, 2)).result.content).toEqual(text("still"));

    // The next one serves before the old one is let go of.
    const order: string[] = [];
    first.socket.on("close", () => order.push("first closed"));
    await page.evaluate((url) => kept.session.switchTo(new lib.WebSocketTransport(url)), sockets.url);
    const second = sockets.last();
    second.send(opening(era));
    second.send(request(era, 1, "tools/call", { name: "echo", arguments: { words: "second" } }));
    expect((await answer(second, 1)).result.content).toEqual(text("second"));
    order.push("second answered");
    await page.evaluate(() => kept.gate.resolve("finished"));
    expect((await answer(first, 1)).result.content).toEqual(text("finished"));
    await expect.poll(() => first.end).toEqual({ code: 1000, reason: "" });
    expect(order).toEqual(["second answered", "first closed"]);
    expect(second.end).toBeUndefined();
    expect(await page.evaluate(() => [kept.ran, kept.events, kept.server.sessions])).toEqual([["waits", "still", "second"], ["disconnect", "reconnect"], 1]);
    await page.evaluate(() => kept.server.close());
    await expect.poll(() => second.end?.code).toBe(1000);
  });

  test(`${era}: what runs longer than \`patience\` on the carrier that is left is aborted and not answered`, async ({ openPage, sockets }) => {
    const page = await openPage();
    const first = await busy(page, sockets, era);
    // From a socket to a port, by a function that may be called again.
    const seen = await page.evaluate(async (open) => {
      const peers: any[] = [];
      const make = () => {
        const [carrier, peer] = kept.port();
        peers.push(peer);
        return carrier;
      };
      await kept.session.switchTo(make, { patience: 150, delay: 10 });
      peers[0].post(open);
      await peers[0].answer("open");
      await kit.until(() => kept.events.includes("aborted"));
      return { events: kept.events, sessions: kept.server.sessions };
    }, opening(era));
    expect(seen).toEqual({ events: ["disconnect", "reconnect", "aborted"], sessions: 1 });
    await expect.poll(() => first.end?.code).toBe(1000);
    expect(first.messages.map(({ id }) => id)).toEqual(["open"]);
    // Whoever goes over while something still runs may also end all of it.
    await page.evaluate(async (url) => {
      await kept.session.switchTo(new lib.WebSocketTransport(url));
      await kept.server.close();
    }, sockets.url);
    await expect.poll(() => sockets.last().end?.code).toBe(1000);
    expect(await page.evaluate(() => [kept.events.at(-1), kept.server.sessions])).toEqual(["closed", 0]);
  });

  test(`${era}: a client's calls are answered over the carrier they were made on; its subscriptions go over at once`, async ({ openPage }) => {
    const page = await openPage();
    const seen = await page.evaluate(async (protocol) => {
      let gate = kit.deferred<string>();
      const made = ["one", "two"].map((name) => {
        const tools = new lib.ToolManager([{ name: "who", execute: ({ wait }) => (wait ? gate.promise.then((words) => `${name} ${words}`) : name) }]);
        return { tools, server: new lib.Server({ tools, name }) };
      });
      const [one, two] = made as [(typeof made)[0], (typeof made)[0]];
      const carrier = async ({ server }: (typeof made)[0]) => {
        const { port1, port2 } = new MessageChannel();
        await server.connect(new lib.MessagePortTransport(port1));
        return new lib.MessagePortTransport(port2);
      };
      const client = new lib.Client({ protocol });
      const events: string[] = [];
      for (const type of ["disconnect", "reconnect", "close"]) client.addEventListener(type, () => events.push(type));
      await client.connect(await carrier(one));
      const tools = new lib.ToolManager(await client.tools());
      let notices = 0;
      const subscription = client.listen({ toolsListChanged: true });
      await subscription.granted;
      void (async () => {
        for await (const _ of subscription) notices++;
      })().catch(() => {});
      const call = (wait: boolean) => tools.call("who", { wait }).then((result: any) => result.content[0].text);
      const waiting = call(true);
      await client.switchTo(await carrier(two));
      const after = [await call(false), client.pending > 0, one.server.sessions, two.server.sessions];
      await new Promise((resolve) => setTimeout(resolve, 50));
      // The old server is still connected, and not listened to.
      one.tools.add({ name: "unheard", execute: () => 1 });
      await new Promise((resolve) => setTimeout(resolve, 50));
      two.tools.add({ name: "heard", execute: () => 1 });
      await kit.until(() => notices > 0);
      gate.resolve("finished");
      const finished = await waiting;
      await kit.until(() => one.server.sessions === 0);
      const last = await call(false);
      // What waits when the client is closed is closed with it, on either carrier.
      gate = kit.deferred();
      const gone = kit.outcome(client.callTool("who", { wait: true }));
      await client.switchTo(await carrier(one));
      await client.close();
      return { after, finished, last, notices, gone: (await gone).code, events };
    }, era === "stateless" ? ("2026-07-28" as const) : ("2025-11-25" as const));
    expect(seen).toEqual({ after: ["two", true, 1, 1], finished: "one finished", last: "two", notices: 1, gone: "closed", events: ["disconnect", "reconnect", "disconnect", "reconnect", "close"] });
  });

  test(`${era}: over sockets too: the server hears the old call's end on the old socket, and each call once`, async ({ openPage, sockets }) => {
    sockets.handle = speaking(era, (peer, { id, method, params }) => {
      if (method === "tools/call" && params.name !== "wait") peer.answer(id, done(String(sockets.peers.indexOf(peer))));
    });
    const page = await openPage();
    await page.evaluate(async (url) => {
      const client = new lib.Client();
      kept = { client };
      await client.connect(new lib.WebSocketTransport(url));
      kept.answered = client.callTool("wait");
      kept.stop = new AbortController();
      kept.cancelled = kit.outcome(client.callTool("wait", {}, { signal: kept.stop.signal }));
      kept.lost = kit.outcome(client.callTool("wait", {}, { timeout: 0 }));
      await client.switchTo(new lib.WebSocketTransport(url), { patience: 1_500 });
      kept.next = await client.callTool("x");
      kept.stop.abort(new Error("enough"));
    }, sockets.url);
    const [first, second] = sockets.peers;
    const calls = first!.messages.filter(({ method }) => method === "tools/call").map(({ id }) => id);
    await expect.poll(() => first!.messages.filter(({ method }) => method === "notifications/cancelled").map(({ params }) => params.requestId)).toEqual([calls[1]]);
    expect(second!.messages.some(({ method }) => method === "notifications/cancelled")).toBe(false);
    first!.answer(calls[0], done("in the end"));
    const seen = await page.evaluate(async () => ({ answered: (await kept.answered).content, cancelled: (await kept.cancelled).message, lost: (await kept.lost).code, next: kept.next.content, pending: kept.client.pending }));
    expect(seen).toEqual({ answered: text("in the end"), cancelled: "enough", lost: "closed", next: text("1"), pending: 0 });
    await expect.poll(() => first!.end?.code).toBe(1000);
    expect(second!.messages.filter(({ method }) => method === "tools/call")).toHaveLength(1);
    await page.evaluate(() => kept.client.close());
  });
}

test("two carriers of one server at once are two sessions", async ({ openPage, sockets }) => {
  const page = await openPage();
  await prepare(page);
  await page.evaluate(async (url) => {
    await kept.server.connect(new lib.WebSocketTransport(url));
    const [carrier, peer] = kept.port();
    kept.peer = peer;
    kept.other = await kept.server.connect(carrier);
  }, sockets.url);
  const socket = sockets.last();
  for (const era of eras) {
    // The same ids over both, at the same time, with other words.
    socket.send(request(era, era, "tools/call", { name: "echo", arguments: { words: `socket ${era}` } }));
    const frame = await page.evaluate(async (sent) => (kept.peer.post(sent), kept.peer.answer(sent.id)), request(era, era, "tools/call", { name: "echo", arguments: { words: `port ${era}` } }) as any);
    // Only a shaken hand opens the older era.
    const words = era === "stateless" ? [text("port stateless"), text("socket stateless")] : [undefined, undefined];
    expect([frame.result?.content, (await answer(socket, era)).result?.content]).toEqual(words);
  }
  socket.send(opening("handshake"));
  await answer(socket, "open");
  socket.send(request("handshake", 5, "tools/call", { name: "waits" }));
  const alone = await page.evaluate(async (ping) => {
    await kit.until(() => kept.ran.includes("waits"));
    const both = kept.server.sessions;
    kept.other.close();
    kept.peer.post(ping);
    kept.gate.resolve("finished");
    return [both, kept.server.sessions, kept.peer.frames.filter(({ id }: any) => id === 5).length];
  }, request("handshake", 5, "ping") as any);
  expect(alone).toEqual([2, 1, 0]);
  expect((await answer(socket, 5)).result.content).toEqual(text("finished"));
});

test("a server that goes over while it dials, dials the old address no more", async ({ openPage, sockets, expectNoise }) => {
  expectNoise(refused);
  const page = await openPage();
  await prepare(page);
  await page.evaluate((url) => kept.serve(() => new lib.WebSocketTransport(url)), sockets.url);
  sockets.last().socket.terminate();
  await page.waitForFunction(() => kept.events.includes("disconnect"));
  const seen = await page.evaluate(async (open) => {
    const [carrier, peer] = kept.port();
    await kept.session.switchTo(carrier);
    peer.post(open);
    return (await peer.answer("open")).result !== undefined;
  }, opening("stateless") as any);
  expect(seen).toBe(true);
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await page.waitForTimeout(700);
  expect(sockets.peers).toHaveLength(1);
  expect(await page.evaluate(() => [kept.events, kept.server.sessions])).toEqual([["disconnect", "reconnect"], 1]);
  await page.evaluate(() => kept.session.close());
  expect(await page.evaluate(async () => (await kit.outcome(kept.session.switchTo(kept.port()[0]))).code)).toBe("closed");
});

test("a carrier that is lost in the moment it is taken into use is replaced too", async ({ openPage, sockets }) => {
  sockets.handle = speaking("stateless", (peer, { id, method }) => method === "tools/call" && peer.answer(id, done("fine")));
  const page = await openPage();
  const seen = await page.evaluate(async (url) => {
    const carriers: any[] = [];
    const make = () => (carriers.push(new lib.WebSocketTransport(url)), carriers.at(-1));
    const events: string[] = [];
    /** Loses the first, and the second as soon as it is told of. */
    const follow = async (target: EventTarget) => {
      const from = carriers.length;
      for (const type of ["disconnect", "reconnect"]) target.addEventListener(type, () => events.push(type));
      target.addEventListener("reconnect", () => void carriers.at(-1).close(), { once: true });
      void carriers.at(-1).close();
      await kit.until(() => events.length === 4);
      return [events.splice(0), carriers.length - from];
    };
    const client = new lib.Client();
    await client.connect(make, { delay: 20, ping: 40 });
    const ofClient = await follow(client);
    const { content } = await client.callTool("x");
    await client.close();
    const server = new lib.Server({ tools: new lib.ToolManager() });
    const session = await server.connect(make, { delay: 20 });
    const ofServer = await follow(session);
    const sessions = server.sessions;
    await server.close();
    return { ofClient, content, ofServer, sessions };
  }, sockets.url);
  const twice = [["disconnect", "reconnect", "disconnect", "reconnect"], 2];
  expect(seen).toEqual({ ofClient: twice, content: text("fine"), ofServer: twice, sessions: 1 });
});

test("a client goes from a port to a socket and back, from one era to the other, with the tools it has", async ({ openPage, sockets }) => {
  sockets.handle = speaking("handshake", (peer, { id, method }) => {
    if (method === "tools/call") peer.answer(id, { content: text("from the socket") });
  });
  const page = await openPage();
  const seen = await page.evaluate(async (url) => {
    const server = new lib.Server({ tools: new lib.ToolManager([{ name: "x", execute: () => "from the port" }]), name: "port" });
    const port = async () => {
      const { port1, port2 } = new MessageChannel();
      await server.connect(new lib.MessagePortTransport(port1));
      return new lib.MessagePortTransport(port2);
    };
    const client = new lib.Client();
    await client.connect(port);
    const [tool] = await client.tools();
    const look = async (sessions: number) => {
      const { content } = (await tool!.execute({}, {} as never)) as any;
      // A port's goodbye and a socket's answer come in no order.
      await kit.until(() => server.sessions === sessions, `${sessions} sessions`);
      return [client.protocol, content[0].text];
    };
    const seen = [await look(1)];
    await client.switchTo(() => new lib.WebSocketTransport(url));
    seen.push(await look(0));
    await client.switchTo(port, { delay: 10 });
    seen.push(await look(1));
    await client.close();
    await kit.until(() => server.sessions === 0);
    return seen;
  }, sockets.url);
  expect(seen).toEqual([["2026-07-28", "from the port"], ["2025-11-25", "from the socket"], ["2026-07-28", "from the port"]]);
  await expect.poll(() => sockets.last().end?.code).toBe(1000);
});
