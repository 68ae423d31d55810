// Events and cancellation on the native registry, beyond what the core suite sees.

import { expect, test } from "./world.ts";

test("toolchange tells what was added, removed and changed since the last one", async ({ world }) => {
  const seen = await world.owner.evaluate(async () => {
    const bridge = br.bridge();
    const events: any[] = [];
    bridge.addEventListener("toolchange", (event) => events.push([event instanceof lib.ToolchangeEvent, br.plain(event)]));
    const total = () => {
      const all = { added: [] as string[], removed: [] as string[], changed: [] as string[] };
      for (const [, event] of events.splice(0)) for (const key of ["added", "removed", "changed"] as const) all[key].push(...event[key]);
      return all;
    };
    await br.quiet();
    const tools = br.manager("a", "b");
    await bridge.publish(tools);
    const pages = br.foreign("page");
    await br.quiet();
    const isEvent = events.every(([is]) => is);
    const first = total();
    tools.add(br.tool("a", () => 1, { description: "other" }));
    tools.remove("b");
    pages.release();
    await br.eventually(async () => (await br.listed()).join() === "a");
    await br.quiet();
    return { isEvent, first, second: total() };
  });
  expect(seen.isEvent).toBe(true);
  expect({ ...seen.first, added: seen.first.added.sort() }).toEqual({ added: ["a", "b", "page"], removed: [], changed: [] });
  expect(seen.second.removed.filter((name) => name !== "a").sort()).toEqual(["b", "page"]);
  // A release and a registration may be seen as one change or as two.
  expect(seen.second.changed.includes("a") || (seen.second.removed.includes("a") && seen.second.added.includes("a"))).toBe(true);
});

test("B4 B12 each call has one number, the same in both events; a stranger's has none", async ({ world }) => {
  const seen = await world.owner.evaluate(async () => {
    const bridge = br.bridge();
    const events: any[] = [];
    for (const type of ["toolactivated", "toolcancel"]) bridge.addEventListener(type, (event: any) => events.push([event instanceof lib.ToolEvent, type, event.toolName, event.callId]));
    const waits = (_input: unknown, { signal }: any) => new Promise((resolve) => signal.addEventListener("abort", () => resolve(signal.reason?.name)));
    await bridge.publish(new lib.ToolManager([br.tool("slow", waits as any)]));
    await br.foreign("foreign", waits).done;
    const controllers = [new AbortController(), new AbortController(), new AbortController()];
    const calls = ["slow", "slow", "foreign"].map((name, index) => kit.outcome(br.callRaw(name, {}, { signal: controllers[index]!.signal })));
    await kit.until(() => events.length === 3);
    controllers[1]!.abort("second");
    await kit.until(() => events.length === 4);
    controllers[2]!.abort("third");
    controllers[0]!.abort("first");
    await kit.until(() => events.length === 6);
    await br.quiet();
    return { events, reasons: (await Promise.all(calls)).map(({ message }) => message) };
  });
  expect(seen.reasons).toEqual(["first", "second", "third"]);
  expect(seen.events.every(([is]) => is)).toBe(true);
  const started = seen.events.slice(0, 3).map(([, type, name, id]) => [type, name, typeof id]).sort();
  expect(started).toEqual([["toolactivated", "foreign", "undefined"], ["toolactivated", "slow", "number"], ["toolactivated", "slow", "number"]]);
  const [one, two] = seen.events.filter(([, type, name]) => type === "toolactivated" && name === "slow").map(([, , , id]) => id);
  expect(seen.events[3]).toEqual([true, "toolcancel", "slow", two]);
  expect(seen.events.slice(4).map(([, type, name, id]) => [type, name, id]).sort()).toEqual([["toolcancel", "foreign", undefined], ["toolcancel", "slow", one]]);
});

