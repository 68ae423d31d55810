// `WebSocketTransport` against servers on the `ws` package: what is on the wire, limits, watermarks and
// endings. What counts is what the other side saw.

import { expect, loadSdks } from "./everywhere.ts";
import { official, ours, speaking, test, Wire, type Peer } from "./ws_server.ts";

declare global {
  var client: import("../dist/index.js").Client;
  var kept: any;
}

/** What the browser says of a socket that was refused or broke. */
const refused = /WebSocket connection to .* failed/;
const text = (text: string) => [{ type: "text", text }];

for (const [server, protocol, agreed] of [
  ["ours", "auto", "2026-07-28"],
  ["ours", "2025-11-25", "2025-11-25"],
  ["theirs (1.x)", "auto", "2025-11-25"],
] as const) {
  test(`our Client (${protocol}) over a socket works with a server of ${server} in Node`, async ({ openPage, sockets, site }) => {
    const calls: unknown[] = [];
    const aborted: string[] = [];
    let stop = () => {};
    if (server === "ours") {
      const lib = await ours();
      const tools = new lib.ToolManager([
        { name: "echo", description: "Says it again", execute: (args) => (calls.push(args), args.text) },
        { name: "steps", description: "Reports", execute: ({ n }, { progress }) => { for (let step = 1; step <= n; step++) progress({ progress: step }); return "true"; } },
        { name: "wait", description: "Waits", execute: (_, { signal }) => (calls.push("wait"), new Promise(() => signal.addEventListener("abort", () => aborted.push(String(signal.reason))))) },
      ]);
      const node = new lib.Server({ tools });
      sockets.greet = (peer) => node.connect(new Wire(peer) as any);
      stop = () => void node.close();
    } else {
      const observed = official(sockets);
      observed.calls = calls;
      observed.aborted = aborted;
    }
    const page = await openPage();
    const seen = await page.evaluate(async ([url, protocol]) => {
      globalThis.client = new lib.Client({ name: "ours", protocol });
      await client.connect(new lib.WebSocketTransport(url));
      const names = (await client.tools()).map(({ name }) => name);
      const steps: unknown[] = [];
      const results = [await client.callTool("echo", { text: "hi ☃" }), await client.callTool("steps", { n: 3 }, { progress: (step) => steps.push(step.progress) })];
      const big = "é☃".repeat(500_000);
      const back = ((await client.callTool("echo", { text: big })).content[0] as any).text;
      const controller = new AbortController();
      kept = { controller, waiting: client.callTool("wait", {}, { signal: controller.signal }).catch((reason) => reason) };
      return { names, steps, contents: results.map(({ content }) => content), whole: back === big, agreed: client.protocol };
    }, [sockets.url, protocol] as const);
    await expect.poll(() => calls.at(-1)).toBe("wait");
    expect(await page.evaluate(() => (kept.controller.abort("enough"), kept.waiting))).toBe("enough");
    await expect.poll(() => aborted.length).toBe(1);
    await page.evaluate(() => client.close());
    await expect.poll(() => sockets.last().end).toEqual({ code: 1000, reason: "" });
    stop();

    expect(seen.agreed).toBe(agreed);
    expect(seen.names).toEqual(expect.arrayContaining(["echo", "steps", "wait"]));
    expect(seen.steps).toEqual([1, 2, 3]);
    expect(seen.contents).toEqual([text("hi ☃"), text("true")]);
    expect(seen.whole).toBe(true);
    expect(calls).toEqual([{ text: "hi ☃" }, { text: "é☃".repeat(500_000) }, "wait"]);
    expect(sockets.peers.map(({ protocol, origin, binary }) => [protocol, origin, binary])).toEqual([["mcp", new URL(site.url).origin, 0]]);
  });
}

