// `modelport/mcp-b` against the published `@mcp-b/transports`, in both directions: scripts of one window,
// a page and its frame of another origin, and pages of an extension. And what nobody is told or believed.

import { chromium } from "@playwright/test";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { launchOptions } from "./browser.ts";
import { arrived, expect, native, test, type Pane, type Tab } from "./everywhere.ts";
import type { Site } from "./site.ts";

declare global {
  var mcpb: typeof import("../dist/mcp_b.js");
  var theirs: typeof import("./kit/mcpb.ts");
  var kept: any;
}

const text = (text: string) => [{ type: "text", text }];

/** Puts everything into a page or a frame. */
async function equip(place: Pane, root = ""): Promise<void> {
  const modules = { lib: "/dist/index.js", mcpb: "/dist/mcp-b.js", theirs: "/bundles/mcpb.js", sdk1: "/bundles/sdk1.js", sdk2: "/bundles/sdk2.js", kit: "/bundles/kit.js" };
  for (const [name, path] of Object.entries(modules)) await place.evaluate(`import('${root}${path}').then((it) => { globalThis.${name} = it; })`);
  await place.evaluate(() => lib.ready());
  await place.evaluate(() => void (globalThis.kept = {}));
}

/** Serves with the official SDK over one of their transports. */
const serveTheirs = async ([kind, options, version]: readonly ["TabServerTransport" | "IframeChildTransport", any, "1.x" | "2.x"]) => {
  kept.observed = { calls: [], aborted: [], peers: [] };
  const info = { name: "theirs", version: "1" };
  const server: any = version === "1.x" ? kit.equip(new sdk1.McpServer(info), sdk1.z, 1, kept.observed) : kit.equip(new sdk2.McpServer(info), sdk2.z, 2, kept.observed);
  kept.server = server;
  await server.connect(new theirs[kind](options));
};

/** Serves with ours. */
const serveOurs = async ([kind, options]: readonly ["McpbTabTransport" | "McpbFrameTransport", any]) => {
  kept.calls = [];
  const tools = new lib.ToolManager([{ name: "echo", description: "Says it again", execute: (args) => (kept.calls.push(args), args.text) }]);
  kept.server = new lib.Server({ tools, name: "ours" });
  kept.session = await kept.server.connect(new mcpb[kind](options) as any);
};

/** Works with whatever server `kept.client` of ours is connected to, which has the tools of `equip`. */
const useTheirs = async () => {
  const { client } = kept;
  const names = (await client.tools()).map(({ name }: any) => name);
  const steps: number[] = [];
  const echo = await client.callTool("echo", { text: "hi ☃" });
  await client.callTool("steps", { n: 3 }, { progress: ({ progress }: any) => steps.push(progress) });
  const big = "é".repeat(500_000);
  const back = (await client.callTool("echo", { text: big })).content[0].text;
  return { names, steps, content: echo.content, whole: back === big, protocol: client.protocol };
};

const worked = { names: ["echo", "fails", "steps", "wait"], steps: [1, 2, 3], content: text("hi ☃"), whole: true, protocol: "2025-11-25" };

/** Connects the official SDK's client over one of their transports, uses the tool of `serveOurs`, and notes the end. */
const useOurs = async ([kind, options, version]: readonly ["TabClientTransport" | "IframeParentTransport", any, "1.x" | "2.x"]) => {
  const client: any = new (version === "1.x" ? sdk1 : sdk2).Client({ name: "theirs", version: "1" });
  kept.client = client;
  kept.closed = new Promise((resolve) => (client.onclose = () => resolve("closed")));
  await client.connect(new theirs[kind]({ ...options, ...(kind === "IframeParentTransport" && { iframe: document.querySelector("iframe")! }) }));
  const { tools } = await client.listTools();
  const { content } = await client.callTool({ name: "echo", arguments: { text: "hi ☃" } });
  return { names: tools.map(({ name }: any) => name), content, server: client.getServerVersion().name };
};

