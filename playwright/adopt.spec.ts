// The bridge, adopting half: other documents' tools as ordinary ones, the three events, and the
// documents it must keep its hands off.

import { expect, test } from "./fixtures.ts";

/** A frame whose own plain tools appear a while after load: Chromium 156 may lose earlier ones. */
const frame = `<script>addEventListener("load", () => setTimeout(async () => {
  const tool = (name, execute, more) => document.modelContext.registerTool({ name, description: "In the frame", execute, ...more });
  await tool("foreign", ({ n }) => "frame got " + n, { title: "Foreign", inputSchema: { type: "object", properties: { n: { type: "number" } } }, annotations: { readOnlyHint: true } });
  await tool("foreign_object", () => ({ a: [1] }));
  await tool("foreign_mcp", () => ({ content: [{ type: "text", text: "their own words" }], isError: true }));
  await tool("foreign_throws", () => { throw new Error("hidden"); });
  await tool("foreign_debug", () => 1, { annotations: { debugging: true } });
  await tool("twin", () => "the frame's twin");
  await tool("foreign_waits", (_, { signal }) => new Promise(() => signal.addEventListener("abort", () => parent.document.body.dataset.aborted = "yes")));
  parent.document.body.dataset.frame = "ready";
}, 80))</script>`;

test("adopts its own tools and those of a same-origin frame, as tools", async ({ openPage, site, expectNoise }) => {
  expectNoise(/WebMCP tool execution failed: Uncaught Error: hidden/);
  const page = await openPage({ body: `<iframe src="${site.blank({ body: frame })}"></iframe>` });
  await expect(page.locator("body[data-frame]")).toBeAttached();
  const seen = await page.evaluate(async () => {
    const tools = new lib.ToolManager([
      { name: "ours", title: "Ours", description: "d", outputSchema: { type: "object" }, icons: [{ src: "data:," }], execute: (args) => ({ got: args }) },
      { name: "ours_fails", description: "d", execute: () => { throw new RangeError("too far"); } },
      { name: "ours_text", description: "d", execute: () => "text" },
      { name: "ours_nothing", description: "d", execute: () => {} },
      { name: "twin", description: "d", execute: () => "our twin" },
    ]);
    const bridge = lib.createModelContext()!;
    await bridge.publish(tools);
    const adopted = await bridge.adopt();
    const byName = new Map(adopted.map((tool) => [tool.name, tool]));
    const run = (name: string, args: object = {}) => kit.outcome(byName.get(name)!.execute(args, undefined as any));
    const results: Record<string, any> = {};
    for (const { name } of adopted) if (name !== "foreign_waits") results[name] = await run(name, { n: 5 });
    const owners = adopted.map(({ name, own, origin, originalName, window: owner }) => [name.replace(/^twin.+/, "twin…"), own, origin === location.origin, originalName, owner === window ? "here" : owner === frames[0] ? "frame" : "?"]);
    const { title, description, inputSchema, annotations } = byName.get("foreign")!;
    const names = async (options: object) => (await bridge.adopt(options)).map(({ name }) => name).sort();
    return {
      owners, results, foreign: { title, description, inputSchema, annotations },
      only: { foreign: await names({ own: false, frames: "all" }), here: await names({ frames: "none" }), debug: (await names({ debugging: true })).includes("foreign_debug") },
      twins: adopted.filter(({ originalName }) => originalName === "twin").map(({ name }) => results[name].value).sort(),
      icons: byName.get("ours")!.icons,
    };
  });
  expect(seen.owners.filter(([, own]) => own).map(([name]) => name)).toEqual(["ours", "ours_fails", "ours_nothing", "ours_text", "twin"]);
  expect(seen.owners.find(([name]) => name === "foreign")).toEqual(["foreign", false, true, "foreign", "frame"]);
  expect(seen.owners.find(([name]) => name === "ours")).toEqual(["ours", true, true, "ours", "here"]);
  expect(seen.foreign).toMatchObject({ title: "Foreign", description: "In the frame", inputSchema: { type: "object", properties: { n: { type: "number" } } }, annotations: { readOnlyHint: true } });
  expect(seen.icons).toEqual([{ src: "data:," }]);
  expect(seen.results).toMatchObject({
    ours: { value: { got: { n: 5 } } }, ours_text: { value: "text" }, foreign: { value: "frame got 5" }, foreign_object: { value: '{"a":[1]}' },
    ours_fails: { name: "ModelportError", code: "tool-error", message: "too far" },
    foreign_mcp: { name: "ModelportError", code: "tool-error", message: "their own words" },
    foreign_throws: { name: "ModelportError", code: "tool-error" },
  });
  expect(seen.results["ours_nothing"]).toEqual({ value: undefined });
  expect(seen.twins).toEqual(["our twin", "the frame's twin"]);
  expect(seen.only.foreign).toEqual(["foreign", "foreign_mcp", "foreign_object", "foreign_throws", "foreign_waits", "twin"].sort());
  expect(seen.only.here).toEqual(["ours", "ours_fails", "ours_nothing", "ours_text", "twin"]);
  expect(seen.only.debug).toBe(true);
});

