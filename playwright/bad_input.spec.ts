// What a peer must never be able to break: every broken frame has its one answer, and the session
// answers a good call afterwards. `Peer.probe` sends a ping after each frame and expects it answered.

import { expect, test } from "./everywhere.ts";

const META = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} };

test("text: malformed JSON is a parse error, foreign text is not fatal, JSON text is served in text", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const peer = await kit.served(new lib.ToolManager([{ name: "ok", execute: () => "ok" }]));
    const answers: Record<string, unknown> = {};
    for (const text of ['{"jsonrpc":', "", "hello", '{"jsonrpc":"2.0","id":1,"method":"ping"}garbage', "\ud800"]) {
      answers[text.slice(0, 8)] = (await peer.probe(text)).map(({ id, error }) => [id ?? null, error.code]);
    }
    let kinds = "";
    peer.port.addEventListener("message", ({ data }) => (kinds += typeof data));
    peer.post(JSON.stringify({ jsonrpc: "2.0", id: "t", method: "tools/call", params: { name: "ok" } }));
    const { result } = await peer.answer("t");
    return { answers, kinds, result, faults: peer.faults.map(({ code }) => code) };
  });
  const refused = [[null, -32700]];
  expect(seen.answers).toEqual({ '{"jsonrp': [...refused], "": refused, hello: refused, "\ud800": refused });
  expect(seen.kinds).toBe("string");
  expect(seen.result).toEqual({ content: [{ type: "text", text: "ok" }] });
  expect(seen.faults).toEqual(Array(5).fill("parse-error"));
});

test("noise that is not JSON-RPC is dropped, batches are refused whole", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    let ran = 0;
    const peer = await kit.served(new lib.ToolManager([{ name: "ok", execute: () => ++ran }]));
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "ok" } };
    const cyclic: any = { hello: 1 };
    cyclic.self = cyclic;
    const noise = [null, undefined, 5, true, 10n, {}, cyclic, { type: "webpack" }, new Date(), new Map(), new ArrayBuffer(8), /x/, new Error("x")];
    const answersToNoise = [];
    for (const frame of noise) answersToNoise.push(...(await peer.probe(frame)));
    const batches = [];
    for (const frame of [[], [call], [call, call], [1, 2], [[]]]) batches.push((await peer.probe(frame)).map(({ id, error }) => [id ?? null, error.code]));
    return { answersToNoise, batches, ran };
  });
  expect(seen).toEqual({ answersToNoise: [], batches: Array(5).fill([[null, -32600]]), ran: 0 });
});

test("every broken request has exactly one answer with its code, under its id where it has one", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async (meta) => {
    const peer = await kit.served(new lib.ToolManager([{ name: "ok", execute: (args) => args }]));
    const request = (more: object) => ({ jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "ok" }, ...more });
    const call = (params: object) => request({ params: { name: "ok", ...params } });
    const frames: Record<string, unknown> = {
      "unknown method": request({ method: "no/such" }),
      "empty method": request({ method: "" }),
      "method __proto__": request({ method: "__proto__" }),
      "unknown method, new era": request({ method: "no/such", params: { _meta: meta } }),
      "method 5": request({ method: 5 }),
      "method null": request({ method: null }),
      "method String object": request({ method: new String("ping") }),
      "jsonrpc 1.0": request({ jsonrpc: "1.0" }),
      "jsonrpc 2": request({ jsonrpc: 2 }),
      "no jsonrpc": request({ jsonrpc: undefined }),
      "id null": request({ id: null }),
      "id 1.9": request({ id: 1.9 }),
      "id true": request({ id: true }),
      "id {}": request({ id: {} }),
      "id []": request({ id: [] }),
      "id NaN": request({ id: NaN }),
      "id Infinity": request({ id: Infinity }),
      "id 2^53": request({ id: 2 ** 53 }),
      "id BigInt": request({ id: 7n }),
      "id Date": request({ id: new Date(0) }),
      "params array": request({ params: [] }),
      "params string": request({ params: "x" }),
      "params 5": request({ params: 5 }),
      "no params": request({ params: undefined }),
      "params null": request({ params: null }),
      "params Map": request({ params: new Map() }),
      "name missing": call({ name: undefined }),
      "name 5": call({ name: 5 }),
      "name null": call({ name: null }),
      "unknown tool": call({ name: "nobody" }),
      "tool __proto__": call({ name: "__proto__" }),
      "tool constructor": call({ name: "constructor" }),
      "arguments null": call({ arguments: null }),
      "arguments string": call({ arguments: '{"a":1}' }),
      "arguments array": call({ arguments: [1] }),
      "arguments 5": call({ arguments: 5 }),
      "arguments true": call({ arguments: true }),
      "arguments BigInt": call({ arguments: 1n }),
      "progressToken 1.5": call({ _meta: { progressToken: 1.5 } }),
      "progressToken {}": call({ _meta: { progressToken: {} } }),
      "cursor made up": request({ method: "tools/list", params: { cursor: "x" } }),
      "version unknown": request({ method: "tools/list", params: { _meta: { ...meta, "io.modelcontextprotocol/protocolVersion": "1999-01-01" } } }),
      "ping in the new era": request({ method: "ping", params: { _meta: meta } }),
      "initialize without version": request({ method: "initialize", params: {} }),
      "neither method nor result": { jsonrpc: "2.0", id: 7 },
      "notification with an id": request({ method: "notifications/initialized" }),
    };
    const answers: Record<string, unknown> = {};
    for (const [what, frame] of Object.entries(frames)) {
      const got = await peer.probe(frame);
      answers[what] = got.map(({ jsonrpc, id, error, result }) => [jsonrpc, id ?? null, error ? error.code : result, typeof error?.message]);
    }
    const good = await peer.request("tools/call", { name: "ok", arguments: { fine: true } });
    return { answers, good: good.result.structuredContent };
  }, META);
  const one = (code: number, id: number | null = 7) => [["2.0", id, code, "string"]];
  expect(seen.answers).toEqual({
    "unknown method": one(-32601), "empty method": one(-32601), "method __proto__": one(-32601), "unknown method, new era": one(-32601),
    "method 5": one(-32600), "method null": one(-32600), "method String object": one(-32600),
    "jsonrpc 1.0": one(-32600), "jsonrpc 2": one(-32600), "no jsonrpc": one(-32600),
    "id null": one(-32600, null), "id 1.9": one(-32600, null), "id true": one(-32600, null), "id {}": one(-32600, null),
    "id []": one(-32600, null), "id NaN": one(-32600, null), "id Infinity": one(-32600, null), "id 2^53": one(-32600, null),
    "id BigInt": one(-32600, null), "id Date": one(-32600, null),
    "params array": one(-32600), "params string": one(-32600), "params 5": one(-32600),
    "no params": one(-32602), "params null": one(-32602), "params Map": one(-32602),
    "name missing": one(-32602), "name 5": one(-32602), "name null": one(-32602),
    "unknown tool": one(-32602), "tool __proto__": one(-32602), "tool constructor": one(-32602),
    "arguments null": one(-32602), "arguments string": one(-32602), "arguments array": one(-32602), "arguments 5": one(-32602),
    "arguments true": one(-32602), "arguments BigInt": one(-32602),
    "progressToken 1.5": one(-32602), "progressToken {}": one(-32602), "cursor made up": one(-32602),
    "version unknown": one(-32022), "ping in the new era": one(-32601), "initialize without version": one(-32602),
    "neither method nor result": one(-32600), "notification with an id": one(-32601),
  });
  expect(seen.good).toEqual({ fine: true });
});

