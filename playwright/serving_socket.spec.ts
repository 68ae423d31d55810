// A page that serves over a socket it dials: the socket lost and dialled again, the server of it killed and
// started again, the page kept for Back. Whoever is at the other end speaks by hand and says what it got.

import { spawn, type ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { blink, expect, keepingPage, type Tab } from "./everywhere.ts";
import { answer, opening, request, test, type Era } from "./ws_server.ts";

declare global {
  var kept: any;
}

const refused = /WebSocket connection to .* failed/;
const text = (words: string) => [{ type: "text", text: words }];

/** Serves over sockets to that address; everything that happens is noted in `kept`. */
const serve = (page: Pick<Tab, "evaluate">, url: string, options: object = {}) =>
  page.evaluate(
    async ([url, options]) => {
      const kept = (globalThis.kept = { events: [], ran: [], aborted: [], dials: 0 } as any);
      kept.tools = new lib.ToolManager([
        { name: "echo", execute: ({ words }) => (kept.ran.push(words), words) },
        { name: "waits", execute: (_, { signal }) => new Promise(() => (kept.ran.push("waits"), signal.addEventListener("abort", () => kept.aborted.push(signal.reason.message)))) },
      ]);
      kept.server = new lib.Server({ tools: kept.tools, name: "page" });
      kept.server.addEventListener("error", ({ error }: any) => kept.events.push(`error ${error.code}`));
      kept.session = await kept.server.connect(() => (kept.dials++, new lib.WebSocketTransport(url)), { delay: 20, ...options });
      for (const type of ["disconnect", "reconnect"]) kept.session.addEventListener(type, () => kept.events.push(`${type} ${kept.server.sessions}`));
      void kept.session.closed.then(() => kept.events.push("closed"));
    },
    [url, options] as const,
  );

for (const era of ["stateless", "handshake"] as Era[]) {
  test(`${era}: a lost socket is dialled again, with the same tools, and no call goes on that ran on the lost one`, async ({ openPage, sockets, expectNoise }) => {
    expectNoise(refused);
    sockets.greet = (peer) => peer.send(opening(era));
    const page = await openPage();
    await serve(page, sockets.url);
    const first = sockets.last();
    await answer(first, "open");
    first.send(request(era, 1, "tools/call", { name: "waits" }));
    await page.waitForFunction(() => kept.ran.length === 1);
    first.socket.terminate();
    await page.waitForFunction(() => kept.events.includes("reconnect 1"));
    await page.evaluate(() => kept.tools.add({ name: "late", execute: () => "late" }));
    const second = sockets.last();
    await answer(second, "open");
    // The same number is another request here.
    second.send(request(era, 1, "tools/call", { name: "echo", arguments: { words: "again" } }));
    expect((await answer(second, 1)).result.content).toEqual(text("again"));
    second.send(request(era, 2, "tools/list"));
    expect((await answer(second, 2)).result.tools.map(({ name }: any) => name)).toEqual(["echo", "waits", "late"]);
    expect(await page.evaluate(() => [kept.aborted, kept.events, kept.ran])).toEqual([["the session was closed"], ["error closed", "disconnect 0", "reconnect 1"], ["waits", "again"]]);
    expect([sockets.peers.length, second.messages.filter(({ id }) => id === 1).length, first.messages.some(({ id }) => id === 1)]).toEqual([2, 1, false]);

    await page.evaluate(() => kept.session.close());
    await expect.poll(() => second.end).toEqual({ code: 1000, reason: "" });
    await page.waitForTimeout(150);
    expect(sockets.peers).toHaveLength(2);
    expect(await page.evaluate(() => [kept.events.at(-1), kept.server.sessions, kept.dials])).toEqual(["closed", 0, 2]);
  });
}

/** A relay as a process of its own, that prints what it hears: it calls `echo` once it is greeted. */
const relay = (port: number) => `
  import { WebSocketServer } from "ws";
  const server = new WebSocketServer({ host: "127.0.0.1", port: ${port}, handleProtocols: () => "mcp" });
  const say = (value) => process.stdout.write(JSON.stringify(value) + "\\n");
  server.on("listening", () => say({ port: server.address().port }));
  server.on("connection", (socket) => {
    socket.on("message", (data) => say(JSON.parse(String(data))));
    for (const each of [${JSON.stringify(opening("handshake"))}, { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "echo", arguments: { words: String(process.pid) } } }]) socket.send(JSON.stringify(each));
  });
`;

test("a relay that is killed is dialled until it is there again", async ({ openPage, expectNoise }) => {
  expectNoise(refused);
  const heard: any[] = [];
  const running: ChildProcess[] = [];
  const start = async (port: number) => {
    const child = spawn(process.execPath, ["--input-type=module", "-e", relay(port)], { cwd: new URL(".", import.meta.url), stdio: ["ignore", "pipe", "inherit"] });
    running.push(child);
    child.stdout!.on("data", (data) => heard.push(...String(data).trim().split("\n").map((line) => JSON.parse(line))));
    const from = heard.length;
    await expect.poll(() => heard.slice(from).find((each) => each.port)?.port).toBeTruthy();
    return { child, port: heard.slice(from).find((each) => each.port).port as number };
  };
  try {
    const page = await openPage();
    const first = await start(0);
    await serve(page, `ws://127.0.0.1:${first.port}/`, { maxDelay: 200 });
    const said = () => heard.filter(({ id }) => id === 7).map(({ result }) => result.content[0].text);
    await expect.poll(said).toEqual([String(first.child.pid)]);
    first.child.kill("SIGKILL");
    await page.waitForFunction(() => kept.events.includes("disconnect 0") && kept.dials > 3);
    const { child } = await start(first.port);
    await expect.poll(said).toEqual([String(first.child.pid), String(child.pid)]);
    expect(await page.evaluate(() => kept.events)).toEqual(["error closed", "disconnect 0", "reconnect 1"]);
    await page.evaluate(() => kept.server.close());
    child.kill("SIGKILL");
    const dials = await page.evaluate(() => kept.dials);
    await page.waitForTimeout(300);
    expect(await page.evaluate(() => [kept.dials, kept.events.at(-1)])).toEqual([dials, "closed"]);
  } finally {
    for (const child of running) child.kill("SIGKILL");
  }
});

test("attempts that are used up close the session; closing the server between two sockets is the end", async ({ openPage, sockets, expectNoise }) => {
  expectNoise(refused);
  const page = await openPage();
  await serve(page, sockets.url, { attempts: 3 });
  await sockets.stop();
  await page.waitForFunction(() => kept.events.includes("closed"));
  expect(await page.evaluate(async () => [kept.events, kept.dials, kept.server.sessions, (await kit.outcome(kept.session.switchTo(new lib.WebSocketTransport("ws://127.0.0.1:9/")))).code])).toEqual([["error closed", "disconnect 0", "error closed", "closed"], 4, 0, "closed"]);
  // What is there from the start is connect()'s failure, and leaves nothing behind.
  const failed = await page.evaluate(async (url) => [(await kit.outcome(kept.server.connect(() => (kept.dials++, new lib.WebSocketTransport(url))))).code, kept.server.sessions], sockets.url);
  expect(failed).toEqual(["closed", 0]);
  await page.waitForTimeout(150);
  expect(await page.evaluate(() => kept.dials)).toBe(5);

  await sockets.start();
  await serve(page, sockets.url);
  sockets.open = false;
  sockets.last().socket.terminate();
  await page.waitForFunction(() => kept.dials > 2);
  await page.evaluate(() => kept.server.close());
  // What was being dialled then is turned away like those before.
  await page.waitForTimeout(100);
  sockets.open = true;
  const dials = await page.evaluate(() => kept.dials);
  await page.waitForTimeout(200);
  expect(await page.evaluate(() => [kept.dials, kept.events.at(-1)])).toEqual([dials, "closed"]);
  expect(sockets.peers).toHaveLength(1 + 1);
});

test("an offline page waits, and dials at once when the network is back", async ({ openPage, sockets, expectNoise }) => {
  expectNoise(refused);
  const page = await openPage();
  await serve(page, sockets.url, { delay: 600_000, maxDelay: 600_000 });
  sockets.last().socket.terminate();
  await page.waitForFunction(() => kept.events.includes("disconnect 0"));
  await page.waitForTimeout(100);
  expect(sockets.peers).toHaveLength(1);
  await blink(page);
  await page.waitForFunction(() => kept.events.includes("reconnect 1"));
  expect(sockets.peers).toHaveLength(2);
  await page.evaluate(() => kept.server.close());
});

test("a serving page that is kept for Back leaves its socket, and serves again when it is shown", async ({ openPage, site, sockets }) => {
  sockets.greet = (peer) => (peer.send(opening("stateless")), peer.send(request("stateless", 1, "tools/call", { name: "echo", arguments: { words: "hello" } })));
  const page = await keepingPage(openPage, site);
  try {
    await serve(page, sockets.url);
    // The page tells by its tool: Playwright loses sight of a page that comes back.
    await page.evaluate(() => {
      addEventListener("pageshow", ({ persisted }) => kept.events.push(persisted ? "kept" : "new"));
      kept.tools.add({ name: "events", execute: () => ({ events: kept.events }) });
    });
    await answer(sockets.last(), 1);
    await page.goto(site.blank({ body: "elsewhere" }));
    await expect.poll(() => sockets.peers[0]!.end).toEqual({ code: 1000, reason: "pagehide" });
    await sleep(200);
    expect(sockets.peers).toHaveLength(1);
    await page.evaluate(() => setTimeout(() => history.back(), 0));
    await expect.poll(() => sockets.peers.length).toBe(2);
    expect((await answer(sockets.last(), 1)).result.content).toEqual(text("hello"));
    sockets.last().send(request("stateless", 2, "tools/call", { name: "events" }));
    expect((await answer(sockets.last(), 2)).result.structuredContent).toEqual({ events: ["disconnect 0", "kept", "reconnect 1"] });
  } finally {
    await page.done();
  }
});
