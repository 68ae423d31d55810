// The bridge to `document.modelContext`, publishing half: which tools are registered, under which
// rules, how later changes are followed, and that nothing but our own is ever released.

import { expect, test, type Page } from "./fixtures.ts";

/** The names in the browser's own registry. */
const registered = (page: Page) => page.evaluate(async () => (await document.modelContext.getTools()).map(({ name }: { name: string }) => name).sort());

/** Counts the browser's own toolchange events from now on: one for each registration and each release. */
const countChanges = (page: Page) => page.evaluate(() => {
  (globalThis as any).changes = 0;
  document.modelContext.addEventListener("toolchange", () => ((globalThis as any).changes += 1));
});
/** What was counted, once the browser has had time to dispatch what is under way. */
const changes = (page: Page) => page.evaluate(async () => {
  for (let last = -1; last !== (globalThis as any).changes; ) {
    last = (globalThis as any).changes;
    await document.modelContext.getTools();
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  return (globalThis as any).changes as number;
});

test("each tool is registered or left out with the code that says why, and none stops the others", async ({ openPage }) => {
  const page = await openPage();
  const report = await page.evaluate(async () => {
    const execute = () => 1;
    const cycle: any = {};
    cycle.properties = cycle;
    const tools = new lib.ToolManager([
      { name: "good", description: "d", execute },
      { name: "no_description", execute },
      { name: "empty_description", description: "", execute },
      { name: "with space", description: "d", execute },
      { name: "smørrebrød", description: "d", execute },
      { name: "x".repeat(129), description: "d", execute },
      { name: "x".repeat(128), description: "d", execute },
      { name: "a.b-c_D9", description: "d", execute },
      { name: "__proto__", description: "d", execute },
      { name: "cycle", description: "d", inputSchema: cycle, execute },
      { name: "schema_throws", description: "d", inputSchema: { toJSON() { throw new Error("no"); } }, execute },
      { name: "null_members", description: "d", title: null, inputSchema: null, annotations: null, execute } as any,
      { name: "last", title: "Last", description: " ", inputSchema: {}, execute },
    ]);
    return lib.createModelContext()!.publish(tools);
  });
  const carriable = ["good", "x".repeat(128), "a.b-c_D9", "__proto__", "null_members", "last"];
  expect(report.registered).toEqual(carriable);
  expect(report.skipped.map(({ name, code }) => [name.slice(0, 18), code])).toEqual([
    ["no_description", "description-missing"], ["empty_description", "description-missing"], ["with space", "name-not-carriable"],
    ["smørrebrød", "name-not-carriable"], ["x".repeat(18), "name-not-carriable"], ["cycle", "schema-not-serialisable"], ["schema_throws", "schema-not-serialisable"],
  ]);
  expect(report).toMatchObject({ unchanged: [], released: [], blocked: [], names: {} });
  expect(report.skipped.every(({ reason }) => reason.length > 0)).toBe(true);
  expect(await registered(page)).toEqual([...carriable].sort());
});

test("strict rejects with the report; mapped names and fallback descriptions let more tools in", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const tools = new lib.ToolManager([
      { name: "good", description: "d", execute: () => "good" },
      { name: "with space", description: "d", execute: () => "mapped" },
      { name: "bare", title: "A title", execute: () => 1 },
    ]);
    const bridge = lib.createModelContext()!;
    const strict = await kit.outcome(bridge.publish(tools, { strict: true }));
    const report = await bridge.publish(tools, { names: "map", descriptions: "fallback" });
    const native = await document.modelContext.getTools();
    const mapped = native.find(({ name }: any) => name === report.names["with space"]);
    const refused = await kit.outcome(bridge.publish(tools, { origins: ["http://example.com"] }));
    return { strict, report, mapped: await document.modelContext.executeTool(mapped, {}), bare: native.find(({ name }: any) => name === "bare").description, refused: refused.code };
  });
  expect(seen.strict).toMatchObject({ name: "ModelportError", code: expect.stringMatching(/^(name-not-carriable|description-missing)$/), data: { skipped: expect.any(Array) } });
  expect([...seen.report.registered, ...seen.report.unchanged].sort()).toEqual(["bare", "good", "with space"]);
  expect(seen.report.names["with space"]).toMatch(/^[\w.-]{1,128}$/);
  expect(JSON.parse(seen.mapped)).toEqual({ content: [{ type: "text", text: "mapped" }] });
  expect(seen.bare).toBe("A title");
  expect(seen.refused).toBe("origin-refused");
});

