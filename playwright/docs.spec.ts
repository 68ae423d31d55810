// The documentation: every block of code is run where it says it runs, the site works under its own strict policy,
// and nobody who uses it is left out.

import { execFile } from "node:child_process";
import { build, type Plugin } from "esbuild";
import { mkdtemp, readFile, readdir, rm, symlink, mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { chromium, expect, test, type Browser, type Page } from "@playwright/test";
import { launchOptions } from "./browser.ts";
import { elsewhere } from "./docs_servers.ts";
import { enter, listen } from "./fixtures.ts";
import { openSite, type Site } from "./site.ts";

interface Block {
  page: string;
  line: number;
  lang: string;
  kind?: string;
  plain?: boolean;
  with?: string;
  from?: string;
  code: string;
  setup: string;
  check?: string;
  output?: string;
}

const root = fileURLToPath(new URL("../", import.meta.url));
const { blocksOf } = (await import(new URL("../scripts/docs/fences.mjs", import.meta.url).href)) as { blocksOf(name: string, text: string): Block[] };
const names = (await readdir(join(root, "www", "docs"))).filter((name) => name.endsWith(".md")).map((name) => name.slice(0, -3));
const blocks = (await Promise.all(names.map(async (name) => blocksOf(name, await readFile(join(root, "www", "docs", `${name}.md`), "utf8"))))).flat();
const of = (...kinds: string[]) => blocks.filter(({ kind = "" }) => kinds.includes(kind));
const title = ({ page, line }: Block) => `${page}.md, line ${line}`;

let site: Site;
let browser: Browser;
test.beforeAll(async () => {
  site = await openSite();
  browser = await chromium.launch(launchOptions);
});
test.afterAll(async () => {
  await browser.close();
  await site.close();
});

/** The package is the site's own; whatever else a block imports is bundled into it. */
const own = (url: string): Plugin => ({
  name: "own",
  setup({ onResolve }) {
    onResolve({ filter: /^modelport(?:\/|$)/ }, ({ path }) => ({ path: `${url}/dist/${path === "modelport" ? "index" : path.slice(10)}.js`, external: true }));
  },
});

/** A block as a module without imports but those of the package. What it declares, its check can see. */
async function moduleOf(code: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: root, loader: "js" },
    bundle: true,
    write: false,
    format: "esm",
    target: "esnext",
    plugins: [own(site.url)],
    logLevel: "silent",
  });
  return outputFiles[0]!.text;
}

/** What a page has to run blocks: what is printed, as the pages write it, and a comparison. */
const prepare = (page: Page) =>
  page.evaluate(() => {
    const printed: string[] = [];
    const words = (value: unknown) => (typeof value === "string" ? value : value === undefined ? "undefined" : JSON.stringify(value));
    for (const level of ["log", "warn"] as const) console[level] = (...values: unknown[]) => void printed.push(values.map(words).join(" "));
    const is = (seen: unknown, wanted: unknown) => {
      if (JSON.stringify(seen) !== JSON.stringify(wanted)) throw new Error(`${JSON.stringify(seen)} instead of ${JSON.stringify(wanted)}`);
    };
    Object.assign(globalThis, { printed, is });
  });

async function inPage(plain: boolean, work: (page: Page) => Promise<void>): Promise<void> {
  const other = plain ? await chromium.launch({ ...launchOptions, args: (launchOptions.args ?? []).filter((word) => !word.includes("WebMCP")) }) : undefined;
  const context = await (other ?? browser).newContext();
  try {
    await work(await context.newPage());
  } finally {
    await context.close();
    await other?.close();
  }
}

