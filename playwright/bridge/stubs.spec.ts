// Older and coming shapes of the registry, in a browser without one of its own.

import { expect, test } from "./world.ts";
import { shaped } from "./stubs.ts";

const shapes = ["chrome147", "chrome148", "chrome149", "chrome150", "different", "undefined", "chrome152", "chrome154", "chrome155", "text_schemas", "chrome159", "chrome160", "polyfill", "polyfill_object"];

for (const shape of shapes) {
  test(`C05 C06 C19 C20 ${shape}: publishes, follows, adopts, calls once, fails, cancels and lets go`, async ({ open }) => {
    const page = await open({ plain: true, scripts: shaped(shape) });
    const seen = await page.evaluate(async () => {
      const inputSchema = { type: "object", properties: { q: { type: "string" } } };
      const { registry, runs } = stub;
      const names = async () => (await registry.getTools()).map(({ name }: any) => name);
      const aborted: string[] = [];
      const tools = new lib.ToolManager([
        br.tool("echo", (input) => ({ input }), { title: "Echo", inputSchema, annotations: { readOnlyHint: true } }),
        br.tool("fails", () => { throw new TypeError("value is not an object"); }),
        br.tool("slow", (_input, { signal }) => new Promise(() => signal.addEventListener("abort", () => aborted.push("slow")))),
        br.tool("with space"),
      ]);
      registry.registerTool({ name: "taken", description: "the page's", execute: () => "page" });
      tools.add(br.tool("taken"));
      const bridge = lib.createModelContext()!;
      const events = br.hear(bridge, "toolactivated", "toolcancel");
      const report = await bridge.publish(tools);
      const listed = await names();
      const adopter = lib.createModelContext()!;
      const adopted = await adopter.adopt();
      const by = (name: string) => adopted.find((tool) => tool.name === name)!;
      const echo = await kit.outcome(by("echo").execute({ q: "é\u2028" }, br.context()));
      const again = await kit.outcome(by("echo").execute({ q: "2" }, br.context()));
      const fails = await kit.outcome(by("fails").execute({}, br.context()));
      const foreign = await kit.outcome(by("taken").execute({}, br.context()));
      const controller = new AbortController();
      const call = kit.outcome(by("slow").execute({}, br.context(controller.signal)));
      await kit.until(() => runs["slow"] === 1);
      await br.task(5);
      controller.abort("bored");
      const slow = await call;
      await br.task(5);
      tools.remove("fails");
      tools.add(br.tool("echo", () => "second", { description: "other" }));
      await kit.until(() => bridge.status.registered.join() === "slow,echo" || bridge.status.registered.join() === "echo,slow");
      const followed = await names();
      const stale = await kit.outcome(by("echo").execute({}, br.context()));
      await br.task(5);
      bridge.destroy();
      await br.task(5);
      const left = await names();
      const { name, title, annotations, inputSchema: schema } = by("echo");
      return { report, listed, echo, again, fails, foreign, slow, aborted, followed, stale, left, runs: { ...runs }, tool: { name, title, annotations, schema }, bare: "inputSchema" in by("slow"), events: events.map(({ type, toolName }) => `${type} ${toolName}`) };
    });
    const toolSignal = await page.evaluate(() => stub.shape.toolSignal);
    expect(seen.report).toMatchObject({ registered: ["echo", "fails", "slow"], skipped: [{ name: "with space", code: "name-not-carriable" }], blocked: [{ name: "taken" }] });
    expect(seen.listed).toEqual(["echo", "fails", "slow", "taken"]);
    expect(seen.tool).toEqual({ name: "echo", title: "Echo", annotations: expect.objectContaining({ readOnlyHint: true }), schema: { type: "object", properties: { q: { type: "string" } } } });
    expect(seen.bare).toBe(false);
    expect([seen.echo, seen.again]).toEqual([{ value: { input: { q: "é\u2028" } } }, { value: { input: { q: "2" } } }]);
    expect(seen.fails).toMatchObject({ code: "tool-error", message: "value is not an object" });
    expect(seen.foreign).toEqual({ value: "page" });
    expect(seen.slow).toMatchObject({ message: "bored" });
    expect(seen.aborted).toEqual(toolSignal ? ["slow"] : []);
    expect(seen.followed).toEqual(["echo", "slow", "taken"]);
    expect(seen.stale).toEqual({ value: "second" });
    expect(seen.left).toEqual(["taken"]);
    expect(seen.runs).toEqual({ echo: 3, fails: 1, slow: 1, taken: 1 });
    const [active, cancel] = ["toolactivated", "toolcancel"];
    expect(seen.events).toEqual([`${active} echo`, `${active} echo`, `${active} fails`, `${active} taken`, `${active} slow`, `${cancel} slow`, `${active} echo`]);
  });
}

