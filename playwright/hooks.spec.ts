// `modelport/react` at its edges: components that come and go while the wasm loads or tools are being published, tools
// that cannot be, and rendering on a server. What counts is what the browser's registry has. Hot reload: react.spec.ts.

import { execFile } from "node:child_process";
import { build } from "esbuild";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test as base, type Page } from "./fixtures.ts";

const root = fileURLToPath(new URL("../", import.meta.url));

/** React with the hooks in it, in its development build; the library is the page's own. */
const bundled = build({
  stdin: {
    contents: `
      import { createElement, StrictMode } from "react";
      import { createRoot } from "react-dom/client";
      import { flushSync } from "react-dom";
      import { useModelContext, useTool } from "./dist/react.js";
      const container = document.body.appendChild(document.createElement("main"));
      let root;
      /** Components by their keys; what each was told is in \`states\`. */
      export const states = {};
      function One({ id, tool, options, enabled }) {
        states[id] = tool ? useTool(tool, { enabled }) : useModelContext(options);
        return null;
      }
      export const show = (...components) => {
        root ??= createRoot(container);
        flushSync(() => root.render(createElement(StrictMode, null, ...components.map((one) => createElement(One, { key: one.id, ...one })))));
      };
      export const tool = (name, more) => ({ id: name, tool: { name, description: "of " + name, execute: () => name, ...more } });
    `,
    resolveDir: root,
    loader: "js",
  },
  bundle: true,
  write: false,
  format: "esm",
  target: "es2022",
  plugins: [{ name: "own", setup: ({ onResolve }) => onResolve({ filter: /^\.\/index\.js$/ }, () => ({ path: "/dist/index.js", external: true })) }],
});

interface Hooks {
  states: Record<string, { status: string; code?: string; reason?: string; error?: { code?: string } }>;
  show(...components: object[]): void;
  tool(name: string, more?: object): { id: string; tool: object };
}
declare global {
  var hooks: Hooks;
}

interface Wasm {
  /** Keeps the wasm back until it is called. */
  release(): void;
}

const test = base.extend<{ openHooks(options?: { isHeld?: boolean; fails?: number }): Promise<Page & Wasm> }>({
  openHooks: async ({ openPage, traffic }, use) => {
    await use(async ({ isHeld = false, fails = 0 } = {}) => {
      const [text, wasm] = await Promise.all([bundled, readFile(`${root}dist/modelport.wasm`)]);
      let release = () => {};
      const held = isHeld ? new Promise<void>((resolve) => (release = resolve)) : Promise.resolve();
      traffic.answer = ({ url }, response) => {
        if (url === "/hooks.js") response.writeHead(200, { "Content-Type": "text/javascript" }).end(text.outputFiles[0]!.text);
        else if (url === "/dist/modelport.wasm") {
          const status = fails-- > 0 ? 404 : 200;
          void held.then(() => response.writeHead(status, { "Content-Type": "application/wasm" }).end(status === 200 ? wasm : ""));
        } else return false;
        return true;
      };
      const page = await openPage({ ready: false });
      await page.evaluate("import('/hooks.js').then((hooks) => { globalThis.hooks = hooks; })");
      return Object.assign(page, { release });
    });
  },
});

/** What an agent finds: the answer of each tool, by its name. */
const found = (page: Page) =>
  page.evaluate(async () => {
    const all: any[] = await document.modelContext.getTools();
    const answers = await Promise.all(all.map(async (tool) => [tool.name, JSON.parse(await document.modelContext.executeTool(tool, {})).content[0].text]));
    return Object.fromEntries(answers);
  });

const status = (page: Page, id: string) => page.evaluate((id) => hooks.states[id], id);
const statusOf = async (page: Page, id: string) => (await status(page, id))?.status;
/** What this page holds of the library's, once all is over. */
const held = (page: Page) => page.evaluate(() => lib.liveObjects().listeners);