const used = { names: ["echo"], content: text("hi ☃"), server: "ours" };

for (const version of ["1.x", "2.x"] as const) {
  for (const first of ["server", "client"]) {
    test(`tab: our client works with their server (SDK ${version}), the ${first} being there first`, async ({ openPage }) => {
      const page = await openPage();
      await equip(page);
      const origin = await page.evaluate(() => location.origin);
      const serve = () => page.evaluate(serveTheirs, ["TabServerTransport", { allowedOrigins: [origin] }, version] as const);
      const connect = () =>
        page.evaluate(() => {
          kept.client = new lib.Client();
          kept.ends = [];
          kept.client.addEventListener("close", () => kept.ends.push("close"));
          kept.connected = kept.client.connect(new mcpb.McpbTabTransport({ role: "client" }) as any);
        });
      if (first === "server") await serve();
      await connect();
      if (first === "client") await serve();
      await page.evaluate(() => kept.connected);
      expect(await page.evaluate(useTheirs)).toEqual(worked);
      expect(await page.evaluate(() => kept.observed.calls.map(({ text }: any) => text.length))).toEqual([4, 500_000]);
      await page.evaluate(() => {
        const controller = new AbortController();
        Object.assign(kept, { controller, waiting: kept.client.callTool("wait", {}, { signal: controller.signal }).catch((reason: unknown) => reason) });
      });
      await page.waitForFunction(() => kept.observed.calls.at(-1) === "wait");
      expect(await page.evaluate(() => (kept.controller.abort("enough"), kept.waiting))).toBe("enough");
      await page.waitForFunction(() => kept.observed.aborted.length === 1);
      // Their server says that it stops.
      const outcome = await page.evaluate(async () => {
        const waiting = kit.outcome(kept.client.callTool("wait"));
        await kit.until(() => kept.observed.calls.length === 4);
        await kept.server.close();
        return { code: (await waiting).code, ends: kept.ends };
      });
      expect(outcome).toEqual({ code: "closed", ends: ["close"] });
    });
  }

  test(`tab: their client (SDK ${version}) works with our server`, async ({ openPage }) => {
    const page = await openPage();
    await equip(page);
    await page.evaluate(serveOurs, ["McpbTabTransport", { role: "server", channel: "box" }] as const);
    const targetOrigin = await page.evaluate(() => location.origin);
    expect(await page.evaluate(useOurs, ["TabClientTransport", { targetOrigin, channelId: "box" }, version] as const)).toEqual(used);
    expect(await page.evaluate(() => kept.calls)).toEqual([{ text: "hi ☃" }]);
    expect(await page.evaluate(async () => (await kept.server.close(), kept.closed))).toBe("closed");
  });
}

/** A page with a frame, by default of another origin. */
async function framed(openPage: () => Promise<Tab>, site: Site, { sandbox, host = "127.0.0.1" }: { sandbox?: string; host?: string } = {}) {
  const address = site.blank().replace("localhost", host);
  const page = await openPage();
  await equip(page);
  const frame = await arrived(await page.embed(address, sandbox));
  return { page, frame, origin: await page.evaluate(() => location.origin), inner: new URL(address).origin };
}

const connectToFrame = ([origin, timeout]: readonly [string, number?]) => {
  kept.client = new lib.Client();
  const frame = document.querySelector("iframe")!;
  return kit.outcome(() => kept.client.connect(new mcpb.McpbFrameTransport({ role: "client", frame, origin, ...(timeout && { timeout }) }) as any));
};

