// What a tool's author must never be able to break: whatever a tool throws or returns, the peer gets
// one clear result, and the next call works. And user code may call back in from anywhere.

import { expect, test } from "./everywhere.ts";

const said = (text: string) => ({ content: [{ type: "text", text }] });
/** The same as a peer of the stateless era gets it. */
const stamp = { resultType: "complete", _meta: { "io.modelcontextprotocol/serverInfo": { name: "modelport", version: expect.any(String) } } };
const failed = (text: string | RegExp) => ({ content: [{ type: "text", text: text instanceof RegExp ? expect.stringMatching(text) : text }], isError: true });

test("whatever a tool throws or rejects with is a result with isError", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const hostile = new Proxy({}, { get() { throw new Error("trap"); }, getPrototypeOf() { throw new Error("trap"); }, has() { throw new Error("trap"); } });
    const { proxy: revoked, revoke } = Proxy.revocable({}, {});
    revoke();
    const thrown: Record<string, unknown> = {
      Error: new Error("boom"), TypeError: new TypeError("bad type"), "no message": new Error(""), string: "just text", "empty string": "",
      undefined: undefined, null: null, number: 42, bigint: 10n, symbol: Symbol("s"), function: function named() {},
      object: { a: 1 }, "message only": { message: "like an error" }, "message 5": { message: 5 }, DOMException: new DOMException("gone", "AbortError"),
      "toString throws": { toString() { throw new Error("no"); } }, "toString answers an object": { toString: () => ({}), valueOf: () => ({}) },
      "message getter throws": { get message() { throw new Error("no"); } }, "null prototype": Object.create(null),
      "hostile proxy": hostile, "revoked proxy": revoked, "lone surrogate": new Error("a\ud800"), long: new Error("x".repeat(100_000)),
    };
    const tools = new lib.ToolManager([{ name: "ok", execute: () => "ok" }]);
    for (const [name, value] of Object.entries(thrown)) {
      tools.add({ name: `throw ${name}`, execute: () => { throw value; } });
      tools.add({ name: `reject ${name}`, execute: () => Promise.reject(value) });
    }
    const peer = await kit.served(tools);
    const results: Record<string, any> = {};
    const differ: string[] = [];
    for (const name of Object.keys(thrown)) {
      const { result } = await peer.request("tools/call", { name: `throw ${name}` });
      const { result: rejected } = await peer.request("tools/call", { name: `reject ${name}` });
      const { result: good } = await peer.request("tools/call", { name: "ok" });
      if (JSON.stringify(result) !== JSON.stringify(rejected) || good.content[0].text !== "ok") differ.push(name);
      results[name] = result;
    }
    results["long"] = results["long"].content[0].text.length;
    return { results, differ };
  });
  expect(seen.differ).toEqual([]);
  const some = failed(/^.+$/s);
  expect(seen.results).toEqual({
    Error: failed("boom"), TypeError: failed("bad type"), "no message": failed("Error"), string: failed("just text"), "empty string": some,
    undefined: failed("undefined"), null: failed("null"), number: failed("42"), bigint: failed("10"), symbol: failed("Symbol(s)"), function: some,
    object: failed("[object Object]"), "message only": failed("like an error"), "message 5": failed("[object Object]"), DOMException: failed("gone"),
    "toString throws": some, "toString answers an object": some, "message getter throws": some, "null prototype": some,
    "hostile proxy": some, "revoked proxy": some, "lone surrogate": some, long: 100_000,
  });
});

