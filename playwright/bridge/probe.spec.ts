// `ModelContext.probe()`: whether a document's registry can be used, and what to do (C09, B19).

import { chromium } from "@playwright/test";
import { enter } from "../fixtures.ts";
import { expect, launchOptions, test } from "./world.ts";

const probe = () => lib.ModelContext.probe();

test("C09 B19 ready, blocked by a header, not origin-keyed: three answers that say what to do; MCP goes on without", async ({ open }) => {
  const pages = {
    ready: [{}, /answers/],
    "blocked-by-policy": [{ "Permissions-Policy": "tools=()" }, /Permissions-Policy/],
    "not-origin-keyed": [{ "Origin-Agent-Cluster": "?0" }, /Origin-Agent-Cluster/],
  } as const;
  for (const [status, [headers, words]] of Object.entries(pages)) {
    const page = await open({ headers });
    expect(await page.evaluate(probe)).toEqual({ status, message: expect.stringMatching(words), help: `registry.html#${status}` });
    const seen = await page.evaluate(async () => {
      const tools = br.manager("a");
      const bridge = br.bridge();
      const { registered, skipped, blocked } = await bridge.publish(tools);
      const adopt = await kit.outcome(bridge.adopt());
      const { client, stop } = lib.createPageServer({ tools });
      await client.connect();
      const served = (await client.callTool("a")).content;
      stop();
      return { registered, skipped: skipped.map(({ code }) => code), blocked, adopt: adopt.code, served };
    });
    const fine = status === "ready";
    expect(seen).toEqual({ registered: fine ? ["a"] : [], skipped: fine ? [] : [status], blocked: [], adopt: fine ? undefined : status, served: [{ type: "text", text: "a" }] });
  }
});

test("C09 a frame of another origin without allow=tools is blocked by policy", async ({ open, site }) => {
  const there = site.blank().replace("localhost", "127.0.0.1");
  const page = await open({ body: `<iframe src="${there}"></iframe>` });
  const frame = page.frames()[1]!;
  await frame.waitForLoadState();
  await page.waitForTimeout(80);
  await frame.evaluate("import('/dist/index.js').then((lib) => { globalThis.lib = lib; return lib.ready(); })");
  expect(await frame.evaluate(probe)).toEqual({ status: "blocked-by-policy", message: expect.stringContaining('allow="tools"'), help: "registry.html#blocked-by-policy" });
});

test("C06 absent: without the feature there is no bridge, and the probe says how to switch it on", async ({ open }) => {
  const page = await open({ plain: true });
  const seen = await page.evaluate(async () => [lib.createModelContext() === undefined, await lib.ModelContext.probe()] as const);
  expect(seen).toEqual([true, { status: "absent", message: expect.stringContaining("--enable-features=WebMCP"), help: "registry.html#absent" }]);
});

test("C09 insecure: http by another name than localhost", async ({ site }) => {
  const browser = await chromium.launch({ ...launchOptions, args: [...(launchOptions.args ?? []), "--host-resolver-rules=MAP plain.example 127.0.0.1"] });
  const page = await browser.newPage();
  const named = { ...site, blank: (blank?: object) => site.blank(blank).replace("localhost", "plain.example") };
  await enter(page, named);
  const seen = await page.evaluate(async () => [lib.createModelContext() === undefined, await lib.ModelContext.probe()] as const);
  await browser.close();
  expect(seen).toEqual([true, { status: "insecure", message: expect.stringContaining("https"), help: "registry.html#insecure" }]);
});

test("B16 inactive: documents without a window, and of frames that are gone, are answered without a touch", async ({ open }) => {
  const page = await open();
  const seen = await page.evaluate(async () => {
    await document.modelContext.getTools();
    const frame = document.body.appendChild(document.createElement("iframe"));
    await br.task(80);
    const alive = await lib.ModelContext.probe(frame.contentDocument!);
    const detached = frame.contentDocument!;
    frame.remove();
    const answers: string[] = [alive.status];
    for (const other of [detached, document.implementation.createHTMLDocument()]) answers.push((await lib.ModelContext.probe(other)).help);
    return [...answers, (await lib.ModelContext.probe()).status];
  });
  expect(seen).toEqual(["ready", "registry.html#inactive", "registry.html#inactive", "ready"]);
});
