// Where the real browser disagrees with what an older bridge believed of it: rows B1 to B22 of the
// reference, against native Chromium 156. B8, B18 and B20 are told by the stubs.

import { expect, test } from "./world.ts";

test("B1 B2 a name somebody else holds is blocked, untouched, and taken once it is free; letting go never takes another's", async ({ world }) => {
  const seen = await world.owner.evaluate(async () => {
    const other = br.foreign("a", () => "the page's");
    await other.done;
    const bridge = br.bridge();
    const report = await bridge.publish(new lib.ToolManager([br.tool("a", () => "ours")]));
    const { blocked } = bridge.status;
    const before = await br.callRaw("a");
    other.release();
    await br.eventually(() => bridge.status.registered.length === 1, "the freed name");
    const after = JSON.parse(await br.callRaw("a")).content[0].text;
    bridge.destroy();
    const again = br.foreign("a", () => "the page's again");
    await again.done;
    bridge.destroy();
    return { report, blocked, before, after, last: await br.callRaw("a") };
  });
  expect(seen).toMatchObject({ report: { registered: [], blocked: [{ name: "a", by: "script", reason: expect.stringMatching(/./) }] }, blocked: [{ name: "a" }], before: "the page's", after: "ours", last: "the page's again" });
});

test("B3 C15 a burst of 100 registrations is told in a few events, which add up", async ({ world }) => {
  const seen = await world.owner.evaluate(async () => {
    const native = await br.watch();
    const bridge = br.bridge();
    const events = br.hear(bridge, "toolchange");
    await br.quiet();
    await bridge.publish(br.manager(...Array.from({ length: 100 }, (_, index) => `t${index}`)));
    await br.eventually(() => native.count === 100);
    await br.quiet();
    const added = events.flatMap((event) => event.added);
    const burst = events.length;
    bridge.publish(new lib.ToolManager());
    await br.eventually(() => native.count === 200);
    await br.quiet();
    return { burst, added: new Set(added).size, doubled: added.length, all: events.length };
  });
  expect(seen).toEqual({ burst: expect.any(Number), added: 100, doubled: 100, all: expect.any(Number) });
  // Two where nothing else runs: the listing under way and one more.
  expect(seen.burst).toBeLessThanOrEqual(5);
  expect(seen.all - seen.burst).toBeLessThanOrEqual(5);
});

test("B5 C23 what a published tool throws reaches the caller with name and words; a foreign failure is named honestly", async ({ world, expectNoise }) => {
  expectNoise(/WebMCP tool execution failed/);
  const seen = await world.owner.evaluate(async () => {
    const thrown: Record<string, unknown> = { error: new Error("no page /x"), string: "plain words", nothing: undefined, dom: new DOMException("aborted by hand", "AbortError"), object: { message: "from an object" } };
    const tools = Object.entries(thrown).map(([name, value]) => br.tool(name, () => { throw value; }));
    tools.push(br.tool("isError", () => ({ isError: true, content: [{ type: "text", text: "no page /x" }] })));
    await br.bridge().publish(new lib.ToolManager(tools));
    await br.foreign("foreign", () => { throw new Error("lost"); }).done;
    const outcomes: Record<string, any> = {};
    for (const tool of await br.bridge().adopt()) {
      const { code, message } = await kit.outcome(tool.execute({}, br.context()));
      outcomes[tool.name] = [code, message];
    }
    return { outcomes, raw: JSON.parse(await br.callRaw("error")) };
  });
  expect(seen.raw).toEqual({ content: [{ type: "text", text: "no page /x" }], isError: true });
  expect(seen.outcomes).toEqual({
    error: ["tool-error", "no page /x"],
    string: ["tool-error", "plain words"],
    nothing: ["tool-error", expect.any(String)],
    dom: ["tool-error", expect.stringContaining("aborted by hand")],
    object: ["tool-error", expect.any(String)],
    isError: ["tool-error", "no page /x"],
    foreign: ["tool-error", expect.stringMatching(/browser hides why/)],
  });
});

