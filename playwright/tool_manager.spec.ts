// `ToolManager`, used by a page: order, replacement, removers, signals, events and calls.

import { expect, test } from "./everywhere.ts";

test("keeps the order of addition, and replaces in place", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(() => {
    const tool = (name: string, title: string) => ({ name, title, execute: () => title });
    const tools = new lib.ToolManager([tool("a", "1"), tool("b", "1")]);
    tools.add(tool("c", "1"));
    const b2 = tool("b", "2");
    tools.add(b2);
    return {
      titles: [...tools].map(({ name, title }) => name + title),
      size: tools.size,
      same: tools.get("b") === b2,
      has: [tools.has("a"), tools.has("z"), tools.get("z") === undefined],
    };
  });
  expect(seen).toEqual({ titles: ["a1", "b2", "c1"], size: 3, same: true, has: [true, false, true] });
});

test("a remover takes away its own addition and nothing that replaced it", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(() => {
    const tools = new lib.ToolManager();
    const tool = { name: "a", execute: () => 1 };
    const removeFirst = tools.add(tool);
    const removeSecond = tools.add(tool);
    removeFirst();
    const afterFirst = tools.has("a");
    removeSecond();
    removeSecond();
    const afterSecond = tools.has("a");
    tools.add(tool);
    removeSecond();
    return [afterFirst, afterSecond, tools.has("a"), tools.remove("a"), tools.remove("a"), tools.size];
  });
  expect(seen).toEqual([true, false, true, true, false, 0]);
});

test("an aborted signal removes its own addition; one aborted before adds nothing", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(() => {
    const tools = new lib.ToolManager();
    const tool = (name: string) => ({ name, execute: () => name });
    const [one, two] = [new AbortController(), new AbortController()];
    tools.add(tool("a"), { signal: one.signal });
    tools.add(tool("b"), { signal: one.signal });
    tools.add(tool("c"), { signal: two.signal });
    tools.add(tool("b"));
    one.abort();
    const left = [...tools].map(({ name }) => name);
    tools.add(tool("d"), { signal: AbortSignal.abort() })();
    return { left, d: tools.has("d") };
  });
  expect(seen).toEqual({ left: ["b", "c"], d: false });
});

test("iterates over a snapshot, as often as asked", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(() => {
    const tools = new lib.ToolManager(["a", "b", "c"].map((name) => ({ name, execute: () => name })));
    const names: string[] = [];
    for (const { name } of tools) {
      names.push(name);
      tools.remove("c");
      tools.add({ name: `${name}${name}`, execute: () => 1 });
    }
    return { names, after: [...tools].map(({ name }) => name) };
  });
  expect(seen).toEqual({ names: ["a", "b", "c"], after: ["a", "b", "aa", "bb", "cc"] });
});

test("change tells what was added and removed, once the new state is readable", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(() => {
    const tools = new lib.ToolManager([{ name: "before", execute: () => 1 }]);
    const events: unknown[] = [];
    tools.addEventListener("change", (event) => {
      const kind = event instanceof lib.ToolsChangeEvent && event instanceof Event;
      events.push([kind, event.type, event.added, event.removed, [...tools].map(({ name }) => name)]);
    });
    tools.add({ name: "a", execute: () => 1 });
    tools.add({ name: "a", execute: () => 2 });
    tools.remove("nobody");
    tools.remove("a");
    tools.add({ name: "b", execute: () => 1 });
    tools.clear();
    tools.clear();
    return events;
  });
  expect(seen).toEqual([
    [true, "change", ["a"], [], ["before", "a"]],
    [true, "change", ["a"], ["a"], ["before", "a"]],
    [true, "change", [], ["a"], ["before"]],
    [true, "change", ["b"], [], ["before", "b"]],
    [true, "change", [], ["before", "b"], []],
  ]);
});

test("a listener may change the manager, and one that throws is reported and stops nobody", async ({ openPage, expectNoise }) => {
  const page = await openPage();
  expectNoise(/uncaught: Error: listener/);
  const seen = await page.evaluate(() => {
    const tools = new lib.ToolManager();
    const events: string[] = [];
    tools.addEventListener("change", () => {
      throw new Error("listener");
    });
    tools.addEventListener("change", ({ added, removed }) => {
      events.push(`+${added} -${removed}`);
      if (added.includes("a")) tools.add({ name: "b", execute: () => 1 });
      if (added.includes("b")) tools.remove("a");
    });
    tools.add({ name: "a", execute: () => 1 });
    return { events, left: [...tools].map(({ name }) => name) };
  });
  expect(seen).toEqual({ events: ["+a -", "+b -", "+ -a"], left: ["b"] });
});

