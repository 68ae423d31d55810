// Loading: importing does nothing, `ready()` fetches the wasm once for everybody, and every way it
// can fail says what to do.

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";

const WASM = "**/modelport.wasm";

function countWasm(page: Page): { readonly count: number } {
  const counter = { count: 0 };
  page.on("request", (request) => {
    if (request.url().endsWith(".wasm")) counter.count += 1;
  });
  return counter;
}

const attempt = (page: Page) => page.evaluate(async () => {
  try {
    await lib.ready();
    return "ready";
  } catch (error: any) {
    return { code: error.code, ours: error instanceof lib.ModelportError, message: error.message as string };
  }
});

test("importing fetches nothing; overlapping and later calls of ready() share one request and one promise", async ({ openPage, page }) => {
  const wasm = countWasm(page);
  await openPage({ ready: false });
  expect(wasm.count).toBe(0);
  const seen = await page.evaluate(async () => {
    const [one, two] = [lib.ready(), lib.ready()];
    await Promise.all([one, two, lib.ready()]);
    await lib.ready();
    return { same: one === two && one === lib.ready(), size: new lib.ToolManager().size, version: lib.version };
  });
  expect(seen).toEqual({ same: true, size: 0, version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
  expect(wasm.count).toBe(1);
});

test("a failure rejects everybody who waits, and the next call tries again", async ({ openPage, page, expectNoise }) => {
  expectNoise(/Failed to load resource.*(503|ERR_FAILED)|net::ERR_FAILED/);
  await openPage({ ready: false });
  let answer: "error" | "abort" | "good" = "error";
  await page.route(WASM, (route) => {
    if (answer === "error") return route.fulfill({ status: 503, body: "busy" });
    return answer === "abort" ? route.abort() : route.continue();
  });
  const together = await page.evaluate(async () => (await Promise.allSettled([lib.ready(), lib.ready()])).map((one) => (one as PromiseRejectedResult).reason?.code));
  expect(together).toEqual(["load-failed", "load-failed"]);
  answer = "abort";
  expect(await attempt(page)).toMatchObject({ code: "load-failed", ours: true });
  expect(await page.evaluate(async () => (await kit.outcome(() => new lib.ToolManager())).code)).toBe("not-ready");
  answer = "good";
  expect(await attempt(page)).toBe("ready");
  expect(await page.evaluate(() => new lib.ToolManager().size)).toBe(0);
});

test("an HTML page in its place is named as the cause", async ({ openPage, page }) => {
  await openPage({ ready: false });
  await page.route(WASM, (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html><title>app</title>" }));
  const failure = await attempt(page);
  expect(failure).toMatchObject({ code: "load-failed", ours: true, message: expect.stringMatching(/modelport\.wasm.*HTML/) });
});

test("bytes that are no wasm fail, whatever type they claim", async ({ openPage, page }) => {
  await openPage({ ready: false });
  let contentType = "application/wasm";
  await page.route(WASM, (route) => route.fulfill({ contentType, body: "not wasm at all" }));
  expect(await attempt(page)).toMatchObject({ code: "load-failed", ours: true });
  contentType = "application/octet-stream";
  expect(await attempt(page)).toMatchObject({ code: "load-failed", ours: true });
});

for (const contentType of ["application/octet-stream", "text/plain", ""]) {
  test(`a server that serves the wasm as "${contentType}" is good enough`, async ({ openPage, page }) => {
    await openPage({ ready: false });
    await page.route(WASM, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: contentType ? { "content-type": contentType } : {} });
    });
    expect(await attempt(page)).toBe("ready");
  });
}

test("ready() takes an address, a response, bytes and a compiled module", async ({ openPage, page, site }) => {
  for (const source of ["address", "URL", "response", "bytes", "view", "module"]) {
    await openPage({ ready: false });
    const size = await page.evaluate(async ([source, url]) => {
      const bytes = async () => (await fetch(url!)).arrayBuffer();
      const sources: Record<string, () => Promise<any>> = {
        address: async () => url, URL: async () => new URL(url!), response: () => fetch(url!), bytes,
        view: async () => new Uint8Array(await bytes()), module: async () => WebAssembly.compile(await bytes()),
      };
      await lib.ready(await sources[source!]!());
      return new lib.ToolManager([{ name: "a", execute: () => 1 }]).size;
    }, [source, `${site.url}/dist/modelport.wasm`]);
    expect(size, source).toBe(1);
  }
});

test("a Content-Security-Policy without 'wasm-unsafe-eval' is named with the directive to add", async ({ openPage, page, expectNoise }) => {
  expectNoise(/Content Security Policy|unsafe-eval/i);
  await openPage({ ready: false, csp: "default-src 'self'; script-src 'self'" });
  const failure = await attempt(page);
  expect(failure).toMatchObject({ code: "load-failed", ours: true, message: expect.stringContaining("'wasm-unsafe-eval'") });
});

test("with 'wasm-unsafe-eval' a strict policy is never violated, whatever the library does", async ({ openPage, page }) => {
  await page.addInitScript(() => {
    (globalThis as any).violations = [];
    addEventListener("securitypolicyviolation", (event) => (globalThis as any).violations.push(event.violatedDirective));
  });
  await openPage({ csp: "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src data:; require-trusted-types-for 'script'; trusted-types 'none'" });
  const seen = await page.evaluate(async () => {
    const tools = new lib.ToolManager([{ name: "a", description: "d", inputSchema: { type: "object" }, execute: (args, { progress }) => { progress({ progress: 1 }); return args; } }]);
    const { client, stop } = lib.createPageServer({ tools });
    await client.connect();
    await client.callTool("a", { x: 1 }, { progress: () => {} });
    const bridge = lib.createModelContext();
    const report = await bridge?.publish(tools);
    const adopted = await bridge?.adopt();
    const value = await adopted?.[0]?.execute({ x: 2 }, undefined as any);
    bridge?.destroy();
    stop();
    return { registered: report?.registered, value, violations: (globalThis as any).violations };
  });
  expect(seen).toEqual({ registered: ["a"], value: { x: 2 }, violations: [] });
});

test("Node imports it without a document, does nothing, and ends", async () => {
  const entry = new URL("../dist/index.js", import.meta.url).href;
  const program = `
    const before = Object.keys(globalThis).length;
    const lib = await import(${JSON.stringify(entry)});
    let code;
    try { new lib.ToolManager(); } catch (error) { code = error.code; }
    const loop = process.getActiveResourcesInfo().filter((kind) => !/^(FS|Pipe|TTY|TickObject|Close)/.test(kind));
    console.log(JSON.stringify({ code, grown: Object.keys(globalThis).length - before, exports: Object.keys(lib).includes("ready"), loop }));`;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], { cwd: fileURLToPath(new URL("..", import.meta.url)), timeout: 20_000 });
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual({ code: "not-ready", grown: 0, exports: true, loop: [] });
});