test("the registry shows what the author wrote, and hands the tool objects", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const inputs: unknown[] = [];
    const inputSchema = { properties: { a: { type: "number" } } };
    const tools = new lib.ToolManager([{
      name: "t", title: "Title", description: "Description", inputSchema, annotations: { readOnlyHint: true, consequentialHint: false, debugging: true, idempotentHint: true },
      execute: (args, context) => { inputs.push([args, Object.prototype.toString.call(args), context.signal.aborted, typeof context.progress, context.caller]); context.progress({ progress: 1 }); return "x"; },
    }]);
    await lib.createModelContext()!.publish(tools);
    const [native] = await document.modelContext.getTools();
    const { window: _, ...shown } = native;
    await document.modelContext.executeTool(native, { a: 1, text: "\ud800" });
    await document.modelContext.executeTool(native, {});
    const list = await kit.outcome(document.modelContext.executeTool(native, [1, 2]));
    return { shown: JSON.parse(JSON.stringify(shown)), inputs, list };
  });
  expect(seen.shown).toMatchObject({
    name: "t", title: "Title", description: "Description", inputSchema: { type: "object", properties: { a: { type: "number" } } },
    annotations: { readOnlyHint: true, consequentialHint: false, debugging: true, untrustedContentHint: false },
  });
  const context = ["[object Object]", false, "function", { via: "registry" }];
  expect(seen.inputs.slice(0, 2)).toEqual([[{ a: 1, text: "\ud800" }, ...context], [{}, ...context]]);
  // An array is no arguments: the tool must not run with one, and the caller must read why.
  expect(seen.inputs).toHaveLength(2);
  expect(JSON.parse(seen.list.value)).toMatchObject({ isError: true });
});

test("raw mode leaves results and failures to the browser", async ({ openPage, expectNoise }) => {
  expectNoise(/WebMCP tool execution failed: Uncaught Error: boom/);
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const tools = new lib.ToolManager([
      { name: "fails", description: "d", execute: () => { throw new Error("boom"); } },
      { name: "object", description: "d", execute: () => ({ a: 1 }) },
      { name: "string", description: "d", execute: async () => "plain" },
    ]);
    await lib.createModelContext()!.publish(tools, { results: "raw" });
    const [fails, object, string] = await document.modelContext.getTools();
    return [await kit.outcome(document.modelContext.executeTool(fails, {})), await document.modelContext.executeTool(object, {}), await document.modelContext.executeTool(string, {})];
  });
  expect(seen).toEqual([expect.objectContaining({ name: "UnknownError", message: expect.stringContaining("invocation failed") }), '{"a":1}', "plain"]);
});

test("a name the page itself holds is blocked, left alone, and taken as soon as it is free", async ({ openPage, openAgent }) => {
  const page = await openPage();
  const agent = await openAgent();
  const report = await page.evaluate(async () => {
    const state: any = globalThis;
    state.own = new AbortController();
    await document.modelContext.registerTool({ name: "taken", description: "The page's own", execute: () => "page" }, { signal: state.own.signal });
    const tools = new lib.ToolManager([{ name: "taken", description: "Ours", execute: () => "ours" }, { name: "free", description: "Ours", execute: () => "ours" }]);
    state.bridge = lib.createModelContext();
    state.reports = [];
    state.bridge.addEventListener("report", ({ report }: any) => state.reports.push(report));
    return state.bridge.publish(tools);
  });
  expect(report).toMatchObject({ registered: ["free"], skipped: [], blocked: [{ name: "taken", by: "script" }] });
  expect((await agent.call("taken")).output).toBe("page");
  await page.evaluate(() => (globalThis as any).own.abort());
  await agent.until(() => agent.tools.get("taken")?.description === "Ours", "our tool to take the name");
  expect((await agent.call("taken")).output).toEqual({ content: [{ type: "text", text: "ours" }] });
  expect(await page.evaluate(() => ({ status: (globalThis as any).bridge.status, reports: (globalThis as any).reports }))).toMatchObject({
    status: { registered: expect.arrayContaining(["taken", "free"]), blocked: [] }, reports: [{ registered: ["taken"] }],
  });
  await page.evaluate(() => (globalThis as any).bridge.destroy());
  await agent.until(() => agent.names.length === 0, "ours to vanish");
});