test("call gives what a peer would get", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const tools = new lib.ToolManager([
      { name: "text", execute: ({ who }) => `hello ${who}` },
      { name: "object", execute: async () => ({ a: [1, { b: null }] }) },
      { name: "result", execute: () => ({ content: [{ type: "text", text: "mine" }], _meta: { k: 1 } }) },
      { name: "nothing", execute: () => {} },
      { name: "fails", execute: () => { throw new TypeError("no such luck"); } },
      { name: "me", execute(this: any, args, context) { return { me: this?.name, args, caller: context.caller, aborted: context.signal.aborted }; } },
    ]);
    const results: Record<string, unknown> = {};
    for (const { name } of tools) results[name] = await tools.call(name, { who: "you" });
    results["no arguments"] = await tools.call("me");
    results["unknown"] = await kit.outcome(() => tools.call("nobody"));
    return results;
  });
  const me = (args: object) => ({ me: "me", args, caller: { via: "page" }, aborted: false });
  expect(seen).toEqual({
    text: { content: [{ type: "text", text: "hello you" }] },
    object: { content: [{ type: "text", text: '{"a":[1,{"b":null}]}' }], structuredContent: { a: [1, { b: null }] } },
    result: { content: [{ type: "text", text: "mine" }], _meta: { k: 1 } },
    nothing: { content: [] },
    fails: { content: [{ type: "text", text: "no such luck" }], isError: true },
    me: { content: [{ type: "text", text: JSON.stringify(me({ who: "you" })) }], structuredContent: me({ who: "you" }) },
    "no arguments": { content: [{ type: "text", text: JSON.stringify(me({})) }], structuredContent: me({}) },
    unknown: expect.objectContaining({ name: "ModelportError", code: "invalid-params", rpcCode: -32602 }),
  });
});

test("arguments are handed over as they are, by identity", async ({ openPage }) => {
  const page = await openPage();
  const same = await page.evaluate(async () => {
    const args = { at: new Date(0), map: new Map([[1, 2]]) };
    let seen: unknown;
    const tools = new lib.ToolManager([{ name: "a", execute: (given) => { seen = given; } }]);
    await tools.call("a", args);
    return seen === args;
  });
  expect(same).toBe(true);
});

test("an aborted call rejects with the caller's reason, and the tool's signal says so", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const started = kit.deferred();
    const told = kit.deferred<string>();
    const tools = new lib.ToolManager([{
      name: "slow",
      execute: (_args, { signal }) => new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          told.resolve(`${signal.aborted} ${String(signal.reason)}`);
          resolve("too late");
        });
        started.resolve();
      }),
    }]);
    const controller = new AbortController();
    const call = tools.call("slow", {}, { signal: controller.signal });
    await started.promise;
    controller.abort("bored");
    const rejected = await call.catch((reason) => reason);
    let ran = false;
    tools.add({ name: "never", execute: () => { ran = true; } });
    const before = await tools.call("never", {}, { signal: AbortSignal.abort("at once") }).catch((reason) => reason);
    return { rejected, told: await told.promise, before, ran };
  });
  expect(seen).toEqual({ rejected: "bored", told: expect.stringMatching(/^true /), before: "at once", ran: false });
});

test("a timeout rejects and aborts the tool, with or without the caller's own signal", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const aborted: boolean[] = [];
    const tools = new lib.ToolManager([{
      name: "stuck",
      execute: (_args, { signal }) => new Promise(() => signal.addEventListener("abort", () => aborted.push(signal.aborted))),
    }, { name: "quick", execute: () => "done" }]);
    const signal = new AbortController().signal;
    const alone = await kit.outcome(tools.call("stuck", {}, { timeout: 20 }));
    const both = await kit.outcome(tools.call("stuck", {}, { timeout: 20, signal }));
    const quick = await tools.call("quick", {}, { timeout: 20, signal });
    return { alone: alone.code, both: both.code, quick: quick.content, aborted };
  });
  expect(seen).toEqual({ alone: "timeout", both: "timeout", quick: [{ type: "text", text: "done" }], aborted: [true, true] });
});