test("a page serves over a socket it dials, and the SDK's 1.x WebSocket client reaches it through a relay", async ({ openPage, sockets }) => {
  // The first connection is the serving page; each message goes to the other one as it is.
  sockets.handle = (peer, message) => sockets.peers.find((other) => other !== peer)?.send(message);
  const page = await openPage();
  await loadSdks(page);
  const seen = await page.evaluate(async (url) => {
    const called: unknown[] = [];
    const tools = new lib.ToolManager([{ name: "add", description: "Adds", inputSchema: { type: "object", properties: { a: { type: "number" } } }, execute: (args) => (called.push(args), { sum: args.a + 1 }) }]);
    const server = new lib.Server({ tools, name: "page" });
    kept = { server };
    await server.connect(new lib.WebSocketTransport(url));
    const theirs = new sdk1.Client({ name: "theirs", version: "1" });
    kept.theirs = theirs;
    await theirs.connect(new sdk1.WebSocketClientTransport(new URL(url)));
    const { tools: listed } = await theirs.listTools();
    const result = await theirs.callTool({ name: "add", arguments: { a: 41 } });
    const changed = kit.deferred();
    theirs.setNotificationHandler(sdk1.ToolListChangedNotificationSchema, () => changed.resolve());
    tools.add({ name: "late", description: "Late", execute: () => "late" });
    await changed.promise;
    return { called, listed: listed.map(({ name }) => name), result: result.structuredContent, server: theirs.getServerVersion()?.name, sessions: server.sessions };
  }, sockets.url);
  expect(seen).toEqual({ called: [{ a: 41 }], listed: ["add"], result: { sum: 42 }, server: "page", sessions: 1 });
  expect(sockets.peers.map(({ protocol }) => protocol)).toEqual(["mcp", "mcp"]);
  // The relay drops the page, and the page's session ends with its socket.
  sockets.peers[0]!.socket.terminate();
  await page.waitForFunction(() => kept.server.sessions === 0);
  await page.evaluate(() => kept.theirs.close());
});

test("subprotocols are offered as told, and a server that selects none is no server", async ({ openPage, sockets, expectNoise }) => {
  expectNoise(refused);
  const page = await openPage();
  const seen = await page.evaluate(async (url) => {
    const open = async (options?: object) => {
      const transport = new lib.WebSocketTransport(url, options);
      const outcome = await kit.outcome(transport.start());
      await transport.close();
      return [outcome.code, outcome.data];
    };
    return { odd: await open({ protocols: ["other", "more"] }), none: await open({ protocols: [] }), bad: await open({ protocols: "a b" }), scheme: (await kit.outcome(new lib.WebSocketTransport("ftp://x").start())).code };
  }, sockets.url);
  expect(seen).toEqual({ odd: [undefined, undefined], none: [undefined, undefined], bad: ["invalid-argument", undefined], scheme: "invalid-argument" });
  expect(sockets.peers.map(({ protocol }) => protocol)).toEqual(["other", ""]);
  sockets.open = false;
  const outcome = await page.evaluate(async (url) => {
    const client = new lib.Client();
    const closed: string[] = [];
    client.addEventListener("close", () => closed.push("close"));
    const failed = await kit.outcome(client.connect(new lib.WebSocketTransport(url)));
    return { failed, closed, used: await kit.outcome(client.callTool("x")) };
  }, sockets.url);
  expect(outcome.failed).toMatchObject({ name: "ModelportError", code: "closed", data: { code: 1006, reason: "" } });
  expect(outcome.closed).toEqual([]);
  expect(outcome.used.code).toBe("not-connected");
});

test("a binary frame ends the connection, unless it is welcome", async ({ openPage, sockets }) => {
  const page = await openPage();
  sockets.greet = ({ socket }) => socket.send(Buffer.from('{"jsonrpc":"2.0","method":"note","params":{"text":"☃"}}'), { binary: true });
  const seen = await page.evaluate(async (url) => {
    const run = async (options: object) => {
      const transport = new lib.WebSocketTransport(url, options);
      const events: unknown[] = [];
      transport.onmessage = (message) => events.push(message.params.text);
      transport.onerror = (error: any) => events.push([error.code, error.data]);
      transport.onclose = () => events.push("close");
      await transport.start();
      await kit.until(() => events.length);
      await new Promise((resolve) => setTimeout(resolve, 50));
      const sent = await kit.outcome(transport.send({ jsonrpc: "2.0", method: "hello" }));
      await transport.close();
      await transport.close();
      return { events, sent: sent.code };
    };
    return [await run({}), await run({ binary: true })];
  }, sockets.url);
  const data = { code: 4003, reason: "text frames only" };
  expect(seen).toEqual([
    { events: [["closed", data], "close"], sent: "closed" },
    { events: ["☃", "close"], sent: undefined },
  ]);
  await expect.poll(() => sockets.peers.map(({ end }) => end)).toEqual([data, { code: 1000, reason: "" }]);
  expect(sockets.peers.map(({ messages }) => messages.length)).toEqual([0, 1]);
});

