// The entries of one package in one page: they share one library, whoever loads it, and however often.

import type {} from "../dist/global.js";
import { expect, test } from "./everywhere.ts";
import type { Traffic } from "./site.ts";

const asked = ({ asked }: Traffic, pattern: RegExp) => asked.filter((path) => pattern.test(path));

test("the inlined wasm is fetched from nowhere, and the other entry finds it there", async ({ openPage, traffic }) => {
  const page = await openPage({ ready: false });
  const seen = await page.evaluate(async () => {
    const address = "/dist/inline.js";
    const inline: typeof lib = await import(address);
    const [one, two] = [inline.ready(), lib.ready()];
    await Promise.all([one, two]);
    return { promise: one === two, classes: inline.ToolManager === lib.ToolManager, size: new lib.ToolManager([{ name: "a", execute: () => 1 }]).size };
  });
  expect(seen).toEqual({ promise: true, classes: true, size: 1 });
  expect(asked(traffic, /\.wasm$/)).toEqual([]);
  expect(asked(traffic, /library\.js$/)).toHaveLength(1);
});

test("the classic script defines one name, finds the wasm beside itself, and has a library of its own", async ({ openPage, traffic }) => {
  const page = await openPage({ ready: false, body: `<script>window.before = Object.keys(window)</script><script src="/dist/global.js"></script><script>window.after = Object.keys(window)</script>` });
  const seen = await page.evaluate(async () => {
    const { before, after } = globalThis as any;
    await Promise.all([modelport.ready(), lib.ready(), modelport.ready()]);
    const outcome = (of: typeof lib) => new of.ToolManager([{ name: "a", execute: () => 1 }]).size;
    return { added: after.filter((name: string) => !before.includes(name) && name !== "before"), sizes: [outcome(modelport as any), outcome(lib)], apart: modelport.ToolManager !== lib.ToolManager as any };
  });
  expect(seen).toEqual({ added: ["modelport"], sizes: [1, 1], apart: true });
  expect(asked(traffic, /\.wasm$/)).toEqual(["/dist/modelport.wasm", "/dist/modelport.wasm"]);
});

test("a classic worker imports the classic script, and finds the wasm by its address", async ({ openPage, site }) => {
  const page = await openPage({ ready: false });
  const size = await page.evaluate(async (url) => {
    const source = `importScripts("${url}/dist/global.js"); modelport.ready("${url}/dist/modelport.wasm").then(() => postMessage(new modelport.ToolManager([{ name: "a", execute() {} }]).size), (error) => postMessage(error.message));`;
    const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    const worker = new Worker(address);
    const said = await new Promise((resolve) => (worker.onmessage = ({ data }) => resolve(data)));
    worker.terminate();
    URL.revokeObjectURL(address);
    return said;
  }, site.url);
  expect(size).toBe(1);
});

test("a module that is replaced fifty times asks for the wasm once, and holds nothing of those before it", async ({ openPage, traffic }) => {
  const page = await openPage({ ready: false });
  const seen = await page.evaluate(async () => {
    // As a dev server does it: the new text of a module is a module of its own, and imports the same library.
    const text = `import { ready, ToolManager, createPageServer } from "${location.origin}/dist/index.js";
      export const made = ready().then(() => createPageServer({ tools: new ToolManager([{ name: "a", execute() {} }]) }));`;
    const counts = new Set();
    let before: any;
    for (let turn = 0; turn < 50; turn++) {
      const address = URL.createObjectURL(new Blob([`${text}//${turn}`], { type: "text/javascript" }));
      const { made } = await import(address);
      // The one that goes may still be waiting.
      before?.then(({ stop }: any) => stop());
      before = made;
      if (turn % 2) await made;
      URL.revokeObjectURL(address);
    }
    (await before).stop();
    await kit.until(() => lib.liveObjects().clients === 0 && lib.liveObjects().sessions === 0);
    counts.add(lib.liveObjects().listeners);
    return [...counts];
  });
  expect(seen).toEqual([0]);
  expect(asked(traffic, /\.wasm$/)).toHaveLength(1);
});
