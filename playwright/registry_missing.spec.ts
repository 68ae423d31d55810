// C60: where the browser has no registry of tools, that is said, and MCP goes on without it.

import { chosen } from "./engines/chosen.ts";
import { embed, expect, test, type Pane } from "./everywhere.ts";

const look = (pane: Pane) =>
  pane.evaluate(async () => {
    const tools = new lib.ToolManager([{ name: "echo", execute: (args) => args }]);
    const bridge = lib.createModelContext();
    const probe = await lib.ModelContext.probe();
    const gone = (await lib.ModelContext.probe(document.implementation.createHTMLDocument())).status;
    const { client, stop } = lib.createPageServer({ tools });
    await client.connect();
    const served = (await client.callTool("echo", { a: 1 })).structuredContent;
    stop();
    return { native: "modelContext" in document, bridge: bridge !== undefined, probe, gone, served };
  });

test("the probe says whether there is a registry, a bridge is there exactly then, and pages serve in any case", async ({ openPage, site }) => {
  const page = await openPage();
  const frame = await embed(page, site.blank());
  for (const pane of [page, frame]) {
    const has = chosen === "chromium";
    const probe = has ? { status: "ready", message: expect.any(String), help: "registry.html#ready" } : { status: "absent", message: expect.stringContaining("no document.modelContext"), help: "registry.html#absent" };
    expect(await look(pane)).toEqual({ native: has, bridge: has, probe, gone: "inactive", served: { a: 1 } });
  }
});

test("in a worker there is none anywhere", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const code = `import * as lib from "${location.origin}/dist/index.js";
      await lib.ready();
      postMessage([lib.createModelContext() === undefined, (await lib.ModelContext.probe()).status]);`;
    const worker = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })), { type: "module" });
    const { data } = await new Promise<MessageEvent>((resolve, reject) => ((worker.onmessage = resolve), (worker.onerror = reject)));
    worker.terminate();
    return data;
  });
  expect(seen).toEqual([true, expect.stringMatching(/absent|inactive/)]);
});

test("the page is the browser's that this run is about", async ({ openPage }) => {
  const page = await openPage();
  const agent = await page.evaluate(() => navigator.userAgent);
  const marks = { chromium: /Chrome\//, firefox: /Firefox\//, webkit: /AppleWebKit\/(?!.*Chrome)/ };
  expect(agent).toMatch(marks[chosen]);
});