test("an adopted call is cancelled by its caller's signal, and a tool that is gone says so", async ({ openPage, site }) => {
  const page = await openPage({ body: `<iframe src="${site.blank({ body: frame })}"></iframe>` });
  await expect(page.locator("body[data-frame]")).toBeAttached();
  const seen = await page.evaluate(async () => {
    const bridge = lib.createModelContext()!;
    const controller = new AbortController();
    const byName = new Map((await bridge.adopt()).map((tool) => [tool.name, tool]));
    const waiting = Promise.resolve(byName.get("foreign_waits")!.execute({}, { signal: controller.signal } as any)).catch((reason: unknown) => reason);
    const activated = new Promise((resolve) => frames[0]!.document.modelContext.addEventListener("toolactivated", resolve, { once: true }));
    await activated;
    const reason = new Error("enough");
    controller.abort(reason);
    const same = (await waiting) === reason;
    const own = new AbortController();
    await document.modelContext.registerTool({ name: "brief", description: "d", execute: () => 1 }, { signal: own.signal });
    const brief = (await bridge.adopt()).find(({ name }) => name === "brief")!;
    own.abort();
    const gone = await kit.outcome(brief.execute({}, undefined as any));
    document.querySelector("iframe")!.remove();
    const removed = await kit.outcome(byName.get("foreign")!.execute({}, undefined as any));
    const left = (await bridge.adopt()).length;
    return { same, gone: gone.code, removed: removed.code, left };
  });
  expect(seen).toEqual({ same: true, gone: "tool-gone", removed: "tool-gone", left: 0 });
});

test("adopted tools are ordinary: they can be served to an MCP client and published by another name", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    await document.modelContext.registerTool({ name: "plain", description: "Plain", execute: ({ n }: any) => `plain ${n}` });
    const bridge = lib.createModelContext()!;
    const [plain] = await bridge.adopt();
    const tools = new lib.ToolManager([plain!, { ...plain!, name: "renamed" }]);
    const { client, stop } = lib.createPageServer({ tools });
    await client.connect();
    const list = (await client.tools()).map(({ name, description }) => [name, description]);
    const served = (await client.callTool("renamed", { n: 1 })).content;
    const report = await bridge.publish(tools);
    const native = (await document.modelContext.getTools()).find(({ name }: any) => name === "renamed");
    const round = JSON.parse(await document.modelContext.executeTool(native, { n: 2 })).content;
    stop();
    bridge.destroy();
    return { list, served, report, round };
  });
  expect(seen.list).toEqual([["plain", "Plain"], ["renamed", "Plain"]]);
  expect(seen.served).toEqual([{ type: "text", text: "plain 1" }]);
  expect(seen.report).toMatchObject({ registered: ["renamed"], blocked: [{ name: "plain" }] });
  expect(seen.round).toEqual([{ type: "text", text: "plain 2" }]);
});

test("toolchange, toolactivated and toolcancel are fired again with their tools' names, until destroy()", async ({ openPage, openAgent }) => {
  const page = await openPage();
  const agent = await openAgent();
  await page.evaluate(async () => {
    const state: any = globalThis;
    state.events = [];
    state.tools = new lib.ToolManager([{ name: "quick", description: "d", execute: () => 1 }, { name: "slow", description: "d", execute: () => new Promise(() => {}) }]);
    state.bridge = lib.createModelContext();
    for (const type of ["toolchange", "toolactivated", "toolcancel"]) {
      state.bridge.addEventListener(type, (event: any) => state.events.push([event.type, event.toolName ?? "", event instanceof Event]));
    }
    await state.bridge.publish(state.tools);
  });
  const events = () => page.evaluate(() => (globalThis as any).events.splice(0));
  const drained: unknown[] = [];
  const heard = async (kind: string, name?: string) => {
    await expect.poll(async () => (drained.push(...(await events())), drained.some(([type, tool]: any) => type === kind && (name === undefined || tool === name))), { message: `${kind} ${name ?? ""}` }).toBe(true);
  };
  await heard("toolchange");
  await agent.call("quick");
  await heard("toolactivated", "quick");
  const { id, done } = await agent.start("slow");
  await heard("toolactivated", "slow");
  await agent.cancel(id);
  expect((await done).status).toBe("Canceled");
  await heard("toolcancel", "slow");
  expect(drained.every(([, , isEvent]: any) => isEvent)).toBe(true);
  expect(drained.filter(([type]: any) => type === "toolactivated")).toHaveLength(2);
  expect(drained.filter(([type]: any) => type === "toolcancel")).toHaveLength(1);
  await page.evaluate(() => (globalThis as any).bridge.destroy());
  await events();
  await page.evaluate(() => document.modelContext.registerTool({ name: "other", description: "d", execute: () => 1 }));
  await agent.tool("other");
  await agent.call("other");
  expect(await events()).toEqual([]);
});