test("text that is no message is reported and costs nothing else", async ({ openPage, sockets }) => {
  sockets.handle = speaking("stateless", (peer, { id }) => {
    for (const odd of ["", "{", "null", "42", '"text"', "[]", "[1]", "{}", '{"jsonrpc":"1.0","id":1,"result":{}}']) peer.send(odd);
    peer.answer(id, { resultType: "complete", content: text("fine") });
  });
  const page = await openPage();
  const seen = await page.evaluate(async (url) => {
    const client = new lib.Client();
    const faults: string[] = [];
    client.addEventListener("error", (event) => faults.push((event as any).error.code));
    await client.connect(new lib.WebSocketTransport(url));
    const { content } = await client.callTool("x");
    return { content, faults: [...new Set(faults)] };
  }, sockets.url);
  expect(seen.content).toEqual(text("fine"));
  expect(seen.faults).toContain("parse-error");
  expect(sockets.last().end).toBeUndefined();
});

test("a message that is too long costs its call, not the socket", async ({ openPage, sockets }) => {
  const long = "x".repeat(2_000);
  const shapes = [
    `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":{"text":"${long}"}}}`,
    `{"method":"tools/call","params":{"name":"echo","arguments":{"text":"${long}","id":99}},"jsonrpc":"2.0","id":"s-8"}`,
    ` { "method" : "tools/call" , "params" : { "text" : "${long}" } , "id" : 9 , "jsonrpc" : "2.0" } `,
    // Nobody can tell the first cheaply, and the others are no questions: nobody answers.
    `{"params":{"text":"${long}"},"id":10,"method":"tools/call"}`,
    `{"jsonrpc":"2.0","method":"note","params":{"text":"${long}","id":11}}`,
    `{"jsonrpc":"2.0","id":12,"result":{"text":"${long}"}}`,
  ];
  const page = await openPage();
  await page.evaluate(async (url) => {
    const tools = new lib.ToolManager([
      { name: "echo", description: "Says it again", execute: ({ text }) => text },
      { name: "long", description: "Says much", execute: () => "y".repeat(2_000) },
    ]);
    const server = new lib.Server({ tools });
    kept = { faults: [], server };
    server.addEventListener("error", (event) => kept.faults.push((event as any).error.code));
    await server.connect(new lib.WebSocketTransport(url, { maxMessageLength: 1_000 }));
  }, sockets.url);
  const peer = sockets.last();
  for (const shape of shapes) peer.send(shape);
  peer.send({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "n", version: "1" } } });
  peer.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  peer.send({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "long" } });
  peer.send({ jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "echo", arguments: { text: "fine" } } });
  await expect.poll(() => peer.messages.length).toBe(6);
  const told = peer.messages.map(({ id, error, result }) => [id, error?.code ?? (result.content ? result.content[0].text : "hello")]);
  expect(told.sort((a, b) => String(a[0]).localeCompare(String(b[0])))).toEqual([[1, "hello"], [2, -32603], [3, "fine"], [7, -32603], [9, -32603], ["s-8", -32603]]);
  expect(peer.end).toBeUndefined();
  expect(await page.evaluate(() => kept.faults)).toEqual([...Array(6).fill("overflow"), "invalid-request", "send-failed"]);
});

test("a client's long request is not sent, and a long answer settles its call", async ({ openPage, sockets }) => {
  sockets.handle = speaking("stateless", (peer, { id, params }) => {
    const content = text(params.name === "long" ? "y".repeat(3_000) : "fine");
    if (params.name === "long") return peer.send(`{"result":${JSON.stringify({ resultType: "complete", content })},"jsonrpc":"2.0","id":${id}}`);
    peer.answer(id, { resultType: "complete", content });
  });
  const page = await openPage();
  const seen = await page.evaluate(async (url) => {
    const client = new lib.Client();
    await client.connect(new lib.WebSocketTransport(url, { maxMessageLength: 2_000 }));
    const refused = await kit.outcome(client.callTool("x", { text: "z".repeat(2_000) }));
    const lost = await kit.outcome(client.callTool("long"));
    return { refused: refused.code, lost: [lost.code, lost.rpcCode], fine: (await client.callTool("x")).content, pending: client.pending };
  }, sockets.url);
  expect(seen).toEqual({ refused: "send-failed", lost: ["internal-error", -32603], fine: text("fine"), pending: 0 });
  expect(sockets.sent("tools/call")).toHaveLength(2);
  expect(sockets.last().end).toBeUndefined();
});