test("whatever a tool returns has one result", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const cycle: any = { name: "c" };
    cycle.self = cycle;
    const trap = () => { throw new Error("trap"); };
    const revoked = () => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy; };
    const returned: Record<string, () => unknown> = {
      cycle: () => cycle, BigInt: () => 10n, "BigInt inside": () => ({ n: 1n }), Symbol: () => Symbol("s"), function: () => () => 1, class: () => class A {},
      undefined: () => undefined, null: () => null, true: () => true, NaN: () => NaN, Infinity: () => -Infinity, "-0": () => -0, "empty string": () => "",
      Map: () => new Map([[1, 2]]), Date: () => new Date(0), "invalid Date": () => new Date(NaN), Error: () => new Error("not thrown"),
      "boxed string": () => new String("s"), array: () => [1, undefined, () => 1], "lone surrogate": () => "a\ud800b", "undefined inside": () => ({ a: undefined, b: [undefined] }),
      "hostile proxy": () => new Proxy({}, { get: trap }), "hostile keys": () => new Proxy({}, { ownKeys: trap }), "revoked proxy": revoked,
      "getter throws": () => ({ get a() { throw new Error("getter"); } }),
      "then throws": () => ({ then() { throw new Error("then"); } }), "then getter throws": () => ({ get then() { throw new Error("then getter"); } }),
      "then twice": () => ({ then(yes: any, no: any) { yes("once"); yes("twice"); no(new Error("never")); throw new Error("never"); } }),
      thenable: () => ({ then: (yes: any) => yes({ then: (again: any) => again("deep") }) }), "then 5": () => ({ then: 5 }),
      "toJSON throws": () => ({ toJSON() { throw new Error("toJSON"); } }), "toJSON nothing": () => ({ toJSON() {} }), "toJSON string": () => ({ toJSON: () => "short" }),
      "content proxy": () => ({ content: new Proxy([], { get: trap }) }), "content revoked": () => ({ content: revoked() }), "content of revoked": () => ({ content: [revoked()] }),
      "content of numbers": () => ({ content: [1, 2] }), "content of text 5": () => ({ content: [{ type: "text", text: 5 }] }), "content string": () => ({ content: "x" }),
      "content element getter": () => ({ content: Object.defineProperty([], 0, { get: trap, enumerable: true }) }),
      "content with a function": () => ({ content: [{ type: "text", text: "x", more: () => 1 }] }),
      "window": () => window, "dom node": () => document.body,
    };
    const tools = new lib.ToolManager([{ name: "ok", execute: () => "ok" }]);
    for (const [name, make] of Object.entries(returned)) {
      tools.add({ name, execute: make });
      tools.add({ name: `later ${name}`, execute: async () => make() });
    }
    const peer = await kit.served(tools);
    peer.patience = 500;
    const results: Record<string, any> = {};
    for (const name of tools) {
      const answer = await peer.request("tools/call", { name: name.name }).catch((error) => ({ result: `${error.message}` }) as any);
      const { result: good } = await peer.request("tools/call", { name: "ok" });
      results[name.name] = good?.content?.[0]?.text === "ok" ? (answer.result ?? answer.error) : "the session is dead";
    }
    return results;
  });
  const structured = (value: object) => ({ ...said(JSON.stringify(value)), structuredContent: value });
  const uncarriable = failed(/cannot be carried: ./);
  const expected: Record<string, unknown> = {
    cycle: uncarriable, BigInt: uncarriable, "BigInt inside": uncarriable, Symbol: uncarriable, function: uncarriable, class: uncarriable,
    undefined: { content: [] }, null: said("null"), true: said("true"), NaN: said("NaN"), Infinity: said("-Infinity"), "-0": said("0"), "empty string": said(""),
    Map: structured({}), Date: said("1970-01-01T00:00:00.000Z"), "invalid Date": said("null"), Error: structured({}),
    "boxed string": said("s"), array: said("[1,null,null]"), "lone surrogate": said("a\ud800b"), "undefined inside": { ...said('{"b":[null]}'), structuredContent: { b: [null] } },
    "hostile proxy": failed(/trap/), "hostile keys": failed(/trap/), "revoked proxy": failed(/revoked|cannot be carried/), "getter throws": failed(/getter/),
    "then throws": failed("then"), "then getter throws": failed("then getter"), "then twice": said("once"), thenable: said("deep"), "then 5": structured({ then: 5 }),
    "toJSON throws": failed(/toJSON/), "toJSON nothing": uncarriable, "toJSON string": said("short"),
    "content proxy": failed(/trap/), "content revoked": uncarriable, "content of revoked": uncarriable,
    "content of numbers": structured({ content: [1, 2] }), "content of text 5": structured({ content: [{ type: "text", text: 5 }] }), "content string": structured({ content: "x" }),
    "content element getter": failed(/trap/), "content with a function": { code: -32603, message: "the result cannot be sent: result.content.0.more is of type function, for which JSON has no form." },
    window: failed(/./), "dom node": structured({}),
  };
  const got = Object.fromEntries(Object.keys(expected).map((name) => [name, seen[name]]));
  expect(got, "returned at once").toEqual(expected);
  const later = Object.fromEntries(Object.keys(expected).map((name) => [name, seen[`later ${name}`]]));
  expect(later, "returned by a promise").toEqual(expected);
});