test("B7 C35 arguments: what JSON cannot carry is refused in words, everything else arrives as JSON has it", async ({ world }) => {
  const seen = await world.owner.evaluate(async () => {
    await br.bridge().publish(new lib.ToolManager([br.tool("echo", (input) => ({ input }))]));
    const echo = await br.adopted("echo");
    const cycle: any = {};
    cycle.self = cycle;
    const inputs: Record<string, any> = { odd: { u: undefined, n: NaN, d: new Date(0), m: new Map([[1, 2]]), s: "a\ud800" }, absent: undefined, bigint: { x: 1n }, cycle, list: [1, 2, 3], text: "{}", none: null };
    const outcomes: Record<string, any> = {};
    for (const [name, input] of Object.entries(inputs)) outcomes[name] = await kit.outcome(() => echo.execute(input, br.context()));
    return outcomes;
  });
  expect(seen).toMatchObject({ odd: { value: { input: { n: null, d: "1970-01-01T00:00:00.000Z", m: {}, s: "a\ud800" } } }, absent: { value: { input: {} } }, none: { value: { input: {} } } });
  for (const name of ["bigint", "cycle", "text"]) expect(seen[name].code, name).toBe("invalid-argument");
  expect(seen["bigint"].message).toMatch(/BigInt/i);
  // The registry passes arrays; the tool's own side does not hand one over.
  expect(seen["list"].message).toMatch(/must be an object/);
});

test("B9 B10 C07 C08 every offender is reported at once with its code, and the others are published", async ({ world }) => {
  const names = ["a\u200Bb", "t\u043Eol", "a\uFF0Db", "a b", "a:b", "a/b", "x".repeat(129), "x".repeat(128), "a.b-c_D9"];
  const seen = await world.owner.evaluate(async (names) => {
    const tools = br.manager(...names);
    for (const [name, description] of [["undescribed", undefined], ["empty", ""]] as const) tools.add({ name, ...(description === undefined ? {} : { description }), execute: () => 1 });
    tools.add(br.tool("throws", () => 1, { inputSchema: { type: "object", get properties() { throw new Error("getter"); } } }));
    const exact = await br.bridge().publish(tools);
    const listed = await br.listed();
    const other = br.bridge();
    const mapped = await other.publish(br.manager("a b", "a:b", "a/b", "\u00e9"), { names: "map" });
    const calls: Record<string, unknown> = {};
    for (const [tool, name] of Object.entries(mapped.names)) calls[tool] = JSON.parse(await br.callRaw(name)).content[0].text;
    const mirrored = await br.bridge().publish(new lib.ToolManager([{ name: "mcp", inputSchema: { type: "object" }, annotations: { readOnlyHint: null as any, destructiveHint: true }, execute: () => 1 }]), { descriptions: "fallback" });
    return { exact, listed, mapped, calls, mirrored: mirrored.registered, record: await br.record("mcp") };
  }, names);
  expect(seen.exact.registered).toEqual(["x".repeat(128), "a.b-c_D9"]);
  expect(seen.listed).toEqual(["a.b-c_D9", "x".repeat(128)]);
  const codes = Object.fromEntries(seen.exact.skipped.map(({ name, code }) => [name, code]));
  expect(codes).toEqual({ ...Object.fromEntries(names.slice(0, 7).map((name) => [name, "name-not-carriable"])), undescribed: "description-missing", empty: "description-missing", throws: "schema-not-serialisable" });
  expect(new Set(Object.values(seen.mapped.names)).size).toBe(4);
  for (const name of Object.values(seen.mapped.names)) expect(name).toMatch(/^[\w.-]{1,128}$/);
  expect(seen.calls).toEqual({ "a b": "a b", "a:b": "a:b", "a/b": "a/b", "\u00e9": "\u00e9" });
  expect(seen.mirrored).toEqual(["mcp"]);
  expect(seen.record).toMatchObject({ description: "mcp", annotations: { readOnlyHint: false, consequentialHint: true } });
});

test("B9 a schema whose own type cannot be read is set aside, not published hollow", async ({ world }) => {
  const seen = await world.owner.evaluate(async () => {
    const report = await br.bridge().publish(new lib.ToolManager([br.tool("throws", () => 1, { inputSchema: { required: ["a"], get type() { throw new Error("getter"); } } })]));
    return { report, listed: (await br.records()).map(({ inputSchema }) => inputSchema) };
  });
  expect(seen).toMatchObject({ report: { registered: [], skipped: [{ name: "throws", code: "schema-not-serialisable" }] }, listed: [] });
});