for (const [whose, host] of [["another", "127.0.0.1"], ["the same", "localhost"]] as const) {
  test(`frame: our client works with their server in a frame of ${whose} origin`, async ({ openPage, site }) => {
    const { page, frame, origin, inner } = await framed(openPage, site, { host });
    await equip(frame);
    await frame.evaluate(serveTheirs, ["IframeChildTransport", { allowedOrigins: [origin] }, "2.x"] as const);
    expect((await page.evaluate(connectToFrame, [inner] as const)).code).toBeUndefined();
    expect(await page.evaluate(useTheirs)).toEqual(worked);
    const ended = page.evaluate(() => kit.outcome(kept.client.callTool("wait")));
    await frame.waitForFunction(() => kept.observed.calls.at(-1) === "wait");
    await frame.evaluate(() => kept.server.close());
    expect((await ended).code).toBe("closed");
  });
}

for (const [first, whose, host] of [["server", "another", "127.0.0.1"], ["client", "another", "127.0.0.1"], ["server", "the same", "localhost"]] as const) {
  test(`frame: their client works with our server in a frame of ${whose} origin, the ${first} being there first`, async ({ openPage, site }) => {
    const { page, frame, origin, inner } = await framed(openPage, site, { host });
    await equip(frame);
    const serve = () => frame.evaluate(serveOurs, ["McpbFrameTransport", { role: "server", origin: ["https://other.test", origin] }] as const);
    if (first === "server") await serve();
    const using = page.evaluate(useOurs, ["IframeParentTransport", { targetOrigin: inner }, "2.x"] as const);
    if (first === "client") {
      await page.waitForFunction(() => !!kept.closed);
      await serve();
    }
    expect(await using).toEqual(used);
    expect(await frame.evaluate(() => kept.calls)).toEqual([{ text: "hi ☃" }]);
    await frame.evaluate(() => kept.session.close());
    expect(await page.evaluate(() => kept.closed)).toBe("closed");
  });
}

test("frame: a server of an opaque origin has to be met with \"*\"", async ({ openPage, site, expectNoise }) => {
  // The sandbox shares its address with pages that were not sandboxed.
  expectNoise(/could not be origin-keyed/);
  const { page, frame } = await framed(openPage, site, { sandbox: "allow-scripts" });
  // Modules are fetched across origins there, which the site allows nobody; so the code is handed over.
  await frame.evaluate(() => {
    kept = { heard: [] };
    addEventListener("message", ({ origin, data }) => {
      kept.heard.push(data.payload.method ?? data.payload);
      const reply = (payload: unknown) => parent.postMessage({ channel: "mcp-iframe", type: "mcp", direction: "server-to-client", payload }, origin);
      const { id, method } = data.payload;
      if (data.payload === "mcp-check-ready") reply("mcp-server-ready");
      else if (method === "initialize") reply({ jsonrpc: "2.0", id, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } } });
      else if (method === "tools/call") reply({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "from the sandbox" }] } });
      else if (id !== undefined) reply({ jsonrpc: "2.0", id, error: { code: -32601, message: "no" } });
    });
  });
  expect((await page.evaluate(connectToFrame, ["null"] as const)).code).toBe("invalid-argument");
  expect((await page.evaluate(connectToFrame, ["*"] as const)).code).toBeUndefined();
  expect(await page.evaluate(async () => (await kept.client.callTool("x")).content)).toEqual(text("from the sandbox"));
  expect(await frame.evaluate(() => kept.heard[0])).toBe("mcp-check-ready");
});