test("a hand-made result that cannot travel as it is still ends its call, in both eras", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const trap = () => { throw new Error("trap"); };
    const content = [{ type: "text", text: "x" }];
    const cycle: any = { content };
    cycle.structuredContent = cycle;
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const returned: Record<string, () => object> = {
      "getter throws": () => ({ content, get extra() { return trap(); } }), "hostile keys": () => new Proxy({ content }, { ownKeys: trap }),
      "structured getter throws": () => ({ content, get structuredContent() { return trap(); } }), "_meta hostile": () => ({ content, _meta: new Proxy({}, { ownKeys: trap, get: trap }) }),
      "_meta null": () => ({ content, _meta: null }), "_meta string": () => ({ content, _meta: "x" }), "_meta revoked": () => ({ content, _meta: proxy }), frozen: () => Object.freeze({ content: Object.freeze(content) }),
      function: () => ({ content, structuredContent: { f: () => 1 } }), symbol: () => ({ content, structuredContent: { s: Symbol("s") } }), cycle: () => cycle, "dom node": () => ({ content, structuredContent: { node: document.body } }),
      "resultType 5": () => ({ content, resultType: 5 }), "isError string": () => ({ content, isError: "yes" }),
    };
    const tools = new lib.ToolManager([{ name: "ok", execute: () => "ok" }, ...Object.entries(returned).map(([name, execute]) => ({ name, execute }))]);
    const trouble: string[] = [];
    for (const protocol of ["2026-07-28", "2025-11-25"] as const) {
      const { client, stop } = lib.createPageServer({ tools, client: { protocol, timeout: 500 } });
      await client.connect();
      for (const name of Object.keys(returned)) {
        const { value, code, message } = await kit.outcome(client.callTool(name));
        // A result, or the protocol's own error: never silence.
        if (!Array.isArray(value?.content) && !["internal-error", "invalid-response"].includes(code)) trouble.push(`${protocol}, ${name}: ${code} ${message}`);
        const good = await kit.outcome(client.callTool("ok"));
        if (good.value?.content[0].text !== "ok") trouble.push(`${protocol}, after ${name}: ${good.code}`);
      }
      stop();
    }
    return trouble;
  });
  expect(seen).toEqual([]);
});

test("a string of 8 MB comes back whole, and with an output schema other JSON is structured too", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const big = "é".repeat(4_000_000) + "x".repeat(4_000_000);
    const tools = new lib.ToolManager([
      { name: "big", execute: () => big },
      { name: "array", outputSchema: { type: "array" }, execute: () => [1] },
      { name: "number", outputSchema: { type: "number" }, execute: () => 5 },
    ]);
    const peer = await kit.served(tools);
    const { result } = await peer.request("tools/call", { name: "big" });
    // The handshake era knows objects only; the stateless one any JSON.
    const both = async (name: string) => [(await peer.request("tools/call", { name })).result, (await peer.request("tools/call", { name, _meta: kit.modernMeta() })).result];
    return { same: result.content[0].text === big, array: await both("array"), number: await both("number") };
  });
  expect(seen.same).toBe(true);
  expect([seen.array[0], seen.number[0]]).toEqual([said("[1]"), said("5")]);
  expect([seen.array[1], seen.number[1]]).toMatchObject([{ ...said("[1]"), structuredContent: [1] }, { ...said("5"), structuredContent: 5 }]);
});

