// What becomes of results on their way through the registry (B6, C22, C29, C31, C33).

import { expect, test } from "./world.ts";

/** A result of one text block. */
const text = (text: unknown) => ({ content: [{ type: "text", text }] });

test("B6 C29 nothing a handler returns kills the page or loses the call", async ({ world }) => {
  const seen = await world.owner.evaluate(async () => {
    const cycle: any = {};
    cycle.self = cycle;
    const values: Record<string, () => unknown> = {
      undefined: () => undefined, null: () => null, true: () => true, number: () => 42, zero: () => -0, nan: () => NaN, empty: () => "", text: () => "hello",
      list: () => [1, "a", null], object: () => ({ a: 1, u: undefined }), bigint: () => 10n, bigints: () => ({ deep: [1n] }), cycle: () => cycle, symbol: () => Symbol("s"), symbols: () => ({ s: Symbol("s") }),
      function: () => () => 1, functions: () => ({ f() {} }), map: () => new Map([[1, 2]]), date: () => new Date(0), lone: () => "a\ud800", lones: () => ({ a: "a\ud800" }),
      getter: () => ({ get a() { throw new Error("getter"); } }), toJSON: () => ({ toJSON() { throw new Error("toJSON"); } }), promise: async () => "later", window: () => window, error: () => new Error("as a value"),
    };
    await br.bridge().publish(new lib.ToolManager(Object.entries(values).map(([name, value]) => br.tool(name, value as any))));
    const results: Record<string, any> = {};
    for (const name of Object.keys(values)) results[name] = JSON.parse(await br.callRaw(name));
    return results;
  });
  const fine = { undefined: { content: [] }, null: text("null"), true: text("true"), number: text("42"), zero: text("0"), text: text("hello"), promise: text("later"), date: text("1970-01-01T00:00:00.000Z") };
  expect(seen).toMatchObject(fine);
  expect(seen["empty"].isError).toBeUndefined();
  expect(seen["list"]).toEqual({ ...text('[1,"a",null]'), structuredContent: [1, "a", null] });
  expect(seen["object"]).toEqual({ ...text('{"a":1}'), structuredContent: { a: 1 } });
  expect(seen["map"]).toMatchObject({ structuredContent: {} });
  expect(seen["lones"].structuredContent).toEqual({ a: "a\ud800" });
  expect(seen["lone"].content[0].text).toMatch(/^a./);
  for (const name of ["bigint", "bigints", "cycle", "getter", "toJSON", "window", "symbol", "function"]) expect([name, seen[name].isError, typeof seen[name].content[0].text]).toEqual([name, true, "string"]);
  expect(seen["bigints"].content[0].text).toMatch(/BigInt/i);
  expect(seen["cycle"].content[0].text).toMatch(/itself|circular|cycl/i);
  for (const name of ["symbols", "functions", "nan", "error"]) expect([name, Array.isArray(seen[name].content)]).toEqual([name, true]);
});

test("C22 results in MCP's shape pass, whatever else they hold; what only looks like one is a value", async ({ world }) => {
  const results = [
    { content: [{ type: "text", text: "ok" }], isError: true },
    { content: [{ type: "image", data: "AA==", mimeType: "image/png" }], _meta: { "x.example/k": 1 }, future: true },
    { content: [] },
    { content: "hello" },
    { content: [{ kind: "x" }] },
  ];
  const seen = await world.owner.evaluate(async (results) => {
    await br.bridge().publish(new lib.ToolManager(results.map((result, index) => br.tool(`t${index}`, () => result))));
    const raw: unknown[] = [];
    const adopted: unknown[] = [];
    for (const tool of await br.bridge().adopt()) {
      raw.push(JSON.parse(await br.callRaw(tool.name)));
      const { value, message } = await kit.outcome(tool.execute({}, br.context()));
      adopted.push(message ?? value);
    }
    return { raw, adopted };
  }, results);
  const wrapped = (value: unknown) => ({ ...text(JSON.stringify(value)), structuredContent: value });
  expect(seen.raw).toEqual([results[0], results[1], results[2], wrapped(results[3]), wrapped(results[4])]);
  // A picture has no simpler form than its result.
  expect(seen.adopted).toEqual(["ok", results[1], undefined, results[3], results[4]]);
});

