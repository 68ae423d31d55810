// Loading: importing does nothing, `ready()` fetches the wasm once for everybody, and every way it
// can fail says what to do.

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, native, test, type Tab } from "./everywhere.ts";
import { chosen } from "./engines/chosen.ts";
import type { Traffic } from "./site.ts";

const isWasm = (path = "") => path.endsWith(".wasm");
const wasmAsked = ({ asked }: Traffic) => asked.filter(isWasm).length;

/** Sees to it that the wasm is answered so, with no end of the connection, or not at all. */
function answerWasm(traffic: Traffic, status: number | "abort", contentType = "", body: string | Buffer = ""): void {
  traffic.answer = ({ url }, response) => {
    if (!isWasm(url)) return false;
    if (status === "abort") response.destroy();
    else response.writeHead(status, contentType ? { "Content-Type": contentType } : {}).end(body);
    return true;
  };
}

const attempt = (page: Tab) => page.evaluate(async () => {
  try {
    await lib.ready();
    return "ready";
  } catch (error: any) {
    return { code: error.code, ours: error instanceof lib.ModelportError, message: error.message as string };
  }
});

test("importing fetches nothing; overlapping and later calls of ready() share one request and one promise", async ({ openPage, traffic }) => {
  const page = await openPage({ ready: false });
  expect(wasmAsked(traffic)).toBe(0);
  const seen = await page.evaluate(async () => {
    const [one, two] = [lib.ready(), lib.ready()];
    await Promise.all([one, two, lib.ready()]);
    await lib.ready();
    return { same: one === two && one === lib.ready(), size: new lib.ToolManager().size, version: lib.version };
  });
  expect(seen).toEqual({ same: true, size: 0, version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
  expect(wasmAsked(traffic)).toBe(1);
});

test("a failure rejects everybody who waits, and the next call tries again", async ({ openPage, traffic, expectNoise }) => {
  expectNoise(/Failed to load resource.*(503|ERR_)|net::ERR_/);
  const page = await openPage({ ready: false });
  answerWasm(traffic, 503, "text/plain", "busy");
  const together = await page.evaluate(async () => (await Promise.allSettled([lib.ready(), lib.ready()])).map((one) => (one as PromiseRejectedResult).reason?.code));
  expect(together).toEqual(["load-failed", "load-failed"]);
  answerWasm(traffic, "abort");
  expect(await attempt(page)).toMatchObject({ code: "load-failed", ours: true });
  expect(await page.evaluate(async () => (await kit.outcome(() => new lib.ToolManager())).code)).toBe("not-ready");
  traffic.answer = () => false;
  expect(await attempt(page)).toBe("ready");
  expect(await page.evaluate(() => new lib.ToolManager().size)).toBe(0);
});

test("an HTML page in its place is named as the cause", async ({ openPage, traffic }) => {
  const page = await openPage({ ready: false });
  answerWasm(traffic, 200, "text/html", "<!doctype html><title>app</title>");
  const failure = await attempt(page);
  expect(failure).toMatchObject({ code: "load-failed", ours: true, message: expect.stringMatching(/modelport\.wasm.*HTML/) });
});

test("bytes that are no wasm fail, whatever type they claim", async ({ openPage, traffic }) => {
  const page = await openPage({ ready: false });
  for (const type of ["application/wasm", "application/octet-stream"]) {
    answerWasm(traffic, 200, type, "not wasm at all");
    expect(await attempt(page)).toMatchObject({ code: "load-failed", ours: true });
  }
});

for (const contentType of ["application/octet-stream", "text/plain", ""]) {
  test(`a server that serves the wasm as "${contentType}" is good enough`, async ({ openPage, traffic }) => {
    const page = await openPage({ ready: false });
    answerWasm(traffic, 200, contentType, await readFile(new URL("../dist/modelport.wasm", import.meta.url)));
    expect(await attempt(page)).toBe("ready");
  });
}

test("ready() takes an address, a response, bytes and a compiled module", async ({ openPage, site }) => {
  for (const source of ["address", "URL", "response", "bytes", "view", "module"]) {
    const page = await openPage({ ready: false });
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

test("a Content-Security-Policy without 'wasm-unsafe-eval' is named with the directive to add", async ({ openPage, expectNoise }) => {
  expectNoise(/Content Security Policy|unsafe-eval/i);
  const page = await openPage({ ready: false, csp: "default-src 'self'; script-src 'self'" });
  const failure = await attempt(page);
  expect(failure).toMatchObject({ code: "load-failed", ours: true, message: expect.stringContaining("'wasm-unsafe-eval'") });
});

test("with 'wasm-unsafe-eval' a strict policy is never violated, whatever the library does", async ({ openPage }) => {
  const page = await openPage({ csp: "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src data:; require-trusted-types-for 'script'; trusted-types 'none'" });
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
    return { registered: report?.registered, value, violations };
  });
  expect(seen).toEqual({ ...(chosen === "chromium" && { registered: ["a"], value: { x: 2 } }), violations: [] });
});

native("node")("Node imports it without a document, does nothing, and ends", async () => {
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
