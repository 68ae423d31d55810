// Content-Security-Policy: with 'wasm-unsafe-eval' nothing is ever violated; without it, and where the wasm may not be
// fetched, the error says which directive to change. Each entry is tried as a page loads it.

import type {} from "../dist/global.js";
import { expect, test, type Tab } from "./everywhere.ts";
import { chosen } from "./engines/chosen.ts";

declare global {
  /** The library as the entry under test brings it. */
  var entry: typeof import("../dist/index.js");
}

const names = ["index", "inline", "global"];

/** A classic script is in the page's HTML, as the policy wants it; the others are imported. */
const bodyFor = (name: string) => (name === "global" ? `<script src="/dist/global.js"></script>` : "");
const load = (page: Pick<Tab, "evaluate">, name: string) =>
  page.evaluate(async (name) => {
    const address = `/dist/${name}.js`;
    globalThis.entry = name === "global" ? modelport : await import(address);
  }, name);

const attempt = (page: Pick<Tab, "evaluate">) =>
  page.evaluate(() => entry.ready().then(() => "ready", (error: any) => ({ code: error.code, reason: error.data?.reason, ours: error instanceof entry.ModelportError, message: error.message as string })));

const policies = {
  strict: "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src data:",
  stricter: "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src data:; require-trusted-types-for 'script'; trusted-types 'none'",
};

for (const [which, csp] of Object.entries(policies)) {
  for (const name of names) {
    test(`${name}: a ${which} policy with 'wasm-unsafe-eval' is never violated, whatever the library does`, async ({ openPage }) => {
      const page = await openPage({ ready: false, csp, body: bodyFor(name) });
      await load(page, name);
      expect(await attempt(page)).toBe("ready");
      const seen = await page.evaluate(async () => {
        const tools = new entry.ToolManager([{ name: "a", description: "d", inputSchema: { type: "object" }, execute: (args, { progress }) => { progress({ progress: 1 }); return args; } }]);
        const { client, stop } = entry.createPageServer({ tools });
        await client.connect();
        await client.callTool("a", { x: 1 }, { progress: () => {} });
        const bridge = entry.createModelContext();
        const report = await bridge?.publish(tools);
        const adopted = await bridge?.adopt();
        const value = await adopted?.[0]?.execute({ x: 2 }, undefined as any);
        bridge?.destroy();
        stop();
        return { registered: report?.registered, value, violations };
      });
      expect(seen).toEqual({ ...(chosen === "chromium" && { registered: ["a"], value: { x: 2 } }), violations: [] });
    });
  }
}

for (const name of names) {
  test(`${name}: a policy without 'wasm-unsafe-eval' is named with the directive to add`, async ({ openPage, expectNoise }) => {
    expectNoise(/Content Security Policy|unsafe-eval/i);
    const page = await openPage({ ready: false, csp: "default-src 'self'; script-src 'self'; img-src data:", body: bodyFor(name) });
    await load(page, name);
    for (let times = 0; times < 2; times++) {
      expect(await attempt(page)).toMatchObject({ code: "load-failed", reason: "csp", ours: true, message: expect.stringMatching(/'wasm-unsafe-eval'.*script-src/) });
    }
    expect(await page.evaluate(async () => (await kit.outcome(() => new entry.ToolManager())).code)).toBe("not-ready");
  });
}

test("a policy that forbids to fetch the wasm is named with the directive to add, and the inlined wasm needs none", async ({ openPage, expectNoise }) => {
  expectNoise(/Content Security Policy|Refused to connect|Fetch API/i);
  const page = await openPage({ ready: false, csp: "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; img-src data:" });
  await load(page, "index");
  expect(await attempt(page)).toMatchObject({ code: "load-failed", reason: "csp-connect", ours: true, message: expect.stringMatching(/connect-src/) });
  expect(await page.evaluate(() => lib.liveObjects().listeners)).toBe(0);
  await load(page, "inline");
  expect(await attempt(page)).toBe("ready");
});

test("a worker names the directive too", async ({ openPage, site, expectNoise }) => {
  expectNoise(/Content Security Policy|Refused to connect|Fetch API/i);
  const page = await openPage({ ready: false, csp: "default-src 'none'; script-src 'self' blob: 'wasm-unsafe-eval'; worker-src 'self' blob:; img-src data:" });
  const seen = await page.evaluate(async (url) => {
    // Such a worker inherits the page's policy.
    const address = URL.createObjectURL(new Blob([`import { ready } from "${url}/dist/index.js"; ready().then(() => postMessage("ready"), ({ code, data }) => postMessage({ code, reason: data.reason }));`], { type: "text/javascript" }));
    const worker = new Worker(address, { type: "module" });
    const said = await new Promise((resolve) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = () => resolve("the worker did not start");
    });
    worker.terminate();
    URL.revokeObjectURL(address);
    return said;
  }, site.url);
  expect(seen).toEqual({ code: "load-failed", reason: "csp-connect" });
});