test("progress reaches the caller while it rises, and not after the end", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const steps: unknown[] = [];
    let late: (() => void) | undefined;
    const tools = new lib.ToolManager([{
      name: "steps",
      async execute(_args, context) {
        const { progress } = context;
        progress({ progress: 1, total: 3, message: "one" });
        await null;
        progress({ progress: 1 });
        progress({ progress: 0.5 });
        progress({ progress: NaN });
        progress({} as any);
        progress(null as any);
        progress({ progress: 2.5 });
        late = () => progress({ progress: 9 });
        return "ok";
      },
    }]);
    const result = await tools.call("steps", {}, { progress: (step) => steps.push(step) });
    late?.();
    const silent = await tools.call("steps");
    return { steps, result, silent };
  });
  const ok = { content: [{ type: "text", text: "ok" }] };
  expect(seen).toEqual({ steps: [{ progress: 1, total: 3, message: "one" }, { progress: 2.5 }], result: ok, silent: ok });
});

test("tools that do not fit are refused with invalid-argument, and nothing changes", async ({ openPage }) => {
  const page = await openPage();
  const codes = await page.evaluate(() => {
    const tools = new lib.ToolManager();
    let events = 0;
    tools.addEventListener("change", () => (events += 1));
    const execute = () => 1;
    const { proxy: revoked, revoke } = Proxy.revocable({}, {});
    revoke();
    const bad: Record<string, unknown> = {
      undefined: undefined, null: null, string: "tool", number: 5, array: [], function: () => 1,
      "no name": { execute }, "empty name": { name: "", execute }, "name 5": { name: 5, execute },
      "no execute": { name: "a" }, "execute string": { name: "a", execute: "x" },
      "title 5": { name: "a", execute, title: 5 }, "description {}": { name: "a", execute, description: {} },
      "inputSchema string": { name: "a", execute, inputSchema: "{}" }, "inputSchema array": { name: "a", execute, inputSchema: [] },
      "outputSchema true": { name: "a", execute, outputSchema: true }, "annotations 1": { name: "a", execute, annotations: 1 },
      "icons {}": { name: "a", execute, icons: {} }, "_meta []": { name: "a", execute, _meta: [] },
      "revoked proxy": revoked, "inputSchema revoked": { name: "a", execute, inputSchema: revoked }, "icons revoked": { name: "a", execute, icons: revoked },
      "name getter throws": Object.defineProperty({ execute }, "name", { get() { throw new Error("getter"); } }),
    };
    const codes: Record<string, unknown> = {};
    for (const [what, tool] of Object.entries(bad)) {
      try {
        tools.add(tool as any);
        codes[what] = "accepted";
      } catch (error: any) {
        codes[what] = error instanceof lib.ModelportError ? error.code : `${error}`;
      }
    }
    return { odd: Object.entries(codes).filter(([, code]) => code !== "invalid-argument"), events, size: tools.size };
  });
  expect(codes).toEqual({ odd: [], events: 0, size: 0 });
});

test("arguments of a call must be an object", async ({ openPage }) => {
  const page = await openPage();
  const codes = await page.evaluate(async () => {
    const tools = new lib.ToolManager([{ name: "a", execute: () => 1 }]);
    const { proxy: revoked, revoke } = Proxy.revocable({}, {});
    revoke();
    const outcomes = await Promise.all([null, "x", 5, [], true, revoked].map((args) => kit.outcome(() => tools.call("a", args as any))));
    return outcomes.map(({ code }) => code);
  });
  expect(codes).toEqual(Array(6).fill("invalid-argument"));
});

test("before ready() everything that needs the wasm says not-ready", async ({ openPage }) => {
  const page = await openPage({ ready: false });
  const codes = await page.evaluate(async () => {
    const attempts: Record<string, () => unknown> = {
      ToolManager: () => new lib.ToolManager(),
      Client: () => new lib.Client(),
    };
    const codes: Record<string, unknown> = {};
    for (const [name, attempt] of Object.entries(attempts)) codes[name] = (await kit.outcome(attempt)).code;
    await lib.ready();
    codes["afterwards"] = new lib.ToolManager().size;
    return codes;
  });
  expect(codes).toEqual({ ToolManager: "not-ready", Client: "not-ready", afterwards: 0 });
});