test("C05 stuck: where nothing lets go of a tool, it stays and answers that it was withdrawn, and nothing throws", async ({ open }) => {
  const page = await open({ plain: true, scripts: shaped("stuck") });
  const seen = await page.evaluate(async () => {
    const { registry } = stub;
    const bridge = lib.createModelContext()!;
    const tools = br.manager("a", "b");
    await bridge.publish(tools);
    tools.remove("a");
    await kit.until(() => bridge.status.registered.length === 1);
    const call = async (name: string) => JSON.parse(await registry.executeTool((await registry.getTools()).find((tool: any) => tool.name === name), "{}"));
    const removed = await call("a");
    bridge.destroy();
    return [removed, await call("b")];
  });
  const withdrawn = { isError: true, content: [{ type: "text", text: expect.stringContaining("withdrawn") }] };
  expect(seen).toEqual([withdrawn, withdrawn]);
});

for (const [shape, navigator] of [["different", 0], ["chrome150", 0], ["chrome155", 0], ["undefined", 1], ["chrome147", 1]] as const) {
  test(`C06 ${shape}: exactly one registry is used, and navigator is not touched where the document has one`, async ({ open }) => {
    const page = await open({ plain: true, scripts: shaped(shape) });
    const seen = await page.evaluate(async () => {
      await lib.createModelContext()!.publish(br.manager("a"));
      const touched = stub.touched.navigator;
      return { touched: Math.min(touched, 1), here: (await stub.registry.getTools()).length, other: stub.other ? (await stub.other.getTools()).length : 0, probe: (await lib.ModelContext.probe()).status };
    });
    expect(seen).toEqual({ touched: navigator, here: 1, other: 0, probe: "ready" });
  });
}

for (const [shape, message] of [["polyfill", "Failed to execute: value is not an object"], ["polyfill_object", "cannot parse this"]] as const) {
  test(`C19 ${shape}: a tool's own error is not taken for the wrong form of input; it runs once and its words arrive`, async ({ open }) => {
    const page = await open({ plain: true, scripts: shaped(shape) });
    const seen = await page.evaluate(async (message) => {
      stub.registry.registerTool({ name: "odd", description: "d", inputSchema: {}, execute: () => { throw message.startsWith("cannot") ? new DOMException(message, "UnknownError") : new TypeError(message); } });
      const [odd] = await lib.createModelContext()!.adopt();
      return { outcome: await kit.outcome(odd!.execute({}, br.context())), runs: stub.runs["odd"] };
    }, message);
    expect(seen).toEqual({ outcome: expect.objectContaining({ message }), runs: 1 });
  });
}

test("C04 an aborted signal or a bridge that ends at once registers nothing, in every shape", async ({ open }) => {
  for (const shape of ["chrome150", "chrome152", "chrome147"]) {
    const page = await open({ plain: true, scripts: shaped(shape) });
    const seen = await page.evaluate(async () => {
      const bridge = lib.createModelContext()!;
      const publication = bridge.publish(br.manager("a", "b"));
      bridge.destroy();
      const report = await publication;
      await br.task(5);
      return { registered: report.registered, listed: (await stub.registry.getTools()).length };
    });
    expect(seen, shape).toEqual({ registered: [], listed: 0 });
  }
});

test("C20 schemas as object, text, empty text, absent and broken: the good ones are objects, a broken one spoils nobody", async ({ open }) => {
  const page = await open({ plain: true, scripts: shaped("chrome155") });
  const seen = await page.evaluate(async () => {
    const schemas: Record<string, unknown> = { object: { type: "object" }, text: '{"type":"object"}', empty: "", absent: undefined, broken: '{"type":', list: "[]", null: null };
    const base = { description: "d", origin: location.origin, window };
    const getter = Object.defineProperty({ ...base, name: "getter" }, "inputSchema", { enumerable: true, get() { throw new Error("getter"); } });
    const odd = [null, 5, "tool", {}, { ...base, name: 7 }, getter, new Proxy({ ...base, name: "proxy" }, { get() { throw new Error("trap"); } })];
    const records = Object.entries(schemas).map(([name, inputSchema]) => ({ ...base, name, inputSchema }));
    stub.registry.getTools = async () => [...odd, ...records];
    return (await lib.createModelContext()!.adopt()).map((tool) => [tool.name, tool.inputSchema]);
  });
  const good = { type: "object" };
  expect(Object.fromEntries(seen.filter(([name]) => name !== "getter"))).toEqual({ object: good, text: good, empty: undefined, absent: undefined, broken: undefined, list: undefined, null: undefined });
});

test("Chrome 160: a re-registered tool is looked up again; nulls are absent; output schemas come through", async ({ open }) => {
  const page = await open({ plain: true, scripts: shaped("chrome160") });
  const seen = await page.evaluate(async () => {
    const { registry } = stub;
    const controller = new AbortController();
    await registry.registerTool({ name: "a", description: "one", outputSchema: { type: "number" }, execute: () => "old" }, { signal: controller.signal });
    const bridge = lib.createModelContext()!;
    const tools = await bridge.adopt({ live: true });
    const [old] = await bridge.adopt();
    controller.abort();
    const gone = await kit.outcome(old!.execute({}, br.context()));
    await registry.registerTool({ name: "a", description: "one", execute: () => "new" });
    const again = await old!.execute({}, br.context());
    await kit.until(() => tools.get("a")?.outputSchema === undefined && tools.has("a"));
    return { keys: Object.keys(old!).sort(), outputSchema: old!.outputSchema, gone: gone.code, again, live: (await tools.call("a")).content, window: old!.window === window };
  });
  expect(seen).toEqual({
    keys: ["description", "execute", "name", "origin", "originalName", "outputSchema", "own", "window"],
    outputSchema: { type: "number" },
    gone: "tool-gone",
    again: "new",
    live: [{ type: "text", text: "new" }],
    window: true,
  });
});