test("a tool that is there before the wasm is published once it has come", async ({ openHooks }) => {
  const page = await openHooks({ isHeld: true });
  await page.evaluate(() => hooks.show(hooks.tool("early"), { id: "page" }));
  expect(await statusOf(page, "early")).toBe("loading");
  expect(await found(page)).toEqual({});
  page.release();
  await expect.poll(() => statusOf(page, "early")).toBe("published");
  expect(await found(page)).toEqual({ early: "early" });
});

test("components that are gone before the wasm has come leave nothing behind", async ({ openHooks }) => {
  const page = await openHooks({ isHeld: true });
  await page.evaluate(() => hooks.show(hooks.tool("early"), { id: "page" }));
  await page.evaluate(() => hooks.show());
  page.release();
  await page.evaluate(() => lib.ready());
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)));
  expect(await held(page)).toBe(0);
  await page.evaluate(() => hooks.show(hooks.tool("late")));
  await expect.poll(() => statusOf(page, "late")).toBe("published");
  expect(await found(page)).toEqual({ late: "late" });
  await page.evaluate(() => hooks.show());
  await expect.poll(() => found(page)).toEqual({});
  await expect.poll(() => held(page)).toBe(0);
});

test("components that leave while they are being published leave nothing that stands in the way of the next", async ({ openHooks }) => {
  const page = await openHooks();
  for (let turn = 0; turn < 10; turn += 1) {
    await page.evaluate(() => hooks.show(hooks.tool("one")));
    await expect.poll(() => statusOf(page, "one")).toBe("published");
    await page.evaluate(async (turn) => {
      const many = Array.from({ length: 200 }, (_, n) => hooks.tool(`many_${n}`));
      hooks.show(hooks.tool("one"), ...many, { id: "page", options: { names: "map", descriptions: "fallback" } });
      for (let wait = 0; wait < turn; wait += 1) await new Promise((resolve) => setTimeout(resolve, 0));
      hooks.show();
      await new Promise((resolve) => setTimeout(resolve, 300));
    }, turn);
    expect(await found(page)).toEqual({});
    await page.evaluate(() => hooks.show(hooks.tool("next")));
    await expect.poll(() => status(page, "next")).toEqual({ status: "published" });
    await page.evaluate(() => hooks.show());
    await expect.poll(() => found(page)).toEqual({});
  }
});

test("how tools are published is what the component says that came last, and as before once it is gone", async ({ openHooks }) => {
  const page = await openHooks();
  const odd = () => page.evaluate(() => hooks.show(hooks.tool("an odd name"), hooks.tool("plain")));
  await odd();
  await expect.poll(() => status(page, "an odd name")).toMatchObject({ status: "skipped", code: "name-not-carriable" });
  await page.evaluate(() => hooks.show(hooks.tool("an odd name"), hooks.tool("plain"), { id: "page", options: { names: "map" } }));
  await expect.poll(() => statusOf(page, "an odd name")).toBe("published");
  expect(Object.values(await found(page)).sort()).toEqual(["an odd name", "plain"]);
  await odd();
  await expect.poll(() => statusOf(page, "an odd name")).toBe("skipped");
  expect(await found(page)).toEqual({ plain: "plain" });
  // What was refused for somebody's options is over with them.
  await page.evaluate(() => hooks.show(hooks.tool("plain"), { id: "bad", options: { origins: ["http://insecure.example"] } }));
  await expect.poll(() => status(page, "bad")).toMatchObject({ status: "failed", error: { message: expect.stringContaining("is not a secure origin") } });
  await page.evaluate(() => hooks.show(hooks.tool("plain"), { id: "page" }));
  await expect.poll(() => statusOf(page, "plain")).toBe("published");
  await expect.poll(() => statusOf(page, "page")).toBe("ready");
  expect(await found(page)).toEqual({ plain: "plain" });
});

