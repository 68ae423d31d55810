// Calls and adoption, whatever the setting: the viewer calls what the owner publishes.

import { expect, test } from "./world.ts";

export function calling(): void {
  test("execution: values, failures and nothing reach the caller as what they are; the registry's signal reaches the handler", async ({ world }) => {
    await world.owner.evaluate(async () => {
      const tools = new lib.ToolManager([
        br.tool("object", (input) => ({ got: input })),
        br.tool("text", () => "plain"),
        br.tool("number", () => 42),
        br.tool("nothing", () => undefined),
        br.tool("fails", () => { throw new RangeError("no page /x"); }),
        br.tool("signal", (_input, { signal, caller }) => ({ aborted: signal.aborted, isSignal: signal instanceof AbortSignal, caller })),
      ]);
      await br.bridge().publish(tools, br.setting.publish);
    });
    const seen = await world.viewer.evaluate(async () => {
      const outcomes: Record<string, any> = {};
      await br.record("text");
      for (const tool of await br.bridge().adopt(br.setting.adopt)) outcomes[tool.name] = await kit.outcome(tool.execute({ q: "é\u2028", list: [1] }, br.context()));
      return outcomes;
    });
    expect(seen).toEqual({
      object: { value: { got: { q: "é\u2028", list: [1] } } },
      text: { value: "plain" },
      number: { value: "42" },
      nothing: { value: undefined },
      fails: expect.objectContaining({ name: "ModelportError", code: "tool-error", message: "no page /x" }),
      signal: { value: { aborted: false, isSignal: true, caller: { via: "registry" } } },
    });
  });

  test("adopt: debugging tools are left out unless asked for, and keep every annotation but that one", async ({ world }) => {
    await world.owner.evaluate(async () => {
      const annotated = (name: string, annotations: object) => br.tool(name, () => 1, { annotations });
      const tools = [annotated("on", { debugging: true, readOnlyHint: true }), annotated("off", { debugging: false, readOnlyHint: true }), br.tool("plain")];
      await br.bridge().publish(new lib.ToolManager(tools), br.setting.publish);
    });
    const seen = await world.viewer.evaluate(async () => {
      await br.record("plain");
      const bridge = br.bridge();
      const names = async (options: object) => (await bridge.adopt({ ...br.setting.adopt, ...options })).map(({ name }) => name);
      const [on] = await bridge.adopt({ ...br.setting.adopt, debugging: true });
      return [await names({}), await names({ debugging: false }), await names({ debugging: true }), on?.annotations?.readOnlyHint, on?.annotations?.debugging];
    });
    const own = world.setting === "top";
    expect(seen.slice(0, 4)).toEqual([["off", "plain"], ["off", "plain"], ["off", "on", "plain"].sort(), true]);
    // A bridge's own tool would keep what its author gave; here another bridge adopts.
    expect(seen[4], `own: ${own}`).toBeUndefined();
  });

  test("adopt: two complementary triples of hints come back; an absent title or schema stays absent", async ({ world }) => {
    await world.owner.evaluate(async () => {
      const annotated = (name: string, annotations: object) => br.tool(name, () => 1, { annotations });
      const one = annotated("one", { readOnlyHint: true, untrustedContentHint: false, consequentialHint: false });
      const two = annotated("two", { readOnlyHint: false, untrustedContentHint: true, consequentialHint: true });
      await br.bridge().publish(new lib.ToolManager([one, two, br.tool("none")]), br.setting.publish);
    });
    const seen = await world.viewer.evaluate(async () => {
      await br.record("two");
      const tools = await br.bridge().adopt(br.setting.adopt);
      return tools.map((tool) => [tool.name, tool.annotations, "title" in tool, "inputSchema" in tool, tool.description]);
    });
    expect(seen).toEqual([
      ["none", undefined, false, false, "describes none"],
      ["one", expect.objectContaining({ readOnlyHint: true, untrustedContentHint: false, consequentialHint: false }), false, false, "describes one"],
      ["two", expect.objectContaining({ readOnlyHint: false, untrustedContentHint: true, consequentialHint: true }), false, false, "describes two"],
    ]);
  });

  test("adopt: arguments and results are forwarded unchanged, and the context's signal aborts the foreign callback", async ({ world }) => {
    await world.owner.evaluate(async () => {
      br.keep["seen"] = [];
      br.foreign("echo", (input) => JSON.stringify(input));
      br.foreign("slow", (_input, { signal }) => new Promise(() => {
        br.keep["started"] = true;
        signal.addEventListener("abort", () => br.keep["seen"].push(signal.reason.name));
      }));
    });
    const input = { text: "a\u2028b", nested: { list: [1, [2, { deep: null }]], empty: {} }, no: false };
    const seen = await world.viewer.evaluate(async (input) => {
      const echoed = await (await br.adopted("echo")).execute(input, br.context());
      const controller = new AbortController();
      br.keep["call"] = kit.outcome((await br.adopted("slow")).execute({}, br.context(controller.signal)));
      br.keep["controller"] = controller;
      return echoed;
    }, input);
    expect(seen).toBe(JSON.stringify(input));
    await world.owner.evaluate(() => br.eventually(() => br.keep["started"], "the start"));
    expect(await world.viewer.evaluate(() => (br.keep["controller"].abort("the caller's own reason"), br.keep["call"]))).toMatchObject({ message: "the caller's own reason" });
    expect(await world.owner.evaluate(async () => (await br.eventually(() => br.keep["seen"].length, "the abort"), br.keep["seen"]))).toEqual(["AbortError"]);
  });

  test("adopt: origins are forwarded as fromOrigins", async ({ world }) => {
    const seen = await world.viewer.evaluate(async () => {
      const calls = br.spy("getTools");
      const bridge = br.bridge();
      await bridge.adopt({ origins: ["https://shop.example"] });
      await bridge.adopt();
      return [calls, await kit.outcome(bridge.adopt({ origins: ["http://insecure.example"] }))];
    });
    expect(seen).toEqual([[[{ fromOrigins: ["https://shop.example"] }], [{}]], expect.objectContaining({ code: "origin-refused" })]);
  });

  test("adopt: a tool says where it lives and whether it is ours, from the browser and never from tool text", async ({ world }) => {
    const here = await world.owner.evaluate(async () => {
      br.keep["bridge"] = br.bridge();
      const lying = br.tool("ours", () => 1, { origin: "https://bank.example", own: false, window: 5, originalName: "lie", _meta: { origin: "https://bank.example" } });
      await br.keep["bridge"].publish(new lib.ToolManager([lying]), br.setting.publish);
      await br.foreign("theirs").done;
      const tools = await br.keep["bridge"].adopt();
      return { origin: location.origin, tools: tools.map((tool: any) => [tool.name, tool.own, tool.origin === location.origin, tool.window === window, tool.originalName]) };
    });
    expect(here.tools).toEqual([["ours", true, true, true, "ours"], ["theirs", false, true, true, "theirs"]]);
    const seen = await world.viewer.evaluate(async () => {
      await br.record("theirs");
      const tools = await br.bridge().adopt(br.setting.adopt);
      return tools.map((tool) => [tool.name, tool.own, tool.origin, tool.window === (window.frames[0] ?? window), tool.originalName]);
    });
    expect(seen).toEqual([["ours", false, here.origin, true, "ours"], ["theirs", false, here.origin, true, "theirs"]]);
  });

  test("adopt: own: false leaves out this bridge's tools, frames: none those of other frames", async ({ world }) => {
    await world.owner.evaluate(() => br.bridge().publish(br.manager("inner"), br.setting.publish));
    await world.viewer.evaluate(() => br.record("inner"));
    const seen = await world.viewer.evaluate(async () => {
      const bridge = br.bridge();
      await bridge.publish(br.manager("mine"));
      await br.foreign("pages").done;
      const names = async (options: object) => (await bridge.adopt({ ...br.setting.adopt, ...options })).map(({ name }) => name);
      return { all: await names({}), notOwn: await names({ own: false }), noFrames: await names({ frames: "none" }), only: await names({ only: true }) };
    });
    // `frames` is about frames of this origin; other origins are asked for by name.
    const inFrame = world.setting === "frame" ? [] : ["inner"];
    expect(seen).toEqual({
      all: ["inner", "mine", "pages"],
      notOwn: ["inner", "pages"],
      noFrames: [...inFrame, "mine", "pages"],
      only: world.setting === "origins" ? ["inner"] : [],
    });
  });
}