test("publishing again changes nothing that is right already", async ({ openPage }) => {
  const page = await openPage();
  await page.evaluate(async () => {
    const state: any = globalThis;
    state.tools = new lib.ToolManager([{ name: "a", description: "d", execute: () => 1 }, { name: "b", description: "d", inputSchema: { type: "object" }, execute: () => 1 }]);
    state.bridge = lib.createModelContext();
    state.first = await state.bridge.publish(state.tools);
  });
  await countChanges(page);
  const again = await page.evaluate(async () => {
    const { bridge, tools } = globalThis as any;
    return Promise.all([bridge.publish(tools), bridge.publish(tools)]);
  });
  for (const report of again) expect(report).toMatchObject({ registered: [], unchanged: ["a", "b"], released: [], skipped: [], blocked: [] });
  expect(await changes(page)).toBe(0);
});

test("follows add, remove, replace and clear, each registered exactly once; what did not change keeps its registration", async ({ openPage }) => {
  const page = await openPage();
  await page.evaluate(async () => {
    const state: any = globalThis;
    state.tool = (name: string, description = "d") => ({ name, description, execute: () => `${name} ${description}` });
    state.tools = new lib.ToolManager([state.tool("a"), state.tool("b"), { name: "c", description: "d", execute: () => "first" }]);
    state.bridge = lib.createModelContext();
    await state.bridge.publish(state.tools);
  });
  await countChanges(page);
  const step = async (change: string) => {
    await page.evaluate(`{ const { tools, tool } = globalThis; changes = 0; ${change} }`);
    return { changes: await changes(page), names: await registered(page) };
  };
  expect(await step(`tools.add(tool("d"))`)).toEqual({ changes: 1, names: ["a", "b", "c", "d"] });
  expect(await step(`tools.remove("a")`)).toEqual({ changes: 1, names: ["b", "c", "d"] });
  expect(await step(`tools.add(tool("b", "other words"))`)).toEqual({ changes: 2, names: ["b", "c", "d"] });
  expect(await step(`tools.add({ ...tools.get("c"), execute: () => "second" })`)).toEqual({ changes: 0, names: ["b", "c", "d"] });
  expect(await step(`tools.remove("d"); tools.add(tool("d"))`)).toEqual({ changes: 0, names: ["b", "c", "d"] });
  expect(await step(`tools.add(tool("e")); tools.remove("e")`)).toEqual({ changes: 0, names: ["b", "c", "d"] });
  expect(await step(`tools.add(tool("f")); tools.add(tool("f", "again"))`)).toEqual({ changes: 1, names: ["b", "c", "d", "f"] });
  expect(await step(`tools.add({ name: "mute", execute: () => 1 })`)).toEqual({ changes: 0, names: ["b", "c", "d", "f"] });
  const answers = await page.evaluate(async () => {
    const texts: Record<string, string> = {};
    for (const tool of await document.modelContext.getTools()) texts[tool.name] = JSON.parse(await document.modelContext.executeTool(tool, {})).content[0].text;
    return { texts, status: (globalThis as any).bridge.status };
  });
  expect(answers.texts).toEqual({ b: "b other words", c: "second", d: "d d", f: "f again" });
  expect(answers.status).toMatchObject({ registered: expect.arrayContaining(["b", "c", "d", "f"]), skipped: [{ name: "mute", code: "description-missing" }] });
  expect(await step("tools.clear()")).toEqual({ changes: 4, names: [] });
});