test("an output schema makes any value structured", async ({ world }) => {
  const seen = await world.owner.evaluate(async () => {
    await br.bridge().publish(new lib.ToolManager([br.tool("five", () => 5, { outputSchema: { type: "number" } })]));
    return [JSON.parse(await br.callRaw("five")), await (await br.adopted("five")).execute({}, br.context())];
  });
  expect(seen).toEqual([{ ...text("5"), structuredContent: 5 }, 5]);
});

test("results: raw leaves values and failures to the browser, but no symbol to kill it and no lone surrogate to lose", async ({ world, expectNoise }) => {
  expectNoise(/WebMCP tool execution failed/);
  const seen = await world.owner.evaluate(async () => {
    const values: Record<string, () => unknown> = { object: () => ({ a: 1 }), text: () => "hello", nothing: () => undefined, symbol: () => Symbol("s"), lone: () => "a\ud800", result: () => ({ content: [], isError: true }), fails: () => { throw new Error("boom"); } };
    await br.bridge().publish(new lib.ToolManager(Object.entries(values).map(([name, value]) => br.tool(name, value as any))), { results: "raw" });
    const outcomes: Record<string, any> = {};
    for (const name of Object.keys(values)) {
      const { value, name: error } = await kit.outcome(br.callRaw(name));
      outcomes[name] = error ?? value;
    }
    return outcomes;
  });
  expect(seen).toEqual({ object: '{"a":1}', text: "hello", nothing: "undefined", symbol: "UnknownError", lone: "a\ufffd", result: '{"content":[],"isError":true}', fails: "UnknownError" });
});

test("a stranger's answer is kept as the text it is, digit by digit, and is never parsed unasked", async ({ world }) => {
  const answers = { json: '{"a":1}', number: "42", null: "null", big: '{"addr":7795506888185572399}', words: "plain words", list: "[1,2]", almost: '{"content":"no result"}' };
  const seen = await world.owner.evaluate(async (answers) => {
    for (const [name, answer] of Object.entries(answers)) await br.foreign(name, () => answer).done;
    await br.foreign("ill-formed", () => "a\ud800").done;
    await br.foreign("mcp", () => ({ content: [{ type: "text", text: "a result of its own" }] })).done;
    const outcomes: Record<string, unknown> = {};
    for (const tool of await br.bridge().adopt()) outcomes[tool.name] = await tool.execute({}, br.context());
    return outcomes;
  }, answers);
  expect(seen).toEqual({ ...answers, "ill-formed": null, mcp: "a result of its own" });
});

test("C31 integers over 2^53 keep their digits as text and as a BigInt's refusal, and are never silently another number", async ({ world }) => {
  const seen = await world.owner.evaluate(async () => {
    await br.bridge().publish(new lib.ToolManager([br.tool("text", () => '{"addr":7795506888185572399}'), br.tool("bigint", () => ({ addr: 7795506888185572399n }))]));
    return [await (await br.adopted("text")).execute({}, br.context()), await kit.outcome((await br.adopted("bigint")).execute({}, br.context()))];
  });
  expect(seen).toEqual(['{"addr":7795506888185572399}', expect.objectContaining({ code: "tool-error", message: expect.stringMatching(/BigInt/i) })]);
});

test("C33 null where nothing is meant is left out; unknown members and _meta survive on our own", async ({ world }) => {
  const seen = await world.owner.evaluate(async () => {
    const odd = { annotations: { readOnlyHint: null, futureHint: 1 }, _meta: { "x.example/k": 1 }, title: null, inputSchema: null, outputSchema: null, icons: null };
    const bridge = br.bridge();
    const report = await bridge.publish(new lib.ToolManager([br.tool("odd", () => 1, odd)]));
    const record = await br.record("odd");
    const [own] = await bridge.adopt();
    const { client, stop } = lib.createPageServer({ tools: new lib.ToolManager(await bridge.adopt()) });
    await client.connect();
    const [served] = await client.tools();
    stop();
    return { registered: report.registered, record: [record.title, "inputSchema" in record, "annotations" in record], own, served };
  });
  expect(seen.registered).toEqual(["odd"]);
  expect(seen.record).toEqual(["", false, false]);
  expect(seen.own?._meta).toEqual({ "x.example/k": 1 });
  for (const tool of [seen.own, seen.served]) expect(Object.values(tool ?? {})).not.toContain(null);
  expect(seen.served).toMatchObject({ name: "odd", _meta: { "x.example/k": 1 } });
});