test("a result's toJSON may add, remove and call tools", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const inner: unknown[] = [];
    const tools = new lib.ToolManager([{ name: "ok", execute: () => "ok" }]);
    const { client, stop } = lib.createPageServer({ tools });
    await client.connect();
    tools.add({ name: "tricky", execute: () => ({ toJSON() {
      tools.add({ name: "added", execute: () => "added" });
      tools.remove("tricky");
      inner.push(tools.call("added"), client.callTool("ok"), client.tools().then((list) => list.map(({ name }) => name)));
      return { from: "toJSON" };
    } }) });
    const direct = await tools.call("tricky");
    tools.add({ name: "tricky2", execute: () => ({ toJSON() { tools.clear(); tools.add({ name: "only", execute: () => 1 }); return [1]; } }) });
    const remote = await client.callTool("tricky2");
    const left = (await client.tools()).map(({ name }) => name);
    const settled = await Promise.all(inner);
    stop();
    return { direct, remote, left, settled };
  });
  const object = { ...said('{"from":"toJSON"}'), structuredContent: { from: "toJSON" } };
  expect(seen).toEqual({ direct: object, remote: { ...said("[1]"), ...stamp }, left: ["only"], settled: [said("added"), expect.anything(), expect.anything()] });
});

test("the members of a tool may call back in while it is added, listed and called", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const tools = new lib.ToolManager([{ name: "ok", execute: () => "ok" }]);
    const { client } = lib.createPageServer({ tools });
    await client.connect();
    let calls = 0;
    const reenter = () => {
      calls += 1;
      tools.add({ name: "extra", execute: () => "extra" });
      tools.remove("extra");
      void tools.call("ok");
      void client.callTool("ok");
      return [...tools].length;
    };
    const tool = {
      name: "tricky",
      get description() { reenter(); return "tricky"; },
      get annotations() { reenter(); return { readOnlyHint: true }; },
      inputSchema: { type: "object", toJSON() { reenter(); return { type: "object", properties: {} }; } },
      get execute() { reenter(); return () => "done"; },
    };
    tools.add(tool);
    const atAdd = calls;
    const list = await client.tools();
    const result = await client.callTool("tricky");
    return { some: atAdd > 0 && calls > atAdd, names: list.map(({ name, inputSchema }) => [name, inputSchema]), result };
  });
  expect(seen).toEqual({ some: true, names: [["ok", { type: "object" }], ["tricky", { type: "object", properties: {} }]], result: { ...said("done"), ...stamp } });
});

test("change listeners and progress callbacks may call back in, even to close", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const tools = new lib.ToolManager([{ name: "ok", execute: () => "ok" }]);
    const server = lib.createPageServer({ tools });
    const { client } = server;
    await client.connect();
    const inner: Promise<unknown>[] = [];
    tools.addEventListener("change", ({ added }) => {
      inner.push(client.callTool("ok"), tools.call("ok"));
      if (added.includes("one")) tools.add({ name: "two", execute: () => 2 });
      if (added.includes("two")) tools.remove("one");
    });
    tools.add({ name: "one", execute: () => 1 });
    tools.add({ name: "steps", execute: async (_args, { progress }) => { progress({ progress: 1 }); await new Promise((go) => setTimeout(go, 5)); progress({ progress: 2 }); return "end"; } });
    const during: unknown[] = [];
    const onStep = ({ progress }: { progress: number }) => {
      tools.add({ name: `at ${progress}`, execute: () => 1 });
      inner.push(client.callTool("ok"));
      during.push(progress, [...tools].length);
    };
    const direct = await tools.call("steps", {}, { progress: onStep });
    const remote = await client.callTool("steps", {}, { progress: onStep });
    const closed = await kit.outcome(client.callTool("steps", {}, { progress: () => server.stop() }));
    const settled = await Promise.allSettled(inner);
    return { during, direct, remote, closed: closed.code, names: [...tools].map(({ name }) => name), bad: settled.filter(({ status }) => status === "rejected").length };
  });
  expect(seen).toEqual({ during: [1, 4, 2, 5, 1, 5, 2, 5], direct: said("end"), remote: { ...said("end"), ...stamp }, closed: "closed", names: ["ok", "two", "steps", "at 1", "at 2"], bad: 0 });
});

