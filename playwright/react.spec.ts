// A React page under Vite's development server: StrictMode runs every effect twice, and hot reload runs it again with
// other code. Whatever happens, each tool is registered once, by whoever came last.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";
import { expect, test as base, type Page } from "./fixtures.ts";

const root = fileURLToPath(new URL("../", import.meta.url));

const files = {
  "index.html": `<!doctype html><html lang="en"><title>React</title><link rel="icon" href="data:,"><div id="root"></div><script type="module" src="/main.js"></script></html>`,
  "main.js": `
    import { createElement, StrictMode } from "react";
    import { createRoot } from "react-dom/client";
    import { ready } from "modelport";
    import { Shop } from "./shop.js";
    await ready();
    const root = createRoot(document.querySelector("#root"));
    const show = (Shop) => root.render(createElement(StrictMode, null, createElement(Shop)));
    show(Shop);
    import.meta.hot.accept("./shop.js", (next) => show(next.Shop));
  `,
};

const shop = (edition: number) => `
  import { createElement, useEffect } from "react";
  import { createModelContext, ToolManager } from "modelport";
  export function Shop() {
    useEffect(() => {
      globalThis.effects = (globalThis.effects ?? 0) + 1;
      const bridge = createModelContext();
      const tools = new ToolManager(["order", "refund"].map((name) => ({ name, description: name + " of edition ${edition}", execute: () => "${edition}" })));
      bridge.publish(tools).then((report) => (globalThis.report = report));
      return () => bridge.destroy();
    }, []);
    return createElement("h1", null, "edition ${edition}");
  }
`;

/** The same by the hooks: what an agent sees changes with every edition, and what a call does with every click. */
const hooked = (edition: number) => `
  import { createElement, useState } from "react";
  import { useModelContext, useTool } from "modelport/react";
  function Refund({ loud }) {
    const { status } = useTool({ name: "refund", description: loud ? "refund!" : "refund", execute: () => "refund of edition ${edition}" });
    return createElement("p", { id: "refund" }, status);
  }
  function Rival({ name }) {
    const { status } = useTool({ name, description: "a rival", execute: () => "the rival" });
    return createElement("p", { id: "rival" }, status);
  }
  export function Shop() {
    const [count, setCount] = useState(0);
    const [shown, setShown] = useState("refund");
    globalThis.show = setShown;
    const page = useModelContext();
    const order = useTool({
      name: "order",
      description: "order of edition ${edition}",
      inputSchema: { type: "object", properties: { by: { type: "integer" } } },
      execute: ({ by = 1 }) => (setCount(count + by), count + by + " in edition ${edition}"),
    });
    return createElement("main", null,
      createElement("h1", null, "edition ${edition}"),
      createElement("output", null, count),
      createElement("p", { id: "page" }, page.status),
      createElement("p", { id: "order" }, order.status),
      shown === "nothing" ? null : createElement(Refund, { loud: shown.endsWith("!") }),
      shown.startsWith("rival ") ? createElement(Rival, { name: shown.slice(6).replace("!", "") }) : null);
  }
`;

const test = base.extend<{ source: { of(edition: number): string }; shopPage: { url: string; edit(edition: number): void } }>({
  source: [{ of: shop }, { option: true }],
  shopPage: async ({ page, source }, use) => {
    mkdirSync(join(root, ".tools"), { recursive: true });
    // Below the checkout, where its packages are found.
    const folder = mkdtempSync(join(root, ".tools", "react-"));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const write = (edition: number) => writeFileSync(join(folder, "shop.js"), source.of(edition));
    write(0);
    const server = await createServer({
      configFile: false,
      root: folder,
      cacheDir: join(folder, "cache"),
      logLevel: "error",
      resolve: { alias: [{ find: /^modelport$/, replacement: join(root, "dist", "index.js") }, { find: /^modelport\/react$/, replacement: join(root, "dist", "react.js") }] },
      optimizeDeps: { include: ["react", "react-dom/client"] },
      // Told of changes by the test: a watcher on a busy machine misses some that follow each other closely.
      server: { host: "localhost", fs: { allow: [root] }, watch: null },
    });
    const edit = (edition: number) => {
      write(edition);
      server.watcher.emit("change", join(folder, "shop.js"));
    };
    await server.listen();
    await use({ url: server.resolvedUrls!.local[0]!, edit });
    // Vite's client complains of a server that ends before it.
    await page.goto("about:blank");
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  },
});

