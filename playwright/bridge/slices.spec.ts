// A large publication lets the page have its turn in between. How long it takes is for the benchmark to say; here
// registrations are made slow, and what happens between them is seen by its place among them.

import type { Frame } from "@playwright/test";
import { expect, test } from "./world.ts";

const COUNT = 120;

/** Registrations take a millisecond each from now on; `between(work)` runs it once as a task of the page between two of them. */
const prepare = (owner: Frame) =>
  owner.evaluate((count) => {
    const names = Array.from({ length: count }, (_, index) => `t${index}`);
    const registered: string[] = [];
    br.wrap("registerTool", (call, args) => {
      const end = performance.now() + 1;
      while (performance.now() < end);
      registered.push(args[0].name);
      return call(...args);
    });
    /** Calls `look` in tasks of its own until `stop()`. */
    const inTurns = (look: () => void) => {
      let goes = true;
      const turn = () => {
        if (!goes) return;
        look();
        setTimeout(turn);
      };
      setTimeout(turn);
      return () => void (goes = false);
    };
    const between = (work: () => void) => {
      const stop = inTurns(() => {
        if (registered.length === 0 || registered.length >= count) return;
        stop();
        work();
      });
      return stop;
    };
    Object.assign(br.keep, { names, registered, inTurns, between });
  }, COUNT);

test("tasks of the page run between the registrations of a large publication, which keep the manager's order", async ({ world }) => {
  await prepare(world.owner);
  const seen = await world.owner.evaluate(async () => {
    const { names, registered, inTurns } = br.keep as any;
    const turns = new Set<number>();
    const stop = inTurns(() => turns.add(registered.length));
    const report = await br.bridge().publish(br.manager(...names));
    stop();
    return { names, registered, reported: report.registered, between: [...turns].filter((count) => count > 0 && count < names.length).length };
  });
  expect(seen.registered).toEqual(seen.names);
  expect(seen.reported).toEqual(seen.names);
  expect(seen.between).toBeGreaterThan(1);
});

test("a few tools are registered before the page's next task, however slow that is", async ({ world }) => {
  await prepare(world.owner);
  const seen = await world.owner.evaluate(async () => {
    const { registered } = br.keep as any;
    const publication = br.bridge().publish(br.manager("a", "b", "c"));
    const { port1, port2 } = new MessageChannel();
    const next = new Promise<string[]>((resolve) => (port1.onmessage = () => (port1.close(), resolve([...registered]))));
    port2.postMessage(0);
    return { next: await next, report: (await publication).registered };
  });
  expect(seen).toEqual({ next: ["a", "b", "c"], report: ["a", "b", "c"] });
});

test("destroy midway leaves nothing registered, registers nothing more, and the publication settles", async ({ world }) => {
  await prepare(world.owner);
  const seen = await world.owner.evaluate(async () => {
    const { names, registered, between } = br.keep as any;
    const bridge = br.bridge();
    let midway = 0;
    between(() => {
      midway = registered.length;
      bridge.destroy();
    });
    const report = await bridge.publish(br.manager(...names));
    const listed = await br.listed();
    await br.quiet();
    return { midway: midway > 0, more: registered.length - midway, report: report.registered, listed, later: await br.listed() };
  });
  expect(seen).toEqual({ midway: true, more: 0, report: [], listed: [], later: [] });
});

test("what changes midway ends as the manager has it", async ({ world }) => {
  await prepare(world.owner);
  const seen = await world.owner.evaluate(async () => {
    const { names, between } = br.keep as any;
    const tools = br.manager(...names);
    const bridge = br.bridge();
    let changed = false;
    between(() => {
      changed = true;
      const [first, last] = [names[0], names.at(-1)];
      tools.remove(first);
      tools.remove(last);
      tools.add(br.tool(names[1], () => "early", { description: "early" }));
      tools.add(br.tool(names.at(-2), () => "late", { description: "late" }));
      tools.add(br.tool("more"));
    });
    await bridge.publish(tools);
    await br.eventually(() => bridge.status.registered.includes("more") && !bridge.status.registered.includes(names[0]), "the change");
    const described = async (name: string) => (await br.record(name)).description;
    const wanted = [...tools].map(({ name }) => name).sort();
    return { changed, wanted, listed: await br.listed(), early: await described(names[1]), late: await described(names.at(-2)) };
  });
  expect(seen.listed).toEqual(seen.wanted);
  expect(seen).toMatchObject({ changed: true, early: "early", late: "late" });
});

test("tools that are all replaced are there at every moment, and answer", async ({ world }) => {
  await prepare(world.owner);
  const seen = await world.owner.evaluate(async () => {
    const { names, registered, inTurns } = br.keep as any;
    const bridge = br.bridge();
    await bridge.publish(br.manager(...names));
    const last = await br.record(names.at(-1));
    registered.length = 0;
    const looks: Promise<[number, string]>[] = [];
    const stop = inTurns(() => {
      if (registered.length === 0 || registered.length >= names.length) return;
      looks.push(Promise.all([br.listed().then(({ length }) => length), br.registry().executeTool(last, {}).then((answer: string) => JSON.parse(answer).content[0].text)]));
    });
    const again = new lib.ToolManager(names.map((name: string) => br.tool(name, () => "anew", { description: "another" })));
    const report = await bridge.publish(again);
    stop();
    const seen = await Promise.all(looks);
    return { looks: seen.length > 0, counts: [...new Set(seen.map(([count]) => count))], answers: [...new Set(seen.map(([, answer]) => answer))], report: report.registered.length, released: report.released.length, end: (await br.listed()).length };
  });
  expect(seen).toEqual({ looks: true, counts: [COUNT], answers: ["anew"], report: COUNT, released: 0, end: COUNT });
});