for (const block of of("page").filter(({ lang }) => lang === "js")) {
  test(`runs: ${title(block)}`, async () => {
    const { code, setup, check = "", output } = block;
    const worker = block.with === "worker" ? await moduleOf(of("worker").find(({ page }) => page === block.page)!.code) : undefined;
    const other = block.with ? await elsewhere[block.with]?.() : undefined;
    expect(!block.with || !!worker || !!other, `nobody knows "${block.with}"`).toBe(true);
    site.traffic.answer = (request, response) => {
      if (!worker || !request.url?.endsWith("/worker.js")) return false;
      response.writeHead(200, { "Content-Type": "text/javascript" }).end(worker);
      return true;
    };
    const text = await moduleOf(`${setup}\n${other ? code.replace(...other.instead) : code}\n${check}`);
    await inPage(block.plain ?? false, async (page) => {
      await page.goto(site.blank());
      await prepare(page);
      for (const [name, tell] of Object.entries(other?.tells ?? {})) await page.exposeFunction(name, tell);
      const printed = await page.evaluate(async (text) => {
        const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
        await (0, eval)(`import(${JSON.stringify(url)})`);
        return (globalThis as any).printed as string[];
      }, text);
      if (output !== undefined) expect(printed.join("\n")).toBe(output);
      else expect(check, "a block shows what it does, by its output or by a check").not.toBe("");
    });
    await other?.close();
  });
}