test("another manager takes the place of the first, which is followed no longer", async ({ openPage }) => {
  const page = await openPage();
  const reports = await page.evaluate(async () => {
    const state: any = globalThis;
    const tool = (name: string) => ({ name, description: "d", execute: () => name });
    state.one = new lib.ToolManager([tool("old"), tool("same")]);
    state.two = new lib.ToolManager([{ ...tool("same"), execute: () => "the second's" }, tool("new")]);
    state.bridge = lib.createModelContext();
    return [await state.bridge.publish(state.one), await state.bridge.publish(state.two)];
  });
  expect(reports[1]).toMatchObject({ registered: ["same", "new"], released: ["old"], blocked: [], skipped: [] });
  await page.evaluate(() => (globalThis as any).one.add({ name: "unheard", description: "d", execute: () => 1 }));
  await page.evaluate(() => (globalThis as any).two.add({ name: "heard", description: "d", execute: () => 1 }));
  await expect.poll(() => registered(page)).toEqual(["heard", "new", "same"]);
  const text = await page.evaluate(async () => document.modelContext.executeTool((await document.modelContext.getTools()).find(({ name }: any) => name === "same"), {}));
  expect(JSON.parse(text).content[0].text).toBe("the second's");
});

test("destroy() releases exactly ours, once and for all; another bridge of the page goes on", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const tool = (name: string) => ({ name, description: "d", execute: () => name });
    const [one, two] = [lib.createModelContext()!, lib.createModelContext()!];
    const tools = new lib.ToolManager([tool("a"), tool("shared")]);
    await document.modelContext.registerTool({ name: "page", description: "d", execute: () => 1 });
    await one.publish(tools);
    const second = await two.publish(new lib.ToolManager([tool("b"), tool("shared")]));
    const late = kit.outcome(one.publish(new lib.ToolManager([tool("a"), tool("never")])));
    one.destroy();
    one.destroy();
    one[Symbol.dispose]();
    tools.add(tool("unheard"));
    const names = async () => (await document.modelContext.getTools()).map(({ name }: any) => name).sort().join();
    await kit.until(() => two.status.registered.includes("shared"), "the other bridge to take the name over");
    const settled = (await late).value?.registered ?? (await late).code;
    const codes = [(await kit.outcome(() => one.publish(tools))).code, (await kit.outcome(() => one.adopt())).code];
    const after = await names();
    two.destroy();
    return { second, settled, codes, after, end: await names(), status: one.status };
  });
  expect(seen.second.blocked).toEqual([{ name: "shared", by: "bridge", reason: expect.any(String) }]);
  expect(seen.settled, "a publication under way ends with nothing registered").toEqual([]);
  expect(seen.codes).toEqual(["closed", "closed"]);
  expect(seen.after).toBe("b,page,shared");
  expect(seen.end).toBe("page");
  expect(seen.status).toMatchObject({ registered: [] });
});

test("1,000 tools are registered once each, found again unchanged, and released", async ({ openPage }) => {
  const page = await openPage();
  await countChanges(page);
  const report = await page.evaluate(async () => {
    const state: any = globalThis;
    state.tools = new lib.ToolManager(Array.from({ length: 1000 }, (_, n) => ({ name: `tool_${n}`, description: `Number ${n}`, inputSchema: { type: "object", properties: { [`p${n}`]: {} } }, execute: () => n })));
    state.bridge = lib.createModelContext();
    return state.bridge.publish(state.tools);
  });
  expect(report.registered).toHaveLength(1000);
  expect(await changes(page)).toBe(1000);
  expect(await registered(page)).toHaveLength(1000);
  const again = await page.evaluate(() => (globalThis as any).bridge.publish((globalThis as any).tools));
  expect(again.unchanged).toHaveLength(1000);
  const texts = await page.evaluate(async () => Promise.all((await document.modelContext.getTools()).slice(0, 50).map(async (tool: any) => JSON.parse(await document.modelContext.executeTool(tool, {})).content[0].text === tool.description.slice(7))));
  expect(texts).toEqual(Array(50).fill(true));
  await page.evaluate(() => (globalThis as any).bridge.destroy());
  expect(await changes(page)).toBe(2000);
  expect(await registered(page)).toEqual([]);
});
