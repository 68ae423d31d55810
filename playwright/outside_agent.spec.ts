// The outside agent drives everything through the DevTools protocol's WebMCP domain, never through
// page script: what a browser's own agent sees of a published manager, and what it gets from calls.

import { expect, test, type Page } from "./fixtures.ts";

/** A page whose tools are published; `tools`, `bridge` and `page` stay reachable for later changes. */
async function publish(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const state: any = globalThis;
    state.seen = [];
    state.gate = kit.deferred();
    state.tools = new lib.ToolManager([
      {
        name: "greet", title: "Greet", description: "Says hello to somebody",
        inputSchema: { type: "object", properties: { who: { type: "string", description: "Whom" } }, required: ["who"] },
        annotations: { readOnlyHint: true, untrustedContentHint: true },
        execute: ({ who }, { caller }) => { state.seen.push(caller); return `hello ${who}`; },
      },
      { name: "delete_all", description: "Removes everything", annotations: { destructiveHint: true }, execute: () => ({ removed: 3, names: ["a", null] }) },
      { name: "fails", description: "Fails", execute: () => { throw new TypeError("the cellar is flooded"); } },
      { name: "rejects", description: "Rejects", execute: () => Promise.reject("no reason") },
      { name: "nothing", description: "Does it", execute: () => {} },
      { name: "content", description: "Speaks MCP", execute: () => ({ content: [{ type: "image", data: "AA==", mimeType: "image/png" }], _meta: { "x.y/z": 1 } }) },
      { name: "symbol", description: "Would crash the browser", execute: () => Symbol("s") },
      { name: "wait", description: "Waits", execute: (_args, { signal }) => new Promise(() => {
        signal.addEventListener("abort", () => { state.seen.push(`aborted: ${signal.aborted}`); document.body.dataset["aborted"] = "yes"; });
        document.body.dataset["waiting"] = "yes";
      }) },
      { name: "echo", description: "Echoes", execute: (args) => args },
    ]);
    state.bridge = lib.createModelContext();
    state.report = await state.bridge.publish(state.tools);
  });
}

const envelope = (text: string, more: object = {}) => ({ content: [{ type: "text", text }], ...more });

test("sees the published tools with their descriptions, schemas and hints", async ({ openPage, openAgent }) => {
  const page = await openPage();
  const agent = await openAgent();
  expect(agent.names).toEqual([]);
  await publish(page);
  await agent.until(() => agent.names.length === 9, "nine tools");
  expect(await agent.tool("greet")).toMatchObject({
    name: "greet", description: "Says hello to somebody",
    inputSchema: { type: "object", properties: { who: { type: "string", description: "Whom" } }, required: ["who"] },
    annotations: { readOnly: true, untrustedContent: true },
  });
  const { annotations } = await agent.tool("greet");
  expect(annotations?.["consequential"] ?? false).toBe(false);
  expect((await agent.tool("delete_all")).annotations).toMatchObject({ consequential: true });
  expect(agent.log.map(({ kind }) => kind), "each appeared once").toEqual(Array(9).fill("added"));
});

test("calls them: values, objects, nothing, MCP content, by envelope", async ({ openPage, openAgent }) => {
  const page = await openPage();
  await publish(page);
  const agent = await openAgent();
  expect(await agent.call("greet", { who: "Ada" })).toMatchObject({ status: "Completed", output: envelope("hello Ada") });
  expect(await agent.call("delete_all")).toMatchObject({ status: "Completed", output: envelope('{"removed":3,"names":["a",null]}', { structuredContent: { removed: 3, names: ["a", null] } }) });
  expect(await agent.call("nothing")).toMatchObject({ status: "Completed", output: { content: [] } });
  expect(await agent.call("content")).toMatchObject({ status: "Completed", output: { content: [{ type: "image", data: "AA==", mimeType: "image/png" }], _meta: { "x.y/z": 1 } } });
  const args = { text: "☃ \ud83d\ude00 \"quoted\"", deep: [[{ a: null }]], n: -0.5 };
  expect((await agent.call("echo", args)).output.structuredContent).toEqual(args);
  expect(await page.evaluate(() => (globalThis as any).seen)).toEqual([{ via: "registry" }]);
});

