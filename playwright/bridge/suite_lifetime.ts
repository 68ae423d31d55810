// Events and lifetime, whatever the setting.

import { expect, test } from "./world.ts";

export function living(): void {
  test("events: a foreign registration yields exactly one change, none after destroy, and no listener stays behind", async ({ world }) => {
    const seen = await world.owner.evaluate(async () => {
      const count: Record<string, number> = {};
      for (const target of [br.registry(), window]) {
        for (const [method, step] of [["addEventListener", 1], ["removeEventListener", -1]] as const) {
          const original = target[method];
          target[method] = function (type: string, ...rest: any[]) {
            if (type.startsWith("tool")) count[type] = (count[type] ?? 0) + step;
            return original.call(this, type, ...rest);
          };
          br.later(() => delete target[method]);
        }
      }
      const bridge = br.bridge();
      await br.quiet();
      const unheard = { ...count };
      // All three are listened for only from here on: each registration fires a change, and each call costs.
      const events = br.hear(bridge, "toolchange", "toolactivated", "toolcancel");
      const before = { ...count };
      await br.quiet();
      await br.foreign("a").done;
      await br.eventually(() => events.length > 0);
      await br.quiet();
      const once = [...events];
      bridge.destroy();
      await br.foreign("b").done;
      await br.quiet();
      return { unheard, before, after: count, once, events: events.length };
    });
    expect(seen.unheard).toEqual({});
    expect(Object.keys(seen.before).sort()).toEqual(["toolactivated", "toolcancel", "toolchange"]);
    expect(Object.values(seen.before).every((number) => number >= 1)).toBe(true);
    expect(seen.after).toEqual({ toolchange: 0, toolactivated: 0, toolcancel: 0 });
    expect(seen.once).toEqual([expect.objectContaining({ added: ["a"], removed: [], changed: [] })]);
    expect(seen.events).toBe(1);
  });

  test("events: activation and cancellation carry the name, the caller's reason rejects, and nothing follows a settled call", async ({ world }) => {
    await world.owner.evaluate(async () => {
      const bridge = br.bridge();
      br.keep["events"] = br.hear(bridge, "toolactivated", "toolcancel");
      await bridge.publish(new lib.ToolManager([br.tool("quick"), br.tool("slow", (_input, { signal }) => new Promise((resolve) => signal.addEventListener("abort", resolve)))]), br.setting.publish);
    });
    const reasons = await world.viewer.evaluate(async () => {
      const [quick, slow] = [await br.adopted("quick"), await br.adopted("slow")];
      const [one, two] = [new AbortController(), new AbortController()];
      await quick.execute({}, br.context(one.signal));
      one.abort("after the end");
      const call = kit.outcome(slow.execute({}, br.context(two.signal)));
      br.keep["two"] = two;
      br.keep["call"] = call;
    }).then(async () => {
      await world.owner.evaluate(() => br.eventually(() => br.keep["events"].length === 2, "two activations"));
      return world.viewer.evaluate(() => (br.keep["two"].abort("bored"), br.keep["call"]));
    });
    expect(reasons).toMatchObject({ message: "bored" });
    const events = await world.owner.evaluate(async () => {
      await br.eventually(() => br.keep["events"].length === 3, "a cancellation");
      await br.quiet();
      return br.keep["events"].map(({ type, toolName, callId }: any) => [type, toolName, typeof callId]);
    });
    expect(events).toEqual([["toolactivated", "quick", "number"], ["toolactivated", "slow", "number"], ["toolcancel", "slow", "number"]]);
  });

  test("events: an execution event without a name is ignored", async ({ world }) => {
    const seen = await world.owner.evaluate(async () => {
      const events = br.hear(br.bridge(), "toolactivated", "toolcancel");
      for (const type of ["toolactivated", "toolcancel"]) {
        br.registry().dispatchEvent(new Event(type));
        br.registry().dispatchEvent(Object.assign(new Event(type), { toolName: 5 }));
      }
      await br.quiet();
      return events;
    });
    expect(seen).toEqual([]);
  });

  test("lifetime: destroy leaves other handles' and the page's registrations; a repeat is inert, also during a suspended registration", async ({ world }) => {
    const seen = await world.owner.evaluate(async () => {
      await br.foreign("pages").done;
      const [one, two] = [br.bridge(), br.bridge()];
      await one.publish(br.manager("one", "both"), br.setting.publish);
      await two.publish(br.manager("two", "both"), br.setting.publish);
      const blocked = two.status.blocked.map(({ name }) => name);
      const gate = br.gate();
      const third = br.bridge();
      const publication = kit.outcome(third.publish(br.manager("third"), br.setting.publish));
      await br.eventually(() => gate.held === 1, "a suspended registration");
      third.destroy();
      third.destroy();
      gate.open();
      const settled = await publication;
      one.destroy();
      one.destroy();
      await br.eventually(() => two.status.blocked.length === 0, "the freed name");
      return { blocked, settled: settled.value };
    });
    expect(seen).toEqual({ blocked: ["both"], settled: expect.objectContaining({ registered: [] }) });
    await world.sees("both", "pages", "two");
  });

  test("lifetime: destroy inside a change listener during a replacement, and inside the registry's own toolchange mid-publish, leaves nothing", async ({ world }) => {
    await world.owner.evaluate(async () => {
      const tools = br.manager("a", "b");
      const bridge = br.bridge();
      await bridge.publish(tools, br.setting.publish);
      await br.quiet();
      bridge.addEventListener("toolchange", () => bridge.destroy());
      tools.add(br.tool("a", () => 1, { description: "other" }));
      tools.add(br.tool("c"));
      await br.eventually(async () => (await br.listed()).length === 0, "an empty registry");
      const second = br.bridge();
      const destroy = () => second.destroy();
      br.registry().addEventListener("toolchange", destroy, { once: true });
      br.later(() => br.registry().removeEventListener("toolchange", destroy));
      await second.publish(br.manager(...Array.from({ length: 30 }, (_, index) => `t${index}`)), br.setting.publish);
      await br.quiet();
    });
    await world.sees();
  });

  test("lifetime: publish then adopt contains the tool, destroy removes it", async ({ world }) => {
    await world.owner.evaluate(async () => {
      br.keep["bridge"] = br.bridge();
      await br.keep["bridge"].publish(br.manager("here"), br.setting.publish);
    });
    const adopts = () => world.viewer.evaluate(async () => (await br.bridge().adopt(br.setting.adopt)).map(({ name }) => name));
    await expect.poll(adopts).toEqual(["here"]);
    await world.owner.evaluate(() => br.keep["bridge"].destroy());
    await expect.poll(adopts).toEqual([]);
  });
}