test("frame: nobody of another origin or window is told or believed anything", async ({ openPage, site, expectNoise }) => {
  expectNoise(/target origin provided .* does not match/);
  const { page, frame, origin, inner } = await framed(openPage, site);
  await equip(frame);
  await page.evaluate(() => {
    kept.heard = [];
    addEventListener("message", ({ data }) => data?.payload && kept.heard.push(data.payload));
  });
  // A server that serves somebody else says nothing to this page, and hears nothing of it.
  await frame.evaluate(serveOurs, ["McpbFrameTransport", { role: "server", origin: "https://other.test" }] as const);
  expect((await page.evaluate(connectToFrame, [inner, 300] as const)).code).toBe("timeout");
  expect(await page.evaluate(() => kept.heard)).toEqual([]);
  await frame.evaluate(() => kept.session.close());
  // A client for another origin neither.
  await frame.evaluate(serveOurs, ["McpbFrameTransport", { role: "server", origin }] as const);
  await expect.poll(() => page.evaluate(() => kept.heard)).toEqual(["mcp-server-ready"]);
  expect((await page.evaluate(connectToFrame, ["https://other.test", 300] as const)).code).toBe("timeout");
  // Forged: from the page itself, with the right shape; noise from the right window.
  expect((await page.evaluate(connectToFrame, [inner] as const)).code).toBeUndefined();
  await page.evaluate(() => {
    kept.faults = [];
    kept.ends = 0;
    kept.client.addEventListener("error", (event: any) => kept.faults.push(event.error.code));
    kept.client.addEventListener("close", () => kept.ends++);
    postMessage({ channel: "mcp-iframe", type: "mcp", direction: "server-to-client", payload: "mcp-server-stopped" }, "*");
  });
  await frame.evaluate(() => {
    const channel = "mcp-iframe";
    const direction = "server-to-client";
    for (const odd of ["text", null, 42, [], {}, { channel, type: "mcp", direction: "client-to-server", payload: "mcp-server-stopped" }, { channel: "other", type: "mcp", direction, payload: "mcp-server-stopped" }, { channel, type: "other", direction, payload: "mcp-server-stopped" }]) parent.postMessage(odd, "*");
    for (const payload of [{ jsonrpc: "1.0", method: "x" }, "mcp-what", 42]) parent.postMessage({ channel, type: "mcp", direction, payload }, "*");
  });
  const echo = await page.evaluate(async () => (await kept.client.callTool("echo", { text: "still" })).content);
  expect(echo).toEqual(text("still"));
  expect(await page.evaluate(() => [kept.ends, kept.faults])).toEqual([0, ["parse-error", "parse-error", "parse-error"]]);
  await page.evaluate(() => kept.client.close());
});

test("carriers say what they need, and are used once", async ({ openPage }) => {
  const page = await openPage();
  await equip(page);
  const seen = await page.evaluate(async () => {
    const code = (work: () => unknown) => kit.outcome(work).then(({ code }) => code);
    const frame = document.createElement("iframe");
    const missing = [
      await code(() => new mcpb.McpbFrameTransport({ role: "client", origin: "https://a.test" })),
      await code(() => new mcpb.McpbFrameTransport({ role: "client", frame, origin: ["https://a.test", "https://b.test"] })),
      await code(() => new mcpb.McpbFrameTransport({ role: "server", origin: [] })),
      await code(() => new mcpb.McpbExtensionTransport({ role: "server" })),
      await code(() => new mcpb.McpbExtensionTransport({ role: "client" }).start()),
    ];
    const transport = new mcpb.McpbTabTransport({ role: "server" });
    const ends: string[] = [];
    transport.onclose = () => ends.push("close");
    const early = await code(() => transport.send({}));
    await transport.start();
    const twice = await code(() => transport.start());
    await transport.close();
    await transport.close();
    const left = new mcpb.McpbTabTransport({ role: "client" });
    const starting = code(() => left.start());
    await left.close();
    return { missing, early, twice, ends, again: await code(() => transport.start()), late: await code(() => transport.send({})), starting: await starting, class: new mcpb.ModelportError("x", "y") instanceof lib.ModelportError };
  });
  expect(seen).toEqual({ missing: Array(5).fill("invalid-argument"), early: "closed", twice: "invalid-argument", ends: ["close"], again: "closed", late: "closed", starting: "closed", class: false });
});