test("unusual but valid ids come back as they went", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const peer = await kit.served(new lib.ToolManager());
    const ids = [0, -1, "", "7", 7, 2 ** 53 - 1, -(2 ** 53 - 1), "é\u0000😀", "x".repeat(100_000), "__proto__"];
    const same = [];
    for (const id of ids) same.push((await peer.request("ping", {}, id)).id === id);
    return same;
  });
  expect(seen).toEqual(Array(10).fill(true));
});

test("an id that UTF-8 cannot hold is echoed as it is or refused, never altered", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const peer = await kit.served(new lib.ToolManager());
    return (await peer.probe({ jsonrpc: "2.0", id: "\ud800", method: "ping" })).map(({ id, error }) => id === "\ud800" || (id == null && error.code === -32600));
  });
  expect(seen).toEqual([true]);
});

test("notifications and answers nobody waits for are never answered", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const peer = await kit.served(new lib.ToolManager());
    const frames = [
      { jsonrpc: "2.0", method: "no/such" },
      { jsonrpc: "2.0", method: "notifications/cancelled" },
      { jsonrpc: "2.0", method: "notifications/cancelled", params: "broken" },
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: null } },
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 404, reason: {} } },
      { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: 1, progress: 1 } },
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 1, result: {} },
      { jsonrpc: "2.0", id: 1, error: { code: 1, message: "x" } },
      { jsonrpc: "2.0", id: null, error: "broken" },
    ];
    const answers = [];
    for (const frame of frames) answers.push(...(await peer.probe(frame)));
    return answers;
  });
  expect(seen).toEqual([]);
});

test("an id in use is refused, and its first owner still gets the answer", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const gate = kit.deferred<string>();
    const peer = await kit.served(new lib.ToolManager([{ name: "wait", execute: () => gate.promise }]));
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "wait" } };
    const first = await peer.probe(call);
    const second = await peer.probe(call);
    gate.resolve("first");
    const answer = await kit.until(() => peer.frames.find(({ id, result }) => id === 1 && result));
    return { first, second: second.map(({ error }) => error.code), answer: answer.result };
  });
  expect(seen).toEqual({ first: [], second: [-32600], answer: { content: [{ type: "text", text: "first" }] } });
});

test("arguments of kinds that JSON lacks are refused by their path, a cycle too, and undefined members are absent", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const kinds: unknown[] = [];
    const peer = await kit.served(new lib.ToolManager([{ name: "kinds", execute: (args) => {
      kinds.push(Object.entries(args).map(([key, value]) => [key, Object.prototype.toString.call(value)].join()));
      return "ok";
    } }]));
    const cyclic: any = {};
    cyclic.self = cyclic;
    for (const args of [{ a: [1, { m: new Map() }] }, { d: new Date(NaN) }, { b: 1n }, { bytes: new ArrayBuffer(2) }, cyclic, new Date(), { __proto__: null, a: 1 }, { u: undefined, list: [undefined, 2] }]) {
      const { result, error } = await peer.request("tools/call", { name: "kinds", arguments: args });
      kinds.push(result?.content[0].text ?? `${error.code} ${error.message}`);
    }
    return kinds;
  });
  expect(seen).toEqual([
    "-32602 params.arguments.a.1.m is of type Map, for which JSON has no form.",
    "-32602 params.arguments.d is of type Date, for which JSON has no form.",
    "-32602 params.arguments.b is of type bigint, for which JSON has no form.",
    "-32602 params.arguments.bytes is of type ArrayBuffer, for which JSON has no form.",
    "-32602 Invalid params: they are nested too deeply, or hold too many values",
    "-32602 params.arguments is of type Date, for which JSON has no form.",
    ["a,[object Number]"], "ok",
    ["list,[object Array]"], "ok",
  ]);
});