test("B11 a publication that is destroyed under way settles in peace", async ({ world }) => {
  const seen = await world.owner.evaluate(async () => {
    const bridge = br.bridge();
    const plain = bridge.publish(br.manager("a", "b"));
    const strict = kit.outcome(bridge.publish(br.manager("c"), { strict: true }));
    bridge.destroy();
    return { plain: (await plain).registered, strict: (await strict).code };
  });
  expect(seen).toEqual({ plain: [], strict: "closed" });
  await world.sees();
});

test("B13 C11 only: true leaves out this origin, and the origin comes from the browser", async ({ open, site }) => {
  const page = await open({ body: "<iframe></iframe>" });
  await page.evaluate(async (address) => {
    const frame = document.querySelector("iframe")!;
    frame.allow = "tools";
    frame.src = address;
    await new Promise((resolve) => (frame.onload = resolve));
    await br.task(80);
  }, site.blank().replace("localhost", "127.0.0.1"));
  const inner = page.frames()[1]!;
  await inner.evaluate(async (origin) => {
    await document.modelContext.registerTool({ name: "pong", description: "d", execute: () => 1 }, { exposedTo: [origin] });
  }, new URL(page.url()).origin);
  const seen = await page.evaluate(async (there) => {
    await br.foreign("home").done;
    const bridge = br.bridge();
    const names = async (options: object) => (await bridge.adopt(options)).map(({ name, origin }) => [name, origin === there]);
    await br.eventually(async () => (await names({ origins: [there] })).length === 2, "both tools");
    return { none: await names({}), both: await names({ origins: [there] }), only: await names({ origins: [there], only: true }) };
  }, new URL(inner.url()).origin);
  expect(seen).toEqual({ none: [["home", false]], both: [["home", false], ["pong", true]], only: [["pong", true]] });
});

test("B14 all-false hints of strangers say nothing, our own come back as authored", async ({ world }) => {
  const seen = await world.owner.evaluate(async () => {
    const bridge = br.bridge();
    const authored = { readOnlyHint: false, idempotentHint: true, title: "T" };
    await bridge.publish(new lib.ToolManager([br.tool("ours", () => 1, { annotations: authored, _meta: { k: 1 }, outputSchema: { type: "number" } })]));
    await br.foreign("empty", () => 1, { annotations: {} }).done;
    await br.foreign("none").done;
    return (await bridge.adopt()).map(({ name, annotations, _meta, outputSchema }) => [name, annotations, _meta, outputSchema]);
  });
  expect(seen).toEqual([["empty", undefined, undefined, undefined], ["none", undefined, undefined, undefined], ["ours", { readOnlyHint: false, idempotentHint: true, title: "T" }, { k: 1 }, { type: "number" }]]);
});

test("B16 an inert document is refused without a touch, and the renderer lives", async ({ world }) => {
  const seen = await world.owner.evaluate(async () => {
    const inert = [document.implementation.createHTMLDocument(), new DOMParser().parseFromString("<p>", "text/html"), document.implementation.createDocument(null, "x")];
    await br.records();
    const frame = document.body.appendChild(document.createElement("iframe"));
    const detached = frame.contentDocument!;
    frame.remove();
    inert.push(detached as any);
    const answers = [];
    for (const other of inert as Document[]) answers.push([lib.createModelContext({ document: other }) === undefined, (await lib.ModelContext.probe(other)).status]);
    for (const other of [{}, { defaultView: window, modelContext: {} }, { defaultView: window, modelContext: { registerTool: 1, addEventListener: 2 } }]) answers.push([lib.createModelContext({ document: other as any }) === undefined]);
    answers.push([lib.createModelContext({ document }) instanceof lib.ModelContext]);
    return answers;
  });
  expect(seen).toEqual([...Array(4).fill([true, "inactive"]), [true], [true], [true], [true]]);
});

