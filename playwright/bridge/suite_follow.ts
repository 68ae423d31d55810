// Following a manager, whatever the setting.

import { expect, test } from "./world.ts";

export function following(): void {
  test("follow: add, remove and clear reach the registry, additions before removals", async ({ world }) => {
    await world.owner.evaluate(async () => {
      const tools = (br.keep["tools"] = br.manager("a"));
      await br.bridge().publish(tools, br.setting.publish);
      tools.add(br.tool("b"));
    });
    await world.sees("a", "b");
    // What an observer of every change sees, never a gap.
    const seen = await world.owner.evaluate(async () => {
      const { tools } = br.keep;
      const order: string[] = [];
      br.wrap("registerTool", (call, args) => {
        order.push(`+${args[0].name}`);
        args[1].signal.addEventListener("abort", () => order.push(`-${args[0].name}`));
        return call(...args);
      });
      tools.add(br.tool("x"));
      await br.eventually(async () => (await br.listed()).includes("x"));
      tools.remove("x");
      tools.add(br.tool("y"));
      await br.eventually(async () => !(await br.listed()).includes("x"));
      return order;
    });
    expect(seen).toEqual(["+x", "+y", "-x"]);
    await world.sees("a", "b", "y");
    await world.owner.evaluate(() => br.keep["tools"].clear());
    await world.sees();
  });

  test("follow: a refused registration still releases dropped names, and is retried with the next change", async ({ world }) => {
    const seen = await world.owner.evaluate(async () => {
      let refuse = true;
      br.wrap("registerTool", (call, args) => (refuse && args[0].name === "b" ? Promise.reject(new DOMException("not now", "UnknownError")) : call(...args)));
      const tools = br.manager("a", "dropped");
      const bridge = br.bridge();
      await bridge.publish(tools, br.setting.publish);
      tools.remove("dropped");
      tools.add(br.tool("b"));
      await br.eventually(async () => (await br.listed()).join() === "a");
      await br.eventually(() => bridge.status.skipped.length > 0);
      const { skipped } = bridge.status;
      refuse = false;
      tools.add(br.tool("c"));
      await br.eventually(() => bridge.status.registered.length === 3);
      return { skipped, status: bridge.status };
    });
    expect(seen.skipped).toEqual([{ name: "b", code: "registry-failed", reason: "not now" }]);
    expect(seen.status.skipped).toEqual([]);
    await world.sees("a", "b", "c");
  });

  test("follow: after a second manager is published, changes of the first are ignored and those of the second are not lost", async ({ world }) => {
    await world.owner.evaluate(async () => {
      const [first, second] = [br.manager("a"), br.manager("b")];
      const bridge = br.bridge();
      await bridge.publish(first, br.setting.publish);
      first.add(br.tool("queued"));
      const publication = bridge.publish(second, br.setting.publish);
      first.add(br.tool("ignored"));
      second.add(br.tool("c"));
      await publication;
      first.add(br.tool("ignored-too"));
      second.add(br.tool("d"));
      await br.eventually(() => bridge.status.registered.length === 3);
      await br.quiet();
    });
    await world.sees("b", "c", "d");
  });

  test("follow: a change after a same-manager publish that queued behind a synchronisation is applied, also while a registration is suspended", async ({ world }) => {
    const seen = await world.owner.evaluate(async () => {
      const tools = br.manager("a");
      const bridge = br.bridge();
      await bridge.publish(tools, br.setting.publish);
      const gate = br.gate();
      tools.add(br.tool("sync"));
      await br.eventually(() => gate.held === 1, "a suspended registration");
      const publication = bridge.publish(tools, br.setting.publish);
      tools.add(br.tool("late"));
      gate.open();
      await publication;
      await br.eventually(() => bridge.status.registered.includes("late"));
      const added = bridge.status.registered;
      const again = br.gate();
      tools.add(br.tool("more"));
      await br.eventually(() => again.held === 1, "a suspended registration");
      const second = bridge.publish(tools, br.setting.publish);
      tools.clear();
      again.open();
      await second;
      await br.eventually(async () => (await br.listed()).length === 0);
      return { added, cleared: bridge.status.registered };
    });
    expect(seen).toEqual({ added: ["a", "sync", "late"], cleared: [] });
    await world.sees();
  });

  test("follow: a republish inside a change listener makes the running dispatch's handler stale", async ({ world }) => {
    await world.owner.evaluate(async () => {
      const [first, second] = [br.manager("a"), br.manager("z")];
      const bridge = br.bridge();
      // Before and after the bridge's own subscription.
      let done: Promise<unknown> | undefined;
      const republish = () => void (done ??= bridge.publish(second, br.setting.publish));
      first.addEventListener("change", republish);
      await bridge.publish(first, br.setting.publish);
      first.addEventListener("change", republish);
      first.add(br.tool("stale"));
      await done;
      await br.quiet();
    });
    await world.sees("z");
  });

  for (const [what, name, description] of [["another name", "b", "d"], ["the same name, another description", "a", "changed"], ["an equal descriptor", "a", "describes a"]] as const) {
    test(`follow: a tool that a clear listener adds is preserved: ${what}`, async ({ world }) => {
      await world.owner.evaluate(async ({ name, description }) => {
        const tools = br.manager("a", "other");
        tools.addEventListener("change", ({ removed }) => {
          if (removed.includes("other")) tools.add(br.tool(name, () => "added by the listener", { description }));
        });
        await br.bridge().publish(tools, br.setting.publish);
        tools.clear();
      }, { name, description });
      await world.sees(name);
      const seen = await world.viewer.evaluate(async (name) => {
        const tool = await br.adopted(name);
        return [tool.description, await tool.execute({}, br.context())];
      }, name);
      expect(seen).toEqual([description, "added by the listener"]);
    });
  }

  test("follow: an equal-descriptor replacement by a change listener keeps the registration and answers with the new handler, also while queued or suspended", async ({ world }) => {
    const seen = await world.owner.evaluate(async () => {
      const tools = new lib.ToolManager([br.tool("a", () => "old")]);
      const bridge = br.bridge();
      await bridge.publish(tools, br.setting.publish);
      const calls = br.spy("registerTool");
      const answers: unknown[] = [];
      const ask = async () => void answers.push(JSON.parse(await br.callRaw("a")).content[0].text);
      tools.addEventListener("change", ({ added, removed }) => {
        if (removed.includes("a") && added.length === 0) tools.add(br.tool("a", () => "by the listener"));
      });
      tools.remove("a");
      await ask();
      const gate = br.gate();
      tools.add(br.tool("b"));
      await br.eventually(() => gate.held === 1, "a suspended registration");
      tools.add(br.tool("a", () => "while suspended"));
      await ask();
      gate.open();
      await br.eventually(() => bridge.status.registered.length === 2);
      await ask();
      return { answers, calls: calls.map(([tool]) => tool.name) };
    });
    expect(seen).toEqual({ answers: ["by the listener", "while suspended", "while suspended"], calls: ["b"] });
    await world.sees("a", "b");
  });

  test("follow: a tool with a cyclic schema is set aside with a reason and let go of with the others", async ({ world }) => {
    const seen = await world.owner.evaluate(async () => {
      const schema: any = { type: "object" };
      schema.properties = { self: schema };
      const tools = new lib.ToolManager([br.tool("good"), br.tool("cyclic", () => 1, { inputSchema: schema })]);
      const bridge = br.bridge();
      const { skipped } = await bridge.publish(tools, br.setting.publish);
      tools.remove("cyclic");
      await br.eventually(() => bridge.status.skipped.length === 0);
      return { skipped, status: bridge.status };
    });
    expect(seen.skipped).toEqual([{ name: "cyclic", code: "schema-not-serialisable", reason: expect.stringMatching(/itself|circular|cycl/i) }]);
    expect(seen.status).toMatchObject({ registered: ["good"], skipped: [] });
  });

  test("follow: after destroy the manager's changes reach nobody", async ({ world }) => {
    const seen = await world.owner.evaluate(async () => {
      const calls = br.spy("registerTool");
      const tools = br.manager("a");
      const bridge = br.bridge();
      const events = br.hear(bridge, "report", "toolchange");
      await bridge.publish(tools, br.setting.publish);
      await br.quiet();
      events.length = 0;
      bridge.destroy();
      tools.add(br.tool("b"));
      tools.remove("a");
      await br.quiet();
      return { calls: calls.length, events };
    });
    expect(seen).toEqual({ calls: 1, events: [] });
    await world.sees();
  });

  test("follow: an undescribed tool added later causes no change; one that replaces a registered name releases it with exactly one change", async ({ world }) => {
    const seen = await world.owner.evaluate(async () => {
      const tools = br.manager("a");
      const bridge = br.bridge();
      await bridge.publish(tools, br.setting.publish);
      await br.quiet();
      const log = await br.watch();
      tools.add({ name: "bare", execute: () => 1 });
      await br.eventually(() => bridge.status.skipped.length === 1);
      await br.quiet();
      const first = [log.count, await br.listed()];
      tools.add({ name: "a", execute: () => 1 });
      await br.eventually(() => log.count > 0, "a change");
      await br.quiet();
      return { first, second: [log.count, await br.listed()], status: bridge.status };
    });
    expect([seen.first, seen.second]).toEqual([[0, ["a"]], [1, []]]);
    expect(seen.status.skipped.map(({ name, code }) => [name, code]).sort()).toEqual([["a", "description-missing"], ["bare", "description-missing"]]);
  });
}