test("gets text of every kind parsed, be it Latin-1, beyond it, or ill-formed", async ({ openPage, openAgent }) => {
  const page = await openPage();
  await publish(page);
  const agent = await openAgent();
  for (const who of ["plain", "£5 für Zoë", "☃ and £", "😀", "\u0085\u2028\u0000\\", "a\ud800b"]) {
    const { status, output } = await agent.call("greet", { who });
    // The protocol is UTF-8, so a lone surrogate is lost on its way in already.
    const received = who.replace("\ud800b", "\ufffdb");
    expect({ who, status, output }).toEqual({ who, status: "Completed", output: envelope(`hello ${received}`) });
  }
});

test("reads what a failing tool said, instead of the browser's fixed sentence, and nothing is logged as an error", async ({ openPage, openAgent }) => {
  const page = await openPage();
  await publish(page);
  const agent = await openAgent();
  expect(await agent.call("fails")).toEqual({ status: "Completed", output: envelope("the cellar is flooded", { isError: true }), errorText: undefined, exception: undefined });
  expect((await agent.call("rejects")).output).toEqual(envelope("no reason", { isError: true }));
  expect((await agent.call("symbol")).output).toMatchObject({ isError: true });
  expect((await agent.call("greet", { who: "still here" })).output).toEqual(envelope("hello still here"));
});

test("cancels a call: the tool's signal aborts, and the agent hears Canceled", async ({ openPage, openAgent }) => {
  const page = await openPage();
  await publish(page);
  const agent = await openAgent();
  const { id, done } = await agent.start("wait");
  await expect(page.locator("body[data-waiting]")).toBeAttached();
  await agent.cancel(id);
  expect((await done).status).toBe("Canceled");
  await expect(page.locator("body[data-aborted]")).toBeAttached();
  expect(await page.evaluate(() => (globalThis as any).seen)).toEqual(["aborted: true"]);
  expect((await agent.call("greet", { who: "you" })).status).toBe("Completed");
});

test("sees a tool vanish, one appear and one change", async ({ openPage, openAgent }) => {
  const page = await openPage();
  await publish(page);
  const agent = await openAgent();
  await agent.until(() => agent.names.length === 9, "nine tools");
  const log = () => agent.log.splice(0);
  log();
  await page.evaluate(() => (globalThis as any).tools.remove("wait"));
  await agent.gone("wait");
  expect(log()).toEqual([{ kind: "removed", name: "wait" }]);

  await page.evaluate(() => (globalThis as any).tools.add({ name: "fresh", description: "New", execute: () => "fresh" }));
  await agent.tool("fresh");
  expect((await agent.call("fresh")).output).toEqual(envelope("fresh"));
  expect(log()).toEqual([{ kind: "added", name: "fresh" }]);

  await page.evaluate(() => (globalThis as any).tools.add({ name: "fresh", description: "Newer", inputSchema: { type: "object", properties: { a: {} } }, execute: () => "fresher" }));
  await agent.until(() => agent.tools.get("fresh")?.description === "Newer", "the change");
  expect((await agent.tool("fresh")).inputSchema).toEqual({ type: "object", properties: { a: {} } });
  expect((await agent.call("fresh")).output).toEqual(envelope("fresher"));
  expect(agent.names.filter((name) => name === "fresh")).toHaveLength(1);

  await page.evaluate(() => (globalThis as any).tools.clear());
  await agent.until(() => agent.names.length === 0, "all tools to vanish");
});