test("a tool may remove itself, call its own server, and close it, while it runs", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const tools = new lib.ToolManager();
    const page = lib.createPageServer({ tools });
    const { client } = page;
    await client.connect();
    tools.add({ name: "leaf", execute: () => "leaf" });
    tools.add({ name: "self", execute: async () => { tools.remove("self"); return (await client.callTool("leaf")).content; } });
    tools.add({ name: "abort", execute: (_args, { signal }) => new Promise((resolve) => signal.addEventListener("abort", () => { tools.remove("leaf"); void tools.call("closer"); resolve(1); })) });
    const self = await client.callTool("self");
    const gone = await kit.outcome(client.callTool("self"));
    let closed: unknown;
    tools.add({ name: "closer", execute: () => { page.stop(); closed = true; return "closed"; } });
    const abort = kit.outcome(client.callTool("abort"));
    const closer = await kit.outcome(client.callTool("closer"));
    return { self, gone: gone.code, closer: closer.code, abort: (await abort).code, closed, after: (await kit.outcome(client.callTool("leaf"))).code };
  });
  expect(seen).toEqual({ self: { ...said('[{"type":"text","text":"leaf"}]'), ...stamp }, gone: "invalid-params", closer: "closed", abort: "closed", closed: true, after: "closed" });
});

test("a tool that calls itself without end fails, and the next call works", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const tools: InstanceType<typeof lib.ToolManager> = new lib.ToolManager([{ name: "ok", execute: () => "ok" }]);
    let depth = 0;
    tools.add({ name: "endless", execute: () => { depth += 1; return tools.call("endless"); } });
    tools.add({ name: "endless_add", execute: () => { tools.add({ name: "endless_add", execute: tools.get("endless_add")!.execute }); return tools.call("endless_add"); } });
    const peer = await kit.served(tools);
    const seen: unknown[] = [];
    for (const name of ["endless", "endless_add"]) {
      const { result } = await peer.request("tools/call", { name });
      seen.push(result.isError || result.content.length > 0);
      seen.push((await peer.request("tools/call", { name: "ok" })).result.content[0].text, (await tools.call("ok")).content.length, tools.remove(name));
    }
    return { seen, deep: depth > 10 };
  });
  expect(seen).toEqual({ seen: [true, "ok", 1, true, true, "ok", 1, true], deep: true });
});

test("a tool whose schema cannot be written is left out of the list, and the others are shown", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const cycle: any = { type: "object" };
    cycle.properties = { cycle };
    const peer = await kit.served(new lib.ToolManager([
      { name: "good", execute: () => 1 },
      { name: "cycle", inputSchema: cycle, execute: () => "runs" },
      { name: "BigInt", inputSchema: { type: "object", default: 1n }, execute: () => 1 },
      { name: "toJSON", inputSchema: { toJSON() { throw new Error("no"); } }, execute: () => 1 },
      { name: "other", execute: () => 1 },
    ]));
    const list = (await peer.request("tools/list", {})).result.tools.map(({ name }: { name: string }) => name);
    const call = (await peer.request("tools/call", { name: "cycle" })).result.content[0].text;
    return { list, call, faults: peer.faults.map(({ code, message }) => `${code} ${/"(\w+)"/.exec(message)?.[1]}`) };
  });
  expect(seen).toEqual({ list: ["good", "other"], call: "runs", faults: ["cycle", "BigInt", "toJSON"].map((name) => `schema-not-serialisable ${name}`) });
});