test("what cannot be published says so in its own state, and stands in nobody's way", async ({ openHooks }) => {
  const page = await openHooks();
  await page.evaluate(() => {
    const circle: Record<string, unknown> = { type: "object" };
    circle["properties"] = { circle };
    hooks.show(hooks.tool("circle", { inputSchema: circle }), hooks.tool("mute", { description: "" }), hooks.tool("no_function", { execute: 7 }), hooks.tool("good"));
  });
  await expect.poll(() => statusOf(page, "good")).toBe("published");
  expect(await status(page, "circle")).toMatchObject({ status: "skipped", code: "schema-not-serialisable" });
  expect(await status(page, "mute")).toMatchObject({ status: "skipped", code: "description-missing" });
  expect(await status(page, "no_function")).toMatchObject({ status: "failed" });
  expect(await found(page)).toEqual({ good: "good" });
});

test("a wasm that does not come is said by every hook, and asked for again when components come again", async ({ openHooks, expectNoise }) => {
  expectNoise(/404/);
  const page = await openHooks({ fails: 1 });
  await page.evaluate(() => hooks.show(hooks.tool("one"), { id: "page" }));
  await expect.poll(() => page.evaluate(() => [hooks.states["one"], hooks.states["page"]].map((state) => `${state?.status} ${state?.error?.code}`))).toEqual(["failed load-failed", "failed load-failed"]);
  await page.evaluate(() => hooks.show());
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
  await page.evaluate(() => hooks.show(hooks.tool("one")));
  await expect.poll(() => found(page)).toEqual({ one: "one" });
});

test("a tool under another name, switched off, or changed where nobody sees it", async ({ openHooks }) => {
  const page = await openHooks();
  const rename = (name: string, more = {}) => page.evaluate(([name, more]) => hooks.show({ ...hooks.tool(name, more.tool), id: "same", ...more }), [name, more] as [string, any]);
  await rename("first");
  await expect.poll(() => found(page)).toEqual({ first: "first" });
  await rename("second");
  await expect.poll(() => found(page)).toEqual({ second: "second" });
  await rename("second", { enabled: false });
  await expect.poll(() => found(page)).toEqual({});
  expect(await statusOf(page, "same")).toBe("off");
  await rename("second", { enabled: true });
  await expect.poll(() => found(page)).toEqual({ second: "second" });
  const changes = await page.evaluate(async () => {
    let changes = 0;
    document.modelContext.addEventListener("toolchange", () => (changes += 1));
    for (let n = 0; n < 20; n += 1) {
      // A schema is the same whoever wrote it, and in whatever order.
      const inputSchema = n % 2 ? { type: "object", properties: { a: {}, b: {} } } : { properties: { b: {}, a: {} }, type: "object" };
      hooks.show({ ...hooks.tool("second", { execute: () => `call ${n}`, inputSchema }), id: "same" });
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return changes;
  });
  // The schema came once: one tool gone, one there.
  expect(changes).toBe(2);
  expect(await found(page)).toEqual({ second: "call 19" });
});

test("a server renders components with hooks, does nothing and needs nothing of a browser", async () => {
  const program = `
    import { createElement } from "react";
    import { renderToString } from "react-dom/server";
    import { liveObjects } from "modelport";
    import { useModelContext, useTool } from "modelport/react";
    const One = () => createElement("p", null, useTool({ name: "one", execute: () => 1 }).status, " ", useTool({ name: "two", execute: () => 2 }, { enabled: false }).status, " ", useModelContext({ names: "map" }).status);
    console.log(renderToString(createElement(One)));
    setTimeout(() => console.log(Object.values(liveObjects()).join("")), 50);
  `;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program], { cwd: root });
  expect(stderr).toBe("");
  expect(stdout).toBe("<p>loading<!-- --> <!-- -->off<!-- --> <!-- -->loading</p>\n00000000000\n".replace(/0+\n$/, stdout.trim().split("\n").at(-1)! + "\n"));
  expect(stdout.trim().split("\n").at(-1)).toMatch(/^0+$/);
});

test("the hooks' module says that it is for clients, and keeps saying it when it is made small", async () => {
  expect((await readFile(`${root}dist/react.js`, "utf8")).slice(0, 13)).toMatch(/^(["'])use client\1/);
});
