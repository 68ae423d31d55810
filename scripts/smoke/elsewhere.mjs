// The smoke test's stacks that are no page on a site: other releases of Node, and a browser extension.

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { quiet as calm, webmcp } from "../lib/chromium.mjs";
import { paths } from "../lib/paths.mjs";
import { quiet } from "../lib/run.mjs";
import { browser } from "../setup/browser.mjs";
import { judge } from "./judge.mjs";
import { open, project, wasmFiles } from "./kit.mjs";
import { app, call, client, extension, html, program, server } from "./sources.mjs";

/** What is wrong, or why it was left out: the pinned releases are for Linux on x64, and elsewhere there is our own. */
const node = (release) => async () => {
  const own = process.versions.node.split(".")[0] === release;
  const one = await project(`node${release}`, { "main.js": program });
  const command = own ? process.execPath : paths.at("scripts", "smoke", "node_modules", `node${release}`, "bin", "node");
  if (!existsSync(command)) return `left out, as package-lock.json has no Node ${release} for this machine`;
  const done = await quiet(command, ["main.js"], { cwd: one.folder, deadline: 30 });
  const { version, ...seen } = JSON.parse(/^\{.*\}$/m.exec(done.output)?.[0] ?? "{}");
  const wanted = { early: "not-ready", shared: 1, structuredContent: call.answer, document: "undefined" };
  // One line and no other: warnings go to the same output.
  return done.ok && version && isDeepStrictEqual(seen, wanted) && done.output.trim().split("\n").length === 1 ? [] : [done.output.trim() || done.why];
};

/** Loaded into a Chromium of its own, without a window: a page of the extension's, and its script in another's page. */
async function inExtension() {
  const files = Object.fromEntries(Object.entries(extension).map(([name, text]) => [`out/${name}`, text]));
  const one = await project("extension", { ...files, "page.js": client("(await navigator.serviceWorker.ready).active"), "background.js": server, "content.js": app("modelport/inline") }, ["esbuild"]);
  await one.run("esbuild", "page.js", "background.js", "--bundle", "--format=esm", "--outdir=out", "--log-level=warning");
  await one.run("esbuild", "content.js", "--bundle", "--format=iife", "--outdir=out", "--log-level=warning");
  await one.run("cp", "node_modules/modelport/dist/modelport.wasm", "out/");
  const found = wasmFiles(one.at("out"));
  const wrong = found.length === 1 ? [] : [`${found.length} wasm files instead of 1`];
  const site = await (await project("visited", { "index.html": html("") })).serve();
  const profile = mkdtempSync(join(tmpdir(), "modelport-extension-"));
  const { chromium } = await import("@playwright/test");
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: (await browser()).program,
    args: [...calm, webmcp, "--headless=new", `--disable-extensions-except=${one.at("out")}`, `--load-extension=${one.at("out")}`],
    ignoreDefaultArgs: ["--disable-extensions"],
  });
  try {
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker", { timeout: 15_000 }));
    for (const url of [String(new URL("page.html", worker.url())), site]) wrong.push(...(await judge(await open(url, { tools: [call.name], context }))));
    return wrong;
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 3 });
  }
}

export const elsewhere = { "Node 20": node("20"), "Node 22": node("22"), "Manifest V3 extension": inExtension };
