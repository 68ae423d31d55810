// A React page under Vite's development server: StrictMode runs every effect twice, and hot reload runs it again with
// other code. Whatever happens, each tool is registered once, by whoever came last.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";
import { expect, test as base } from "./fixtures.ts";

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

const test = base.extend<{ shopPage: { url: string; edit(edition: number): void } }>({
  shopPage: async ({ page }, use) => {
    mkdirSync(join(root, ".tools"), { recursive: true });
    // Below the checkout, where its packages are found.
    const folder = mkdtempSync(join(root, ".tools", "react-"));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const write = (edition: number) => writeFileSync(join(folder, "shop.js"), shop(edition));
    write(0);
    const server = await createServer({
      configFile: false,
      root: folder,
      cacheDir: join(folder, "cache"),
      logLevel: "error",
      resolve: { alias: { modelport: join(root, "dist", "index.js") } },
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