for (const block of blocks.filter(({ kind, lang }) => kind === "headers" || (kind === "page" && lang === "html"))) {
  test(`holds: ${title(block)}`, async () => {
    const { kind, code, check } = block;
    expect(check).toBeTruthy();
    await inPage(false, async (page) => {
      const other = site.url.replace("localhost", "127.0.0.1");
      const headers = kind === "headers" ? Object.fromEntries(code.split("\n").map((line) => line.split(/: (.*)/).slice(0, 2))) : {};
      const inner = site.blank().replace(site.url, other);
      site.traffic.answer = () => false;
      await enter(page, site, { headers, body: kind === "headers" ? "" : code.replace(/https:\/\/[^"]+/, inner).replaceAll("/node_modules/modelport/", "/") });
      const frame = page.frames().find((one) => one.url().startsWith(other)) ?? page.mainFrame();
      await page.exposeFunction("inFrame", async (text: string) => {
        await frame.evaluate("import('/dist/index.js').then((lib) => { globalThis.lib = lib; return lib.ready(); })");
        return frame.evaluate(text);
      });
      await page.evaluate(() => void Object.assign(globalThis, { is: (seen: unknown, wanted: unknown) => { if (JSON.stringify(seen) !== JSON.stringify(wanted)) throw new Error(`${JSON.stringify(seen)} instead of ${JSON.stringify(wanted)}`); } }));
      await page.evaluate(`(async () => { ${check} })()`);
    });
  });
}

for (const block of of("node")) {
  test(`runs in Node: ${title(block)}`, async () => {
    const folder = await mkdtemp(join(tmpdir(), "modelport-docs-"));
    try {
      await mkdir(join(folder, "node_modules"));
      await symlink(root, join(folder, "node_modules", "modelport"), "dir");
      await writeFile(join(folder, "block.mjs"), block.code);
      const { stdout } = await promisify(execFile)(process.execPath, ["--test-reporter=tap", "block.mjs"], { cwd: folder });
      for (const line of block.output!.split("\n")) expect(stdout).toContain(line);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
}

for (const block of of("part")) {
  test(`is part of what is built and run: ${title(block)}`, async () => {
    const plain = (text: string) => text.replace(/\s+/g, " ");
    expect(plain(await readFile(join(root, block.from!), "utf8"))).toContain(plain(block.code));
  });
}

test("every block says how it is run, and the quick starts' are the smoke test's", () => {
  const elsewhere = new Set(["file", "run", "serve", "call"]);
  const here = new Set(["page", "headers", "node", "part", "worker"]);
  for (const block of blocks) {
    const known = here.has(block.kind ?? "") || (elsewhere.has(block.kind ?? "") && block.page.startsWith("start-"));
    expect(known, `${title(block)}: ${block.kind}`).toBe(true);
  }
  for (const worker of of("worker")) expect(blocks.some((block) => block.with === "worker" && block.page === worker.page)).toBe(true);
});

/** A page of the site as it was built. */
const built = (name: string) => readFile(join(root, "www", "docs", "generated", `${name}.html`), "utf8");

test("every answer of probe() leads to a section that is there", async () => {
  const html = await built("registry");
  const answers = /type Availability = ([^;]+);/.exec(await readFile(join(root, "dist", "model_context.d.ts"), "utf8"))![1]!.match(/[\w-]+/g)!;
  expect(answers.length).toBeGreaterThan(4);
  for (const answer of [...answers, "flag", "origin-trial"]) expect(html).toContain(` id="${answer}"`);
});

test("every reason of load-failed is explained, and every error code has an address", async () => {
  const source = await readFile(join(root, "www", "load.ts"), "utf8");
  const reasons = [...source.matchAll(/\bfailed\(([^,]*),/g)].flatMap(([, first]) => first!.match(/(?<=")[a-z-]+(?=")/g) ?? []);
  expect(reasons.length).toBeGreaterThan(7);
  const [load, codes] = await Promise.all([built("load"), built("codes")]);
  for (const reason of reasons) {
    expect(load).toContain(`<td><code>${reason}</code></td>`);
    expect(codes).toContain(`<tr id="${reason}">`);
  }
  const known = (await readFile(join(root, "src", "core", "code.rs"), "utf8")).match(/(?<=^    [A-Z]\w+ = )"[a-z-]+"/gm)!;
  expect(known.length).toBeGreaterThan(15);
  for (const code of known) expect(codes).toContain(`<tr id=${code}>`);
});

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

for (const [scheme, width] of [["light", 1280], ["dark", 1280], ["light", 360], ["dark", 360]] as const) {
  test(`the site, ${scheme}, ${width} pixels wide: no complaint of the browser's, of axe's, and nothing to scroll sideways`, async () => {
    test.setTimeout(120_000);
    const context = await browser.newContext({ colorScheme: scheme, viewport: { width, height: 900 } });
    const complaints = listen(context);
    const page = await context.newPage();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    site.traffic.answer = () => false;
    const files = (await readdir(join(root, "www", "docs", "generated"))).filter((name) => name.endsWith(".html"));
    expect(files.length).toBeGreaterThan(names.length);
    for (const name of files) {
      await page.goto(`${site.url}/docs/${name}`);
      await page.evaluate(axe);
      const { violations, wide } = await page.evaluate(async () => ({
        violations: ((await (globalThis as any).axe.run()).violations as { id: string; nodes: { html: string }[] }[]).map(({ id, nodes }) => `${id}: ${nodes[0]!.html}`),
        wide: document.documentElement.scrollWidth - innerWidth,
      }));
      expect([name, violations, wide > 0]).toEqual([name, [], false]);
    }
    expect(asked.filter((url) => !url.startsWith(site.url) && !/^(?:blob|data):/.test(url))).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });
}

test("the playground publishes what is typed, and calls it both ways", async () => {
  await inPage(false, async (page) => {
    await page.goto(`${site.url}/docs/playground.html`);
    await expect(page.locator("#state")).toHaveText("In the registry: free_seats.");
    for (const side of ["#in-registry", "#in-mcp"]) await expect(page.locator(side)).toHaveText("free_seats");
    await page.click("#by-registry");
    await expect(page.locator("#outcome")).toContainText('"free": 9');
    await page.fill("#source", 'export default [{ name: "twice", description: "Doubles", execute: ({ n }) => 2 * n }, { name: "mute", execute: () => 1 }];');
    await page.getByRole("button", { name: "Publish" }).click();
    await expect(page.locator("#state")).toContainText("In the registry: twice. mute:");
    await expect(page.locator("#in-registry")).toHaveText("twice");
    await expect(page.locator("#in-mcp")).toHaveText("twice, mute");
    await page.fill("#arguments", '{ "n": 21 }');
    await page.click("#by-mcp");
    await expect(page.locator("#outcome")).toContainText('"text": "42"');
    await expect(page.locator("#log summary").first()).toHaveText(/← result, id/);
    expect(await page.evaluate(async () => (await (document as any).modelContext.getTools()).map(({ name }: { name: string }) => name))).toEqual(["twice"]);
    await page.fill("#source", "export default { name: 7 };");
    await page.getByRole("button", { name: "Publish" }).click();
    await expect(page.locator("#state")).toContainText("That is no tool");
    await page.fill("#arguments", "{");
    await page.click("#by-mcp");
    await expect(page.locator("#outcome")).toContainText("SyntaxError");
  });
});