test("StrictMode and ten hot reloads leave one registration of each tool, of the newest code, and no complaint", async ({ page, shopPage }) => {
  test.setTimeout(60_000);
  await page.goto(shopPage.url);
  await page.evaluate(() => void ((globalThis as any).sameDocument = true));
  const registered = () =>
    page.evaluate(async () => {
      const all = await document.modelContext.getTools();
      const answers = await Promise.all(all.map((tool: any) => document.modelContext.executeTool(tool, {}).then((text: string) => JSON.parse(text).content[0].text, String)));
      return all.map(({ name, description }: any, index: number) => `${name}, ${description}: ${answers[index]}`).sort();
    });
  for (let edition = 0; edition <= 10; edition += 1) {
    if (edition > 0) shopPage.edit(edition);
    await expect(page.locator("h1")).toHaveText(`edition ${edition}`);
    await expect.poll(registered).toEqual(["order", "refund"].map((name) => `${name}, ${name} of edition ${edition}: ${edition}`));
  }
  const seen = await page.evaluate(() => {
    const { effects, report, sameDocument } = globalThis as any;
    return { effects, report, sameDocument };
  });
  // Twice for each mount, and never a reload of the whole page instead.
  expect(seen).toMatchObject({ effects: 22, sameDocument: true, report: { registered: ["order", "refund"], skipped: [], blocked: [] } });
});

/** What an agent finds: each tool's name and description, and its answer to a call. */
const found = (page: Page) =>
  page.evaluate(async () => {
    const all = await document.modelContext.getTools();
    const answers = await Promise.all(all.map((tool: any) => document.modelContext.executeTool(tool, {}).then((text: string) => JSON.parse(text).content[0].text, String)));
    return all.map(({ name, description }: any, index: number) => `${name} (${description}): ${answers[index]}`).sort();
  });

const withHooks = test.extend({ source: { of: hooked } });

withHooks("hooks: fifty hot reloads under StrictMode leave each tool once, of the newest code, and lose none", async ({ page, shopPage }) => {
  test.setTimeout(180_000);
  await page.goto(shopPage.url);
  await page.evaluate(() => void ((globalThis as any).sameDocument = true));
  for (let edition = 0; edition <= 50; edition += 1) {
    if (edition > 0) shopPage.edit(edition);
    await expect(page.locator("h1")).toHaveText(`edition ${edition}`);
    // The new code is another component, so that its count begins anew.
    await expect(page.locator("#order")).toHaveText("published");
    await expect(page.locator("#refund")).toHaveText("published");
    expect(await found(page)).toEqual([`order (order of edition ${edition}): 1 in edition ${edition}`, `refund (refund): refund of edition ${edition}`]);
  }
  expect(await page.evaluate(() => (globalThis as any).sameDocument)).toBe(true);
});

withHooks("hooks: the newest state answers without a new registration, and components come, go and take names from each other", async ({ page, shopPage }) => {
  await page.goto(shopPage.url);
  await expect(page.locator("#order")).toHaveText("published");
  await expect(page.locator("#page")).toHaveText("ready");
  const seen = await page.evaluate(async () => {
    let changes = 0;
    document.modelContext.addEventListener("toolchange", () => (changes += 1));
    const [tool] = (await document.modelContext.getTools()).filter(({ name }: any) => name === "order");
    const answers: string[] = [];
    for (let call = 0; call < 3; call += 1) {
      answers.push(JSON.parse(await document.modelContext.executeTool(tool, { by: 2 })).content[0].text);
      // React shows the new state in a task of its own.
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return { answers, changes };
  });
  expect(seen).toEqual({ answers: ["2 in edition 0", "4 in edition 0", "6 in edition 0"], changes: 0 });
  await expect(page.locator("output")).toHaveText("6");

  const show = (what: string) => page.evaluate((what) => (globalThis as any).show(what), what);
  const names = () => page.evaluate(async () => (await document.modelContext.getTools()).map(({ name, description }: any) => `${name}: ${description}`).sort());
  await show("nothing");
  await expect.poll(names).toEqual(["order: order of edition 0"]);
  await show("rival refund");
  await expect(page.locator("#rival")).toHaveText("published");
  await expect(page.locator("#refund")).toHaveText("replaced");
  expect(await names()).toEqual(["order: order of edition 0", "refund: a rival"]);
  // A tool that changes does not take the name back.
  await show("rival refund!");
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
  expect(await names()).toEqual(["order: order of edition 0", "refund: a rival"]);
  await expect(page.locator("#refund")).toHaveText("replaced");
  await show("rival other");
  await expect(page.locator("#refund")).toHaveText("published");
  await expect(page.locator("#rival")).toHaveText("published");
  expect(await names()).toEqual(["order: order of edition 0", "other: a rival", "refund: refund"]);
  // What the registry does not take is said where the tool is.
  await show("rival not a name");
  await expect(page.locator("#rival")).toHaveText("skipped");
  await show("refund");
  await expect.poll(names).toEqual(["order: order of edition 0", "refund: refund"]);
});