for (const [shape, expected] of [["chrome152", "window only"], ["chrome155", "both places"]] as const) {
  test(`B20 events fired on ${expected} (${shape}) are told once per call, with the call's number`, async ({ open }) => {
    const page = await open({ plain: true, scripts: shaped(shape) });
    const seen = await page.evaluate(async () => {
      const { registry } = stub;
      const text = stub.shape.input === "text";
      registry.registerTool({ name: "foreign", description: "d", execute: () => 1 });
      const bridge = lib.createModelContext()!;
      const events = br.hear(bridge, "toolactivated", "toolcancel");
      await bridge.publish(new lib.ToolManager([br.tool("a"), br.tool("slow", () => new Promise(() => {}))]));
      const call = async (name: string, options = {}) => registry.executeTool((await registry.getTools()).find((tool: any) => tool.name === name), text ? "{}" : {}, options);
      await Promise.all([call("a"), call("a"), call("foreign")]);
      const controller = new AbortController();
      const slow = call("slow", { signal: controller.signal }).catch(() => {});
      await kit.until(() => events.length >= 4);
      controller.abort();
      await slow;
      await kit.until(() => events.length >= 5);
      await br.task(20);
      return events.map(({ type, toolName, callId }) => [type, toolName, callId]);
    });
    const [first, second, third, slow, cancel] = seen as [string, string, number | undefined][];
    expect([first, second, third].map((event) => event?.slice(0, 2))).toEqual([["toolactivated", "a"], ["toolactivated", "a"], ["toolactivated", "foreign"]]);
    expect(seen).toHaveLength(5);
    expect(first?.[2]).not.toBe(second?.[2]);
    expect([typeof first?.[2], third?.[2], typeof slow?.[2]]).toEqual(["number", undefined, "number"]);
    if (shape === "chrome155") expect(cancel).toEqual(["toolcancel", "slow", slow?.[2]]);
    else expect(cancel?.slice(0, 2)).toEqual(["toolcancel", "slow"]);
  });
}

test("a registry that can register but not list says so, and destroys cleanly", async ({ open }) => {
  const page = await open({ plain: true, scripts: [...shaped("chrome147"), "Object.assign(stub.registry, { getTools: undefined, executeTool: undefined })"] });
  const seen = await page.evaluate(async () => {
    const bridge = lib.createModelContext()!;
    const report = await bridge.publish(br.manager("a"));
    return { report, adopt: await kit.outcome(bridge.adopt()), live: await kit.outcome(bridge.adopt({ live: true })), probe: (await lib.ModelContext.probe()).status };
  });
  expect(seen.report.registered).toEqual(["a"]);
  expect([seen.adopt.code, seen.live.code, seen.probe]).toEqual(["registry-failed", "registry-failed", "ready"]);
});

test("webmcp.md 3.14: a registry that never answers leaves nobody waiting: publish, adopt and live adoption end with registry-failed", async ({ open }) => {
  const page = await open({ plain: true, scripts: [...shaped("chrome155"), "stub.registry.registerTool = stub.registry.getTools = () => new Promise(() => {})"] });
  const seen = await page.evaluate(async () => {
    const bridge = lib.createModelContext()!;
    const [report, adopt, live] = await Promise.all([bridge.publish(br.manager("a", "b")), kit.outcome(bridge.adopt()), kit.outcome(bridge.adopt({ live: true }))]);
    return { report, adopt: adopt.code, live: live.code };
  });
  expect(seen).toMatchObject({ report: { registered: [], skipped: [{ name: "a", code: "registry-failed" }, { name: "b", code: "registry-failed" }] }, adopt: "registry-failed", live: "registry-failed" });
});

test("C05 a refused registration never unregisters the name's owner, be the refusal thrown or rejected", async ({ open }) => {
  for (const promise of [true, false]) {
    const page = await open({ plain: true, scripts: shaped("chrome155") });
    const seen = await page.evaluate(async (promise) => {
      stub.shape.promise = promise;
      stub.registry.unregisterTool = (name: string) => void (br.keep["unregistered"] = name);
      stub.registry.registerTool({ name: "a", description: "d", execute: () => "page" });
      const bridge = lib.createModelContext()!;
      const { blocked } = await bridge.publish(br.manager("a"));
      bridge.destroy();
      return { blocked: blocked.length, unregistered: br.keep["unregistered"] };
    }, promise);
    expect(seen).toEqual({ blocked: 1, unregistered: undefined });
  }
});
