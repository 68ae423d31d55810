// Rules of Streamable HTTP that take several requests: a tool whose headers were not known, a token that
// cannot be had, a call that is given up at each of its points.

import { expect } from "./everywhere.ts";
import { complete, json, speaking, stream, test } from "./http_server.ts";

declare global {
  var client: import("../dist/index.js").Client;
  var kept: any;
}

const ok = (id: unknown, result: object = {}) => ({ jsonrpc: "2.0", id, result: complete(result) });
const status = /the server responded with a status of|net::ERR_/;
const mismatch = (id: unknown) => ({ jsonrpc: "2.0", id, error: { code: -32020, message: "Header mismatch: Mcp-Param-Region is missing" } });

test("a call that was refused for its headers is made again once the list of tools says which it needs", async ({ openPage, http, expectNoise }) => {
  expectNoise(status);
  let ran = 0;
  let asks = "region";
  http.handle = speaking("stateless", ({ headers, message: { id, method, params } }, response) => {
    const annotated = { region: { type: "string", "x-mcp-header": "Region" } };
    if (method === "tools/list") return json(response, ok(id, { tools: [{ name: "x", inputSchema: { type: "object", properties: asks === "region" ? annotated : {} }, outputSchema: { type: "object", required: ["ran"] } }] }));
    if (headers["mcp-param-region"] !== params.arguments.region) return json(response, mismatch(id), 400);
    return json(response, ok(id, { content: [], structuredContent: { ran: ++ran } }));
  });
  const page = await openPage();
  const first = await page.evaluate(async (url) => {
    globalThis.client = new lib.Client();
    await client.connect(new lib.HttpTransport(url));
    return [(await client.callTool("x", { region: "us west" })).structuredContent, (await client.callTool("x", { region: "eu" })).structuredContent];
  }, http.url);
  expect(first).toEqual([{ ran: 1 }, { ran: 2 }]);
  expect(http.story()).toEqual(["server/discover", "tools/call", "tools/list", "tools/call", "tools/call"]);
  const [refused, again] = http.seen.filter(({ message }) => message.method === "tools/call");
  expect(again!.message.id, "another request").not.toBe(refused!.message.id);
  expect(again!.message.params.arguments).toEqual(refused!.message.params.arguments);

  // A list that does not help either leaves the error, after one attempt.
  asks = "nothing";
  const second = await page.evaluate(async () => {
    await client.tools({ fresh: true });
    const outcomes = [await kit.outcome(client.callTool("x", { region: "eu" })), await kit.outcome(client.callTool("x", { region: "eu" }, { signal: AbortSignal.abort(new TypeError("before")) }))];
    return outcomes.map(({ name, code, rpcCode }) => [name, code, rpcCode]);
  });
  expect(second).toEqual([["ModelportError", "header-mismatch", -32020], ["TypeError", undefined, undefined]]);
  expect(http.story().slice(5)).toEqual(["tools/list", "tools/call", "tools/list", "tools/call"]);
  expect(ran).toBe(2);
});

test("a token that cannot be had fails its call and no other; no request is made without it", async ({ openPage, http }) => {
  http.handle = speaking("stateless", ({ message: { id } }, response) => json(response, ok(id, { content: [] })));
  const page = await openPage();
  const seen = await page.evaluate(async (url) => {
    let works = false;
    const token = async () => {
      if (!works) throw new RangeError("signed out");
      return "good";
    };
    const make = () => new lib.HttpTransport(url, { token });
    const first = await kit.outcome(new lib.Client().connect(make()));
    works = true;
    const client = new lib.Client();
    await client.connect(make());
    works = false;
    const call = await kit.outcome(client.callTool("x"));
    works = true;
    const { content } = await client.callTool("y");
    await client.close();
    return { codes: [first, call].map(({ code, message }) => [code, /signed out/.test(message)]), content };
  }, http.url);
  expect(seen).toEqual({ codes: [["send-failed", true], ["send-failed", true]], content: [] });
  expect(http.seen.map(({ headers, message }) => [message.method, headers.authorization])).toEqual([["server/discover", "Bearer good"], ["tools/call", "Bearer good"]]);
});

test("a call that is given up before its answer begins ends its request; one that is given up before it is sent is none", async ({ openPage, http }) => {
  let held = 0;
  http.handle = speaking("stateless", ({ message: { id, params } }, response) => {
    if (params.name === "holds") return void held++;
    if (params.name === "streams") return void stream(response)(": open\n\n");
    return json(response, ok(id, { content: [] }));
  });
  const page = await openPage();
  await page.evaluate(async (url) => {
    const gate = kit.deferred<string>();
    let asked = 0;
    globalThis.client = new lib.Client();
    await client.connect(new lib.HttpTransport(url, { token: () => (asked++ < 3 ? "t" : gate.promise) }));
    const stops = [1, 2, 3].map(() => new AbortController());
    kept = { stops, gate, asked: () => asked };
    kept.calls = ["holds", "streams", "waits for a token"].map((name, index) => kit.outcome(client.callTool(name, {}, { signal: stops[index]!.signal })));
  }, http.url);
  await expect.poll(() => http.seen.length).toBe(3);
  await page.waitForFunction(() => kept.asked() === 4);
  const codes = await page.evaluate(async () => {
    kept.stops.forEach((stop: AbortController) => stop.abort(new TypeError("enough")));
    kept.gate.resolve("late");
    const outcomes = await Promise.all(kept.calls);
    await client.callTool("fine");
    return outcomes.map(({ name }: any) => name);
  });
  expect(codes).toEqual(Array(3).fill("TypeError"));
  expect(held).toBe(1);
  await expect.poll(() => http.seen.map(({ message, gone }) => [message.params.name, gone])).toEqual([[undefined, false], ["holds", true], ["streams", true], ["fine", false]]);
});

