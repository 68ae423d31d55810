// Copies, reloads, mounts and the back/forward cache (C01, C18).

import { chromium } from "@playwright/test";
import { enter, listen, settle } from "../fixtures.ts";
import { expect, launchOptions, test } from "./world.ts";

test("C01 two copies of the library in one page share names in peace, and neither takes the other's tools", async ({ open }) => {
  const page = await open();
  await page.evaluate("import('/dist/library.js?copy=2').then((lib) => { globalThis.copy = lib; return lib.ready('/dist/modelport.wasm'); })");
  const seen = await page.evaluate(async () => {
    const copy = (globalThis as any).copy as typeof lib;
    const second = copy.createModelContext()!;
    const first = lib.createModelContext()!;
    const one = await first.publish(br.manager("shared", "one"));
    const tools = new copy.ToolManager([br.tool("shared", () => "second"), br.tool("two")]);
    const two = await second.publish(tools);
    const across = (await second.adopt()).map(({ name, own }) => [name, own]);
    const value = await (await second.adopt()).find(({ name }) => name === "one")!.execute({}, br.context());
    first.destroy();
    await br.eventually(() => second.status.registered.length === 2, "the freed name");
    const left = await br.listed();
    const answer = JSON.parse(await br.callRaw("shared")).content[0].text;
    second.destroy();
    return { distinct: copy !== lib && copy.ToolManager !== lib.ToolManager, one: one.registered, two, across, value, left, answer, end: await br.listed() };
  });
  expect(seen).toMatchObject({ distinct: true, one: ["shared", "one"], two: { registered: ["two"], blocked: [{ name: "shared", by: "bridge" }] }, left: ["shared", "two"], value: "one", answer: "second", end: [] });
  expect(seen.across).toEqual([["one", false], ["shared", false], ["two", true]]);
});

test("C01 50 hot reloads leave one set of tools, run the last code, and make no noise", async ({ open }) => {
  const page = await open();
  const seen = await page.evaluate(async () => {
    let dispose = () => {};
    for (let version = 0; version < 50; version += 1) {
      dispose();
      const tools = new lib.ToolManager([br.tool("a", () => `version ${version}`), br.tool("b")]);
      const bridge = lib.createModelContext()!;
      const publication = bridge.publish(tools);
      dispose = () => bridge.destroy();
      // Reloads come at any time, also amid a publication.
      if (version % 3 === 0) await publication;
    }
    await br.eventually(async () => (await br.listed()).length === 2);
    await br.quiet();
    const answer = JSON.parse(await br.callRaw("a")).content[0].text;
    const listed = await br.listed();
    dispose();
    return { listed, answer, left: await br.listed() };
  });
  expect(seen).toEqual({ listed: ["a", "b"], answer: "version 49", left: [] });
});

test("C01 an effect that mounts, unmounts and mounts again in one turn leaves one tool that runs the second's code", async ({ open }) => {
  const page = await open();
  const seen = await page.evaluate(async () => {
    const tools = new lib.ToolManager();
    const bridge = lib.createModelContext()!;
    await bridge.publish(tools);
    const effect = (answer: string) => {
      const controller = new AbortController();
      tools.add(br.tool("cart_get", () => answer), { signal: controller.signal });
      return () => controller.abort();
    };
    const own = (answer: string) => {
      const mounted = lib.createModelContext()!;
      void mounted.publish(new lib.ToolManager([br.tool("own", () => answer)]));
      return () => mounted.destroy();
    };
    effect("first")();
    own("first")();
    effect("second");
    own("second");
    await br.eventually(async () => (await br.listed()).length === 2);
    await br.quiet();
    const text = async (name: string) => JSON.parse(await br.callRaw(name)).content[0].text;
    const answers = [await text("cart_get"), await text("own")];
    // Registered twice with no release in between: the second is told, the first is untouched.
    const twice = await lib.createModelContext()!.publish(new lib.ToolManager([br.tool("cart_get", () => "third")]));
    return { answers, blocked: twice.blocked.map(({ name }) => name), still: await text("cart_get") };
  });
  expect(seen).toEqual({ answers: ["second", "second"], blocked: ["cart_get"], still: "second" });
});

test("back/forward cache: everything is back, once, and goes on", async ({ site, helpers }) => {
  const browser = await chromium.launch({ ...launchOptions, ignoreDefaultArgs: ["--disable-back-forward-cache"] });
  const context = await browser.newContext();
  await context.addInitScript(helpers);
  const complaints = listen(context);
  const page = await context.newPage();
  await enter(page, site);
  await page.evaluate(async () => {
    const tools = (br.keep["tools"] = br.manager("a", "b"));
    const bridge = (br.keep["bridge"] = br.bridge());
    br.keep["events"] = br.hear(bridge, "toolchange", "report");
    await bridge.publish(tools);
    br.keep["live"] = await lib.createModelContext()!.adopt({ live: true });
    window.addEventListener("pageshow", (event) => (br.keep["persisted"] = event.persisted));
  });
  await page.goto(site.blank());
  await page.goBack({ waitUntil: "commit" });
  const seen = await page.evaluate(async () => {
    const { tools, bridge, live } = br.keep as any;
    const listed = await br.listed();
    const { registered } = bridge.status;
    tools.add(br.tool("c"));
    tools.remove("a");
    await br.eventually(async () => (await br.listed()).join() === "b,c");
    await br.eventually(() => live.size === 2);
    const answer = JSON.parse(await br.callRaw("c")).content[0].text;
    bridge.destroy();
    return { persisted: br.keep["persisted"], listed, registered, answer, left: await br.listed() };
  });
  await settle(context);
  await browser.close();
  expect(seen).toEqual({ persisted: true, listed: ["a", "b"], registered: ["a", "b"], answer: "c", left: [] });
  expect(complaints).toEqual([]);
});