test("B17 a result survives its own registration's end; a tool that is gone says so; a name that is back answers", async ({ world }) => {
  const seen = await world.owner.evaluate(async () => {
    const started = kit.deferred();
    const finish = kit.deferred();
    const tools = new lib.ToolManager([br.tool("slow", async () => { started.resolve(); await finish.promise; return "kept"; })]);
    const bridge = br.bridge();
    await bridge.publish(tools);
    const slow = await br.adopted("slow");
    const call = slow.execute({}, br.context());
    await started.promise;
    tools.clear();
    await br.eventually(async () => (await br.listed()).length === 0);
    finish.resolve();
    const kept = await call;
    const gone = await kit.outcome(slow.execute({}, br.context()));
    await br.foreign("slow", () => "another").done;
    return { kept, gone: gone.code, back: await slow.execute({}, br.context()) };
  });
  expect(seen).toEqual({ kept: "kept", gone: "tool-gone", back: "another" });
});

test("B21 C28 8 MiB travel both ways, whole", async ({ world }) => {
  const seen = await world.owner.evaluate(async () => {
    await br.bridge().publish(new lib.ToolManager([br.tool("echo", (input) => input), br.tool("text", ({ size }) => "é".repeat(size))]));
    const echo: any = await (await br.adopted("echo")).execute({ blob: "x".repeat(8 << 20) }, br.context());
    const text: any = await (await br.adopted("text")).execute({ size: 4 << 20 }, br.context());
    return [echo.blob.length, text.length, text === "é".repeat(4 << 20)];
  });
  expect(seen).toEqual([8 << 20, 4 << 20, true]);
});

test("B22 an origin the registry would refuse is refused before anything is registered, and what was stays", async ({ world }) => {
  const seen = await world.owner.evaluate(async () => {
    const bridge = br.bridge();
    await bridge.publish(br.manager("a"));
    const calls = br.spy("registerTool");
    const codes: Record<string, string> = {};
    for (const origin of ["http://x.example", "*", "null", "", "about:blank", "relative"]) codes[origin] = (await kit.outcome(bridge.publish(br.manager("a", "b"), { origins: [origin] }))).code;
    return { codes: [...new Set(Object.values(codes))], calls: calls.length, status: bridge.status.registered };
  });
  expect(seen).toEqual({ codes: ["origin-refused"], calls: 0, status: ["a"] });
});

test("B33 B34 origins are taken and refused as the browser itself takes and refuses them", async ({ world }) => {
  const seen = await world.owner.evaluate(async () => {
    const origins = [
      ...["https://a.example", "https://a.example:8443/path?query#hash", "https://user:word@a.example", "HTTPS://A.Example", "http://localhost:8080", "http://sub.localhost", "http://127.0.0.1:3000"],
      ...["http://127.9.9.9", "http://[::1]:80", "http://[0:0::0:1]", "https://[2001:db8::1]", "https://[::]", "wss://a.example", "file:///home/me/page.html", "blob:https://a.example/1f2e", "https://b\u00fccher.example"],
      ...["http://x", "http://localhost.example", "http://128.0.0.1", "http://127.0.0.1.example", "*", "null", "", "/path", "a.example", "about:blank", "data:text/html,x", "javascript:1", "custom://x", "https://", "https://a b"],
      ...["https://a:99999", "https://[::1", "https://[1::2::3]", "http://[1::1]", "blob:null", "blob:http://a.example/1", "http://[::2]", "http://127.0.0.256"],
    ];
    const judged: string[] = [];
    const empty = new lib.ToolManager();
    const bridge = br.bridge();
    for (const origin of origins) {
      const controller = new AbortController();
      const theirs = (await kit.outcome(br.registry().registerTool({ name: "probe", description: "d", execute() {} }, { exposedTo: [origin], signal: controller.signal }))).message === undefined;
      controller.abort();
      const ours = (await kit.outcome(bridge.publish(empty, { origins: [origin] }))).code !== "origin-refused";
      if (ours !== theirs) judged.push(`${origin}: ${ours ? "taken" : "refused"}`);
    }
    return { count: origins.length, judged };
  });
  expect(seen).toEqual({ count: 39, judged: [] });
});