test("a changed execute behind unchanged words is what runs next", async ({ openPage, openAgent }) => {
  const page = await openPage();
  await publish(page);
  const agent = await openAgent();
  await agent.tool("echo");
  await page.evaluate(() => {
    const { tools } = globalThis as any;
    tools.add({ ...tools.get("echo"), execute: () => "the new one" });
  });
  expect((await agent.call("echo")).output).toEqual(envelope("the new one"));
});

test("100 tools appear at once, each callable, and go at once", async ({ openPage, openAgent }) => {
  const page = await openPage();
  const agent = await openAgent();
  await page.evaluate(async () => {
    const state: any = globalThis;
    state.bridge = lib.createModelContext();
    const tools = Array.from({ length: 100 }, (_, n) => ({ name: `tool_${n}`, description: `Number ${n}`, execute: () => n }));
    await state.bridge.publish(new lib.ToolManager(tools));
  });
  await agent.until(() => agent.names.length === 100, "100 tools");
  const answers = await Promise.all(Array.from({ length: 100 }, (_, n) => agent.call(`tool_${n}`)));
  expect(answers.map(({ output }) => output.content[0].text)).toEqual(Array.from({ length: 100 }, (_, n) => String(n)));
  await page.evaluate(() => (globalThis as any).bridge.destroy());
  await agent.until(() => agent.names.length === 0, "all tools to vanish");
  expect(agent.log.filter(({ kind }) => kind === "removed")).toHaveLength(100);
});

test("destroy() leaves nothing of ours and everything of the page's own", async ({ openPage, openAgent, expectNoise }) => {
  expectNoise(/WebMCP tool execution failed: Uncaught Error: theirs/);
  const page = await openPage();
  const agent = await openAgent();
  await page.evaluate(async () => {
    await document.modelContext.registerTool({ name: "own_before", description: "The page's own", execute: () => "own" });
    await document.modelContext.registerTool({ name: "own_fails", description: "The page's own", execute: () => { throw new Error("theirs"); } });
  });
  await publish(page);
  await page.evaluate(() => document.modelContext.registerTool({ name: "own_after", description: "The page's own", execute: () => "own" }));
  await agent.until(() => agent.names.length === 12, "twelve tools");
  expect(await agent.call("own_before")).toMatchObject({ status: "Completed", output: "own" });
  expect(await agent.call("own_fails")).toMatchObject({ status: "Error", exception: expect.stringContaining("theirs") });
  await page.evaluate(() => { (globalThis as any).bridge.destroy(); (globalThis as any).bridge.destroy(); });
  await agent.until(() => agent.names.length === 3, "ours to vanish");
  await page.evaluate(() => (globalThis as any).tools.add({ name: "too_late", description: "Nobody follows", execute: () => 1 }));
  expect(agent.names).toEqual(["own_after", "own_before", "own_fails"]);
  expect(await agent.call("own_after")).toMatchObject({ status: "Completed", output: "own" });
  expect(await page.evaluate(async () => (await document.modelContext.getTools()).map(({ name }: any) => name).sort())).toEqual(["own_after", "own_before", "own_fails"]);
});

test("a call that runs when its tool is removed or the bridge destroyed is told or answered, and never left hanging", async ({ openPage, openAgent }) => {
  const page = await openPage();
  await page.evaluate(async () => {
    const state: any = globalThis;
    state.gate = kit.deferred();
    state.tools = new lib.ToolManager([{ name: "slow", description: "Slow", execute: () => { document.body.dataset["slow"] = "yes"; return state.gate.promise; } }]);
    state.bridge = lib.createModelContext();
    await state.bridge.publish(state.tools);
  });
  const agent = await openAgent();
  const { done } = await agent.start("slow");
  await expect(page.locator("body[data-slow]")).toBeAttached();
  await page.evaluate(() => { const state: any = globalThis; state.tools.remove("slow"); state.gate.resolve("finished"); });
  const answer = await done;
  expect(answer).toMatchObject({ status: "Completed", output: envelope("finished") });
});