native("extension")("extension: both directions over ports of chrome.runtime", async () => {
  const folder = await mkdtemp(join(tmpdir(), "modelport-extension-"));
  const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  await cp(at("../dist"), join(folder, "dist"), { recursive: true });
  await cp(process.env["MODELPORT_BUNDLES"]!, join(folder, "bundles"), { recursive: true });
  await writeFile(join(folder, "page.html"), "<!doctype html><title>page</title>");
  const manifest = { manifest_version: 3, name: "Two pages", version: "1", content_security_policy: { extension_pages: "script-src 'self' 'wasm-unsafe-eval'" }, background: { service_worker: "worker.js" } };
  await writeFile(join(folder, "worker.js"), "");
  await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest));
  const profile = await mkdtemp(join(tmpdir(), "modelport-profile-"));
  const context = await chromium.launchPersistentContext(profile, { ...launchOptions, channel: "chromium", args: [...launchOptions.args!, `--disable-extensions-except=${folder}`, `--load-extension=${folder}`], ignoreDefaultArgs: ["--disable-extensions"] });
  try {
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"));
    const open = async () => {
      const page = await context.newPage();
      await page.goto(`chrome-extension://${new URL(worker.url()).host}/page.html`);
      await equip(page);
      return page;
    };
    const [near, far] = [await open(), await open()];
    await far.evaluate(() => {
      kept.ports = 0;
      (globalThis as any).chrome.runtime.onConnect.addListener(async (port: any) => {
        if (port.name !== "mcp") return;
        kept.ports++;
        if (kept.ports === 1) {
          const observed = (kept.observed = { calls: [], aborted: [], peers: [] });
          kept.server = kit.equip(new sdk2.McpServer({ name: "theirs", version: "1" }), sdk2.z, 2, observed);
          await kept.server.connect(new theirs.ExtensionServerTransport(port, { keepAliveInterval: 20 }));
          return;
        }
        kept.calls = [];
        const tools = new lib.ToolManager([{ name: "echo", description: "Says it again", execute: (args) => (kept.calls.push(args), args.text) }]);
        kept.server = new lib.Server({ tools, name: "ours" });
        kept.session = await kept.server.connect(new mcpb.McpbExtensionTransport({ role: "server", port, keepAlive: 20 }) as any);
      });
    });
    await near.evaluate(async () => {
      kept.client = new lib.Client();
      kept.faults = [];
      kept.client.addEventListener("error", (event: any) => kept.faults.push(String(event.error)));
      kept.closed = new Promise((resolve) => kept.client.addEventListener("close", () => resolve("closed")));
      await kept.client.connect(new mcpb.McpbExtensionTransport({ role: "client" }) as any);
    });
    expect(await near.evaluate(useTheirs)).toEqual(worked);
    await near.waitForTimeout(100);
    expect(await near.evaluate(() => kept.faults)).toEqual([]);
    await far.evaluate(() => kept.server.close());
    expect(await near.evaluate(() => kept.closed)).toBe("closed");

    const second = await near.evaluate(async () => {
      const client: any = new sdk2.Client({ name: "theirs", version: "1" });
      const faults: string[] = [];
      client.onerror = (error: Error) => faults.push(String(error));
      kept.closed = new Promise((resolve) => (client.onclose = () => resolve("closed")));
      await client.connect(new theirs.ExtensionClientTransport());
      const { content } = await client.callTool({ name: "echo", arguments: { text: "hi ☃" } });
      await new Promise((resolve) => setTimeout(resolve, 100));
      kept.theirs = client;
      return { content, server: client.getServerVersion().name, faults };
    });
    expect(second).toEqual({ content: text("hi ☃"), server: "ours", faults: [] });
    // Their client leaves, and our session ends.
    await near.evaluate(() => kept.theirs.close());
    await far.waitForFunction(() => kept.server.sessions === 0);
    expect(await far.evaluate(() => [kept.ports, kept.calls])).toEqual([2, [{ text: "hi ☃" }]]);
  } finally {
    await context.close();
    await rm(folder, { recursive: true, force: true });
    await rm(profile, { recursive: true, force: true });
  }
});
