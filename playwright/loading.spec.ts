// Loading: importing does nothing, `ready()` fetches the wasm once for everybody, and every way it
// can fail says what to do.

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, native, test, type Tab } from "./everywhere.ts";
import { enter } from "./fixtures.ts";
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

const attempt = (page: Pick<Tab, "evaluate">) => page.evaluate(async () => {
  try {
    await lib.ready();
    return "ready";
  } catch (error: any) {
    return { code: error.code, reason: error.data?.reason, status: error.data?.status, ours: error instanceof lib.ModelportError, message: error.message as string };
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
  expect(await attempt(page)).toMatchObject({ reason: "http", status: 503, message: expect.stringMatching(/modelport\.wasm answered 503/) });
  answerWasm(traffic, "abort");
  expect(await attempt(page)).toMatchObject({ code: "load-failed", reason: "unreachable", ours: true });
  expect(await page.evaluate(async () => (await kit.outcome(() => new lib.ToolManager())).code)).toBe("not-ready");
  traffic.answer = () => false;
  expect(await attempt(page)).toBe("ready");
  expect(await page.evaluate(() => new lib.ToolManager().size)).toBe(0);
});

for (const type of ["text/html; charset=utf-8", "application/octet-stream"]) {
  test(`an HTML page in its place, as "${type}", is named as the cause`, async ({ openPage, traffic }) => {
    const page = await openPage({ ready: false });
    answerWasm(traffic, 200, type, "<!doctype html><title>app</title>");
    expect(await attempt(page)).toMatchObject({ code: "load-failed", reason: "html", ours: true, message: expect.stringMatching(/modelport\.wasm is an HTML page/) });
  });
}

test("bytes that are no wasm fail, whatever type they claim", async ({ openPage, traffic }) => {
  const page = await openPage({ ready: false });
  for (const type of ["application/wasm", "application/octet-stream", "text/plain"]) {
    for (const body of ["not wasm at all", ""]) {
      answerWasm(traffic, 200, type, body);
      expect(await attempt(page), `${type}: ${body}`).toMatchObject({ code: "load-failed", reason: "not-wasm", ours: true });
    }
  }
});

test("another program's wasm, and that of another build of ours, are not started", async ({ openPage, traffic }) => {
  const page = await openPage({ ready: false });
  const ours = await readFile(new URL("../dist/modelport.wasm", import.meta.url));
  const marked = ours.lastIndexOf("modelport") + "modelport".length;
  const older = Buffer.from(ours.toString("hex"), "hex");
  older[marked] = older[marked] === 0x30 ? 0x31 : 0x30;
  for (const body of [Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]), older, ours.subarray(0, marked - "modelport".length - 3)]) {
    answerWasm(traffic, 200, "application/wasm", body);
    expect(await attempt(page)).toMatchObject({ code: "load-failed", reason: "foreign", ours: true });
  }
  answerWasm(traffic, 200, "application/wasm", ours);
  expect(await attempt(page)).toBe("ready");
});

for (const contentType of ["application/octet-stream", "text/plain", ""]) {
  test(`a server that serves the wasm as "${contentType}" is good enough`, async ({ openPage, traffic }) => {
    const page = await openPage({ ready: false });
    answerWasm(traffic, 200, contentType, await readFile(new URL("../dist/modelport.wasm", import.meta.url)));
    expect(await attempt(page)).toBe("ready");
  });
}

test("ready() takes an address, a response, bytes and a compiled module", async ({ openPage, site }) => {
  for (const source of ["address", "URL", "response", "bytes", "view", "module", "promise", "function"]) {
    const page = await openPage({ ready: false });
    const size = await page.evaluate(async ([source, url]) => {
      const bytes = async () => (await fetch(url!)).arrayBuffer();
      const sources: Record<string, () => Promise<any>> = {
        function: async () => () => fetch(url!),
        address: async () => url, URL: async () => new URL(url!), response: () => fetch(url!), bytes,
        view: async () => new Uint8Array(await bytes()), module: async () => WebAssembly.compile(await bytes()),
      };
      await lib.ready(source === "promise" ? fetch(url!) : await sources[source!]!());
      return new lib.ToolManager([{ name: "a", execute: () => 1 }]).size;
    }, [source, `${site.url}/dist/modelport.wasm`]);
    expect(size, source).toBe(1);
  }
});

native("network")("without a network the cause is that", async ({ page, site, expectNoise }) => {
  expectNoise(/ERR_INTERNET_DISCONNECTED/);
  await enter(page, site, { ready: false });
  await page.context().setOffline(true);
  expect(await attempt(page)).toMatchObject({ code: "load-failed", reason: "offline", ours: true });
  await page.context().setOffline(false);
  expect(await attempt(page)).toBe("ready");
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

native("node")("Node reads the wasm from the disk, once, whichever entry is asked, and says what it misses", async () => {
  const entry = (name: string) => JSON.stringify(new URL(`../dist/${name}.js`, import.meta.url).href);
  const program = `
    const [node, inline] = [await import(${entry("node")}), await import(${entry("inline")})];
    const missing = await node.ready(new URL("nowhere.wasm", import.meta.url)).catch(({ code, data }) => ({ code, ...data }));
    const promises = [node.ready(), inline.ready(), node.ready(${entry("nowhere")})];
    await Promise.all(promises);
    console.log(JSON.stringify({ missing, promises: new Set(promises).size, size: new inline.ToolManager([{ name: "a", execute() {} }]).size, same: node.Client === inline.Client }));`;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], { cwd: fileURLToPath(new URL("..", import.meta.url)), timeout: 20_000 });
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual({ missing: { code: "load-failed", reason: "failed" }, promises: 1, size: 1, same: true });
});