test("a session that the server has ended is followed by a new one, and the call that found out is not made again", async ({ openPage, http, expectNoise }) => {
  expectNoise(status);
  let number = 0;
  http.handle = speaking("handshake", ({ verb, headers, message }, response) => {
    if (verb !== "POST") return response.writeHead(405).end();
    if (number === 0) return json(response, { jsonrpc: "2.0", id: null, error: { code: -32001, message: "Session not found" } }, 404);
    return json(response, { jsonrpc: "2.0", id: message.id, result: { content: [{ type: "text", text: headers["mcp-session-id"] }] } });
  });
  const page = await openPage();
  await page.evaluate(async (url) => {
    globalThis.client = new lib.Client();
    kept = { events: [] };
    for (const type of ["disconnect", "reconnect", "close"]) client.addEventListener(type, () => kept.events.push(type));
    await client.connect(() => new lib.HttpTransport(url), { delay: 20 });
  }, http.url);
  expect((await page.evaluate(() => kit.outcome(client.callTool("found out")))).code).toBe("closed");
  number = 1;
  await page.waitForFunction(() => kept.events.includes("reconnect"));
  expect(await page.evaluate(async () => (await client.callTool("after")).content)).toEqual([{ type: "text", text: "session-1" }]);
  expect(http.story().filter((step) => step !== "GET")).toEqual(["server/discover", "initialize", "notifications/initialized", "tools/call", "initialize", "notifications/initialized", "tools/call"]);
  expect(await page.evaluate(() => kept.events)).toEqual(["disconnect", "reconnect"]);
  await page.evaluate(() => client.close());
});

test("a subscription whose stream breaks is made again, until the server ends it or says no", async ({ openPage, http, expectNoise }) => {
  expectNoise(status);
  const listens = () => http.seen.filter(({ message }) => message.method === "subscriptions/listen");
  const streams: { tell(method: string, params?: object): void; end(): void; cut(): void }[] = [];
  http.handle = speaking("stateless", ({ message: { id, params } }, response) => {
    if (listens().length > 5) return json(response, { jsonrpc: "2.0", id, error: { code: -32603, message: "no more" } }, 403);
    const send = stream(response);
    const _meta = { "io.modelcontextprotocol/subscriptionId": id };
    const tell = (method: string, more: object = {}) => send({ jsonrpc: "2.0", method, params: { ...more, _meta } });
    // What the server names as the wait counts here too.
    send("retry: 100\ndata:\n\n");
    tell("notifications/subscriptions/acknowledged", { notifications: params.notifications });
    streams.push({ tell, end: () => (send(ok(id, { _meta })), response.end()), cut: () => response.destroy() });
  });
  const page = await openPage();
  await page.evaluate(async (url) => {
    globalThis.client = new lib.Client();
    kept = { heard: [], ends: [], faults: 0 };
    client.addEventListener("error", () => kept.faults++);
    await client.connect(new lib.HttpTransport(url));
    kept.follow = async () => {
      for await (const { method } of client.listen({ toolsListChanged: true })) kept.heard.push(method);
    };
    void kit.outcome(kept.follow()).then(({ code }) => kept.ends.push(code ?? "ended"));
  }, http.url);
  for (const round of [1, 2, 3]) {
    await expect.poll(() => streams.length).toBe(round);
    streams.at(-1)!.tell("notifications/tools/list_changed");
    await page.waitForFunction((round) => kept.heard.length === round, round);
    if (round < 3) streams.at(-1)!.cut();
  }
  streams.at(-1)!.end();
  await page.waitForFunction(() => kept.ends.length === 1);
  expect(new Set(listens().map(({ message }) => JSON.stringify(message))).size).toBe(1);
  // The next one is refused once it has been cut off twice; who leaves is not followed.
  await page.evaluate(() => void kit.outcome(kept.follow()).then(({ code }) => kept.ends.push(code)));
  for (const round of [4, 5]) {
    await expect.poll(() => streams.length).toBe(round);
    streams.at(-1)!.cut();
  }
  await page.waitForFunction(() => kept.ends.length === 2);
  expect(await page.evaluate(() => [kept.ends, kept.faults, client.pending])).toEqual([["ended", "send-failed"], 0, 0]);
  expect(listens()).toHaveLength(6);
});