test("documents without a window have no bridge, and asking for one does not kill the renderer", async ({ openPage, site }) => {
  const page = await openPage({ body: "<iframe></iframe>" });
  const seen = await page.evaluate(async (address) => {
    await document.modelContext.getTools();
    const xhr = new XMLHttpRequest();
    xhr.open("GET", address);
    xhr.responseType = "document";
    await new Promise((resolve) => { xhr.onload = resolve; xhr.send(); });
    const template = document.createElement("template");
    const removed = document.querySelector("iframe")!;
    const inFrame = removed.contentDocument!;
    removed.remove();
    const inert: Record<string, Document> = {
      createHTMLDocument: document.implementation.createHTMLDocument(), createDocument: document.implementation.createDocument(null, "x"),
      DOMParser: new DOMParser().parseFromString("<form toolname=a tooldescription=b></form>", "text/html"), "new Document": new Document(), XHR: xhr.responseXML!,
      template: template.content.ownerDocument, "removed frame": inFrame,
    };
    const found: Record<string, unknown> = {};
    for (const [name, one] of Object.entries(inert)) {
      for (let round = 0; round < 20; round++) found[name] = typeof lib.createModelContext({ document: one });
      found[name] += ` ${(await lib.ModelContext.probe(one)).status}`;
    }
    const other = [null, {}, "x", window, document.body].map((one) => { try { return typeof lib.createModelContext({ document: one as any }); } catch (error: any) { return error.code; } });
    return { found, other, here: typeof lib.createModelContext({ document }), probe: await lib.ModelContext.probe() };
  }, site.blank());
  expect(new Set(Object.values(seen.found))).toEqual(new Set(["undefined inactive"]));
  for (const one of seen.other) expect(["undefined", "invalid-argument", "object"]).toContain(one);
  expect(seen.here).toBe("object");
  expect(seen.probe).toEqual({ status: "ready", message: expect.any(String), help: "registry.html#ready" });
  expect(await page.evaluate(() => 1 + 1), "the renderer lives").toBe(2);
});

test("probe and publish name the gate a document stands before", async ({ openPage }) => {
  const page = await openPage({ headers: { "Permissions-Policy": "tools=()" } });
  const seen = await page.evaluate(async () => {
    const bridge = lib.createModelContext();
    const report = await bridge?.publish(new lib.ToolManager([{ name: "a", description: "d", execute: () => 1 }]));
    return { probe: (await lib.ModelContext.probe()).status, skipped: report?.skipped.map(({ code }) => code), adopt: (await kit.outcome(() => bridge?.adopt())).code };
  });
  expect(seen).toEqual({ probe: "blocked-by-policy", skipped: ["blocked-by-policy"], adopt: "blocked-by-policy" });

  // Chromium keeps to its first answer for an origin, so this asks one that no test has visited.
  await openPage({ headers: { "Origin-Agent-Cluster": "?0" }, host: "127.0.0.1" });
  const keyed = await page.evaluate(async () => {
    const bridge = lib.createModelContext();
    const report = await bridge?.publish(new lib.ToolManager([{ name: "a", description: "d", execute: () => 1 }]));
    return { keyed: originAgentCluster, probe: (await lib.ModelContext.probe()).status, skipped: report?.skipped.map(({ code }) => code), adopt: (await kit.outcome(() => bridge?.adopt())).code };
  });
  expect(keyed).toEqual({ keyed: false, probe: "not-origin-keyed", skipped: ["not-origin-keyed"], adopt: "not-origin-keyed" });
});