test("send() waits while too much is buffered, keeps the order, and refuses what nobody could hold", async ({ openPage, sockets }) => {
  const page = await openPage();
  const paused: Peer[] = [];
  sockets.greet = (peer) => (peer.socket.pause(), paused.push(peer));
  await page.evaluate(async (url) => {
    const transport = new lib.WebSocketTransport(url, { highWater: 100_000, maxMessageLength: 8_000_000 });
    await transport.start();
    kept = { transport, sent: 0, outcomes: [] };
    // More than the buffers of the operating system take, and less than the transport holds.
    for (let n = 0; n < 60; n++) kept.outcomes.push(kit.outcome(transport.send({ jsonrpc: "2.0", method: "note", params: { n, text: "x".repeat(250_000) } }).then(() => kept.sent++)));
    kept.outcomes = kept.outcomes.map((outcome: Promise<any>) => outcome.then(({ code }) => code ?? "sent"));
  }, sockets.url);
  await page.waitForTimeout(300);
  const before = await page.evaluate(() => kept.sent);
  expect(before).toBeLessThan(60);
  expect(sockets.last().messages).toHaveLength(0);
  paused[0]!.socket.resume();
  const outcomes: string[] = await page.evaluate(() => Promise.all(kept.outcomes));
  const sent = outcomes.filter((outcome) => outcome === "sent").length;
  expect(outcomes).toEqual([...Array(sent).fill("sent"), ...Array(60 - sent).fill("overflow")]);
  expect(sent).toBeGreaterThan(before);
  expect(sent).toBeLessThan(60);
  await expect.poll(() => sockets.last().messages.length).toBe(sent);
  expect(sockets.last().messages.map(({ params }) => params.n)).toEqual([...Array(sent).keys()]);
  // What still waits at the end is told that it was not sent.
  sockets.last().socket.pause();
  const left = await page.evaluate(async () => {
    const waiting = Array.from({ length: 30 }, () => kit.outcome(kept.transport.send({ jsonrpc: "2.0", method: "late", params: { text: "x".repeat(250_000) } })));
    await new Promise((resolve) => setTimeout(resolve, 100));
    await kept.transport.close();
    return (await Promise.all(waiting)).at(-1).code;
  });
  expect(left).toBe("closed");
});

for (const [how, end, noise] of [
  ["closes with a code and a reason", (peer: Peer) => peer.socket.close(4321, "bye"), false],
  ["breaks", (peer: Peer) => peer.socket.terminate(), true],
] as const) {
  test(`whoever waits hears when the server ${how}`, async ({ openPage, sockets, expectNoise }) => {
    if (noise) expectNoise(refused);
    sockets.handle = speaking("handshake", (peer, { method }) => method === "tools/call" && end(peer));
    const page = await openPage();
    const seen = await page.evaluate(async (url) => {
      const transport = new lib.WebSocketTransport(url);
      const client = new lib.Client();
      const events: unknown[] = [];
      client.addEventListener("error", (event) => events.push([(event as any).error.code, (event as any).error.data]));
      client.addEventListener("close", () => events.push("close"));
      await client.connect(transport);
      const outcomes = await Promise.all([1, 2, 3].map(() => kit.outcome(client.callTool("x"))));
      return { events, outcomes, sent: await kit.outcome(transport.send({})), later: (await kit.outcome(client.callTool("x"))).code, pending: client.pending };
    }, sockets.url);
    const data = noise ? { code: 1006, reason: "" } : { code: 4321, reason: "bye" };
    expect(seen.events).toEqual([["closed", data], "close"]);
    for (const { code, message } of seen.outcomes) {
      expect(code).toBe("closed");
      expect(message).toContain("tools/call was answered: its outcome is unknown");
    }
    expect(seen.sent).toMatchObject({ code: "closed", data });
    expect([seen.later, seen.pending]).toEqual(["closed", 0]);
  });
}