test("C25 cancelling reaches the tool and only that call: caller to registry, and MCP to registry", async ({ world }) => {
  const seen = await world.owner.evaluate(async () => {
    const aborted: string[] = [];
    const started: string[] = [];
    const finish = kit.deferred();
    const slow = async ({ id }: any, { signal }: any) => {
      started.push(id);
      signal.addEventListener("abort", () => aborted.push(id));
      await finish.promise;
      return `end of ${id}`;
    };
    await br.bridge().publish(new lib.ToolManager([br.tool("slow", slow)]));
    const live = await br.bridge().adopt({ live: true });
    const { client, stop } = lib.createPageServer({ tools: live });
    await client.connect();
    const controllers = [new AbortController(), new AbortController()];
    const tool = live.get("slow")!;
    const calls = [
      kit.outcome(tool.execute({ id: "direct" }, br.context(controllers[0]!.signal))),
      kit.outcome(client.callTool("slow", { id: "mcp" }, { signal: controllers[1]!.signal })),
      kit.outcome(client.callTool("slow", { id: "stays" })),
    ];
    await kit.until(() => started.length === 3);
    controllers[0]!.abort("user");
    controllers[1]!.abort("user");
    await kit.until(() => aborted.length === 2);
    finish.resolve();
    const outcomes = await Promise.all(calls);
    const before = await kit.outcome(tool.execute({ id: "never" }, br.context(AbortSignal.abort("at once"))));
    stop();
    return { aborted: aborted.sort(), messages: outcomes.slice(0, 2).map(({ message }) => message), stays: outcomes[2].value.content, before: before.message, started: started.sort() };
  });
  expect(seen).toEqual({ aborted: ["direct", "mcp"], messages: ["user", "user"], stays: [{ type: "text", text: "end of stays" }], before: "at once", started: ["direct", "mcp", "stays"] });
});

test("C04 natively an aborted registration is no error of ours, and validation comes first", async ({ world }) => {
  const seen = await world.owner.evaluate(async () => {
    const bye = await kit.outcome(document.modelContext.registerTool(br.tool("a"), { signal: AbortSignal.abort("bye") }));
    const nameless = await kit.outcome(document.modelContext.registerTool({ ...br.tool("a"), name: "" }, { signal: AbortSignal.abort("bye") }));
    const tools = new lib.ToolManager();
    tools.add(br.tool("a"), { signal: AbortSignal.abort("bye") });
    const report = await br.bridge().publish(tools);
    return { bye: bye.message, nameless: nameless.name, report, listed: await br.listed() };
  });
  expect(seen).toMatchObject({ bye: "bye", nameless: "InvalidStateError", report: { registered: [], skipped: [] }, listed: [] });
});

test("a report tells of every followed change that made a difference, and of no other", async ({ world }) => {
  const seen = await world.owner.evaluate(async () => {
    const tools = br.manager("a");
    const bridge = br.bridge();
    const reports: any[] = [];
    bridge.addEventListener("report", (event: any) => reports.push(event.report));
    await bridge.publish(tools);
    const quiet = reports.length;
    tools.add(br.tool("b"));
    tools.add({ name: "bare", execute: () => 1 });
    await kit.until(() => reports.length === 1);
    tools.add(tools.get("a")!);
    await br.quiet();
    const same = reports.length;
    tools.remove("a");
    await kit.until(() => reports.length === 2);
    return { quiet, same, reports };
  });
  expect(seen).toMatchObject({ quiet: 0, same: 1, reports: [{ registered: ["b"], skipped: [{ name: "bare", code: "description-missing" }] }, { released: ["a"] }] });
});

test("C11 C12 equal names in a document and its frame are two tools, each run where it lives, under names that stay", async ({ open }) => {
  const page = await open({ body: "<iframe></iframe><iframe></iframe>" });
  const seen = await page.evaluate(async () => {
    await br.task(80);
    const frames = [...document.querySelectorAll("iframe")];
    for (const [index, frame] of frames.entries()) await (frame.contentDocument as any).modelContext.registerTool({ name: "greet", description: "d", execute: () => `frame ${index}` });
    await br.foreign("greet", () => "top").done;
    const bridge = br.bridge();
    await br.eventually(async () => (await bridge.adopt()).length === 3);
    const list = async () => Object.fromEntries(await Promise.all((await bridge.adopt()).map(async (tool) => [tool.name, [await tool.execute({}, br.context()), tool.originalName, frames.findIndex(({ contentWindow }) => contentWindow === tool.window)]])));
    const none = (await bridge.adopt({ frames: "none" })).map(({ name }) => name);
    const stale = (await bridge.adopt()).find(({ name }) => name === "greet-3")!;
    const first = await list();
    const again = await list();
    frames[1]!.remove();
    return { first, again, none, stale: (await kit.outcome(stale.execute({}, br.context()))).code };
  });
  const expected = { greet: ["top", "greet", -1], "greet-2": ["frame 0", "greet", 0], "greet-3": ["frame 1", "greet", 1] };
  expect(seen).toEqual({ first: expected, again: expected, none: ["greet"], stale: "tool-gone" });
});
