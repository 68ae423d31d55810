// Publishing, whatever the setting: what the viewer sees of what the owner publishes.

import { expect, test } from "./world.ts";

export function publishing(): void {
  test("publish: a registration carries title, schema and three hints; window and origin come back", async ({ world }) => {
    const origin = await world.owner.evaluate(async () => {
      const schema = { type: "object", properties: { q: { type: "string" } } };
      const annotations = { readOnlyHint: true, untrustedContentHint: true, consequentialHint: true };
      await br.bridge().publish(new lib.ToolManager([br.tool("a", () => 1, { title: "A", inputSchema: schema, annotations })]), br.setting.publish);
      return location.origin;
    });
    const seen = await world.viewer.evaluate(async () => {
      const { window: owner, ...rest } = await br.record("a");
      return { ...rest, isOwner: owner === (window.frames[0] ?? window) };
    });
    expect(seen).toEqual({
      name: "a",
      title: "A",
      description: "describes a",
      inputSchema: { type: "object", properties: { q: { type: "string" } } },
      annotations: { readOnlyHint: true, untrustedContentHint: true, consequentialHint: true, debugging: false },
      origin,
      isOwner: true,
    });
  });

  test("publish: origins are forwarded as exposedTo, and left out when not given", async ({ world }) => {
    const seen = await world.owner.evaluate(async () => {
      const calls = br.spy("registerTool");
      const bridge = br.bridge();
      await bridge.publish(br.manager("a"));
      await bridge.publish(br.manager("a"), { origins: ["https://other.example"] });
      await bridge.publish(br.manager("a"), { origins: [] });
      return calls.map(([, options]) => options.exposedTo);
    });
    expect(seen.slice(0, 2)).toEqual([undefined, ["https://other.example"]]);
    expect(seen[2] ?? []).toEqual([]);
  });

  test("publish: a change of origins alone registers anew, and another spelling of the same does not (4.C.17)", async ({ world }) => {
    const seen = await world.owner.evaluate(async () => {
      const tools = br.manager("a");
      const bridge = br.bridge();
      const reports = [];
      for (const origins of [undefined, ["https://other.example"], ["https://OTHER.example/path"], []]) {
        const { registered, unchanged } = await bridge.publish(tools, origins ? { origins } : {});
        reports.push([registered, unchanged]);
      }
      return reports;
    });
    expect(seen).toEqual([[["a"], []], [["a"], []], [[], ["a"]], [["a"], []]]);
  });

  test("publish: one undescribed tool is named in the report and stops nobody; strict rejects with it", async ({ world }) => {
    const { report, strict } = await world.owner.evaluate(async () => {
      const tools = br.manager("a", "b");
      tools.add({ name: "bare", execute: () => 1 });
      const bridge = br.bridge();
      const report = await bridge.publish(tools, br.setting.publish);
      return { report, strict: await kit.outcome(bridge.publish(tools, { ...br.setting.publish, strict: true })) };
    });
    expect(report).toMatchObject({ registered: ["a", "b"], skipped: [{ name: "bare", code: "description-missing" }], blocked: [] });
    expect(strict).toMatchObject({ name: "ModelportError", code: "description-missing", data: { skipped: [{ name: "bare" }], unchanged: ["a", "b"] } });
    expect(strict.message).toContain("'bare'");
    await world.sees("a", "b");
  });

  test("publish: a second publish adds what is new and releases what is lost; what stays keeps its very registration and fires no change", async ({ world }) => {
    await world.owner.evaluate(async () => {
      br.keep["tools"] = br.manager("stays", "goes");
      await (br.keep["bridge"] = br.bridge()).publish(br.keep["tools"], br.setting.publish);
    });
    await world.sees("goes", "stays");
    const seen = await world.owner.evaluate(async () => {
      const { bridge, tools } = br.keep;
      const calls = br.spy("registerTool");
      const again = await bridge.publish(tools, br.setting.publish);
      await br.quiet();
      const log = await br.watch();
      await bridge.publish(tools, br.setting.publish);
      await br.quiet();
      const untouched = [calls.length, log.count];
      tools.remove("goes");
      tools.add(br.tool("comes"));
      const last = await bridge.publish(tools, br.setting.publish);
      await br.eventually(() => log.count === 2, "two changes");
      await br.quiet();
      return { again, untouched, last, calls: calls.map(([tool]) => tool.name), changes: log.count };
    });
    expect(seen.again).toMatchObject({ registered: [], unchanged: ["stays", "goes"], released: [] });
    expect(seen.untouched).toEqual([0, 0]);
    expect(seen.last).toMatchObject({ registered: ["comes"], unchanged: ["stays"], released: ["goes"] });
    expect([seen.calls, seen.changes]).toEqual([["comes"], 2]);
    await world.sees("comes", "stays");
  });

  test("publish: a changed definition is registered anew and runs the new handler", async ({ world }) => {
    await world.owner.evaluate(async () => {
      const tools = new lib.ToolManager([br.tool("a", () => "old")]);
      const bridge = br.bridge();
      await bridge.publish(tools, br.setting.publish);
      tools.add(br.tool("a", () => "new", { description: "changed" }));
      await bridge.publish(tools, br.setting.publish);
    });
    const seen = await world.viewer.evaluate(async () => {
      await br.eventually(async () => (await br.record("a")).description === "changed");
      return (await br.adopted("a")).execute({}, br.context());
    });
    expect(seen).toBe("new");
  });

  test("publish: the same name from a second manager runs the second manager's handler", async ({ world }) => {
    const released = await world.owner.evaluate(async () => {
      const bridge = br.bridge();
      await bridge.publish(new lib.ToolManager([br.tool("a", () => "first"), br.tool("lost")]), br.setting.publish);
      return (await bridge.publish(new lib.ToolManager([br.tool("a", () => "second")]), br.setting.publish)).released;
    });
    expect(released).toEqual(["lost"]);
    await world.sees("a");
    expect(await world.viewer.evaluate(async () => (await br.adopted("a")).execute({}, br.context()))).toBe("second");
  });

  test("publish: a refused tool releases dropped names, keeps carried ones, and the same call converges once the refusal clears", async ({ world }) => {
    const seen = await world.owner.evaluate(async () => {
      const other = br.foreign("b");
      await other.done;
      const tools = br.manager("a", "dropped");
      const bridge = br.bridge();
      await bridge.publish(tools, br.setting.publish);
      tools.remove("dropped");
      tools.add(br.tool("b", () => "ours"));
      tools.add(br.tool("c"));
      const refused = await bridge.publish(tools, br.setting.publish);
      other.release();
      await bridge.publish(tools, br.setting.publish);
      return { refused, status: bridge.status };
    });
    expect(seen.refused).toMatchObject({ registered: ["c"], unchanged: ["a"], released: ["dropped"], skipped: [], blocked: [{ name: "b" }] });
    expect([[...seen.status.registered].sort(), seen.status.blocked]).toEqual([["a", "b", "c"], []]);
    expect(await world.viewer.evaluate(async () => (await br.adopted("b")).execute({}, br.context()))).toBe("ours");
  });

  test("publish: a manager emptied between call and run shows its snapshot and then nothing", async ({ world }) => {
    const seen = await world.owner.evaluate(async () => {
      const tools = br.manager("a");
      const calls = br.spy("registerTool");
      const bridge = br.bridge();
      const publication = bridge.publish(tools, br.setting.publish);
      tools.clear();
      const report = await publication;
      await br.eventually(async () => (await br.listed()).length === 0);
      return { registered: report.registered, calls: calls.map(([tool]) => tool.name), status: bridge.status.registered };
    });
    expect(seen).toEqual({ registered: ["a"], calls: ["a"], status: [] });
    await world.sees();
  });

  test("publish: two queued publications use their own snapshots, and a tool added later cannot reject them", async ({ world }) => {
    const seen = await world.owner.evaluate(async () => {
      const tools = br.manager("one");
      const bridge = br.bridge();
      const first = bridge.publish(tools, { ...br.setting.publish, strict: true });
      tools.add(br.tool("two"));
      const second = bridge.publish(tools, { ...br.setting.publish, strict: true });
      tools.add({ name: "bare", execute: () => 1 });
      const reports = await Promise.all([first, second]);
      await br.eventually(() => bridge.status.skipped.length === 1);
      return reports.map(({ registered, unchanged, skipped }) => ({ registered, unchanged, skipped }));
    });
    expect(seen).toEqual([
      { registered: ["one"], unchanged: [], skipped: [] },
      { registered: ["two"], unchanged: ["one"], skipped: [] },
    ]);
    await world.sees("one", "two");
  });

  test("publish: after destroy nothing is registered", async ({ world }) => {
    const seen = await world.owner.evaluate(async () => {
      const calls = br.spy("registerTool");
      const bridge = br.bridge();
      bridge.destroy();
      const { code } = await kit.outcome(bridge.publish(br.manager("a"), br.setting.publish));
      await br.quiet();
      return { code, calls: calls.length };
    });
    expect(seen).toEqual({ code: "closed", calls: 0 });
    await world.sees();
  });
}
