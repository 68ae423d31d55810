// Throw-away projects made from the packed tarball: pack() it once, make a project(), run commands in it, serve it,
// open() what it serves in Chromium with native WebMCP, and close() everything. Nothing here knows a stack.

import { cpSync, existsSync, linkSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, readlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { delimiter, dirname, extname, join, relative } from "node:path";
import { build } from "../build.mjs";
import { quiet as calm, webmcp } from "../lib/chromium.mjs";
import { filesBelow, readJson } from "../lib/files.mjs";
import { paths } from "../lib/paths.mjs";
import { background, quiet, tail } from "../lib/run.mjs";
import { browser as findBrowser } from "../setup/browser.mjs";
import { npmPackages } from "../setup/npm.mjs";

/** Where the pinned packages of package-lock.json beside this file are installed, once. */
const shelf = paths.at("scripts", "smoke");
const locked = () => readJson(join(shelf, "package-lock.json"), {}).packages;

const ends = [];
const later = (work) => (ends.push(work), work);

/** Ends whatever was started, and removes whatever was made. */
export async function close() {
  for (const end of ends.splice(0).reverse()) await end();
}

let packing;
/** Builds and packs the package, once: `{ tarball, folder }`, the folder with `node_modules/modelport` as npm installs it. */
export const pack = () => (packing ??= packed());

async function packed() {
  await build();
  await npmPackages(shelf, "vite", ["--ignore-scripts"]);
  const home = mkdtempSync(join(tmpdir(), "modelport-smoke-"));
  later(() => rmSync(home, { recursive: true, force: true, maxRetries: 3 }));
  process.on("exit", () => rmSync(home, { recursive: true, force: true, maxRetries: 3 }));
  const folder = join(home, "installed");
  mkdirSync(folder);
  const words = (await must(paths.root, "npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", home])).trim();
  const tarball = join(home, words.split("\n").at(-1));
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  await must(folder, "npm", ["install", "--silent", "--offline", "--no-audit", "--no-fund", tarball]);
  return { home, tarball, folder };
}

async function must(cwd, command, args, env = {}) {
  const done = await quiet(command, args, { cwd, env, deadline: 240 });
  if (!done.ok) throw new Error(`${command} ${args.join(" ")} ${done.why}:\n${tail(done.output, 30)}`);
  return done.output;
}

/** A copy that takes no room where the disk allows it. */
function link(from, to) {
  const stat = lstatSync(from);
  if (stat.isDirectory()) {
    mkdirSync(to, { recursive: true });
    for (const name of readdirSync(from)) link(join(from, name), join(to, name));
  } else if (stat.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
  else {
    try {
      linkSync(from, to);
    } catch {
      cpSync(from, to);
    }
  }
}

/** The packages that these need, by their folders. Those within another package come with it. */
function closure(names) {
  const all = locked();
  const found = new Set();
  const visit = (name) => {
    const place = `node_modules/${name}`;
    if (found.has(place) || !all[place] || !existsSync(join(shelf, place))) return;
    found.add(place);
    for (const [where, one] of Object.entries(all)) {
      if (where !== place && !where.startsWith(`${place}/node_modules/`)) continue;
      for (const kind of ["dependencies", "optionalDependencies", "peerDependencies"]) Object.keys(one[kind] ?? {}).forEach(visit);
    }
  };
  names.forEach(visit);
  return [...found];
}

/**
 * A new folder with these files (by path, as text) and these packages (of `package.json` beside this file), as if
 * `npm install` had brought them and the tarball. Commands run in it find the programs of its packages.
 */
export async function project(name, files, dependencies = []) {
  const { home, tarball, folder } = await pack();
  const place = mkdtempSync(join(home, `${name}-`));
  const at = (...parts) => join(place, ...parts);
  const versions = Object.fromEntries(dependencies.map((one) => [one, locked()[`node_modules/${one}`]?.version ?? fail(`scripts/smoke/package-lock.json has no ${one}`)]));
  const all = { "package.json": JSON.stringify({ private: true, type: "module", dependencies: { modelport: `file:${tarball}`, ...versions } }, null, 2), ...files };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  }
  link(join(folder, "node_modules", "modelport"), at("node_modules", "modelport"));
  for (const one of closure(dependencies)) link(join(shelf, one), at(one));
  if (dependencies.length) link(join(shelf, "node_modules", ".bin"), at("node_modules", ".bin"));
  const env = { PATH: `${at("node_modules", ".bin")}${delimiter}${process.env.PATH}`, NO_COLOR: "1", CI: "1", NEXT_TELEMETRY_DISABLED: "1" };
  return {
    folder: place,
    at,
    /** Runs a command to its end: what it printed, or an error. */
    run: (command, ...args) => must(place, command, args, env),
    /** Runs a server until close(), and resolves to its address once it answers. */
    start: async (make) => {
      const port = await freePort();
      const [command, ...args] = make(port);
      const server = background(command, args, { cwd: place, env: { ...env, CI: "" } });
      later(() => server.stop());
      return answers(`http://localhost:${port}/`, server);
    },
    serve: (path = "", options) => serve(at(path), options),
  };
}

const fail = (words) => {
  throw new Error(words);
};

async function freePort() {
  const server = createServer();
  const port = await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server.address().port)));
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function answers(url, server) {
  let over = false;
  server.ended.then(() => (over = true));
  for (const until = Date.now() + 60_000; Date.now() < until && !over; await new Promise((resolve) => setTimeout(resolve, 100))) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return url;
  }
  throw new Error(`nothing answers at ${url}:\n${tail(server.output())}`);
}

const types = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".json": "application/json", ".wasm": "application/wasm", ".svg": "image/svg+xml" };

/** Serves a folder's files as any static host does, on this machine only, and resolves to its address. */
export async function serve(folder, { headers = {} } = {}) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    if (path === "/favicon.ico") return response.writeHead(204).end();
    const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
    const body = !relative(folder, file).startsWith("..") && lstatSync(file, { throwIfNoEntry: false })?.isFile() && readFileSync(file);
    response.writeHead(body ? 200 : 404, { "Content-Type": types[extname(file)] ?? "application/octet-stream", ...headers }).end(body || "404\n");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  later(() => new Promise((resolve) => (server.close(resolve), server.closeAllConnections())));
  return `http://localhost:${server.address().port}/`;
}

/** The wasm files of an output, by name. */
export const wasmFiles = (folder) => filesBelow(folder).filter((file) => file.endsWith(".wasm")).map((file) => relative(folder, file));

let opened;
const chromiumHere = () => (opened ??= findBrowser().then(async ({ program }) => {
  // Not before build() has seen to the packages.
  const { chromium } = await import("@playwright/test");
  const one = await chromium.launch({ executablePath: program, args: [...calm, webmcp] });
  later(() => ((opened = undefined), one.close()));
  return one;
}));

/** Hears everything that is said or goes wrong in a context, except what is expected. */
export function listen(context, expected = []) {
  const noise = [];
  const asked = [];
  const add = (text) => expected.some((pattern) => pattern.test(text)) || noise.push(text);
  context.on("console", (message) => add(`console.${message.type()}: ${message.text()}`));
  context.on("weberror", (error) => add(`uncaught: ${error.error().message}`));
  context.on("request", (request) => asked.push(request.url()));
  context.on("requestfailed", (request) => add(`failed: ${request.url()} ${request.failure()?.errorText}`));
  context.on("response", (response) => response.status() >= 400 && add(`${response.status()}: ${response.url()}`));
  return { noise, asked };
}

/**
 * Opens an address in a Chromium with native WebMCP, waits until the browser's registry has these tools, and
 * resolves to `{ page, noise, asked, tools(), call(name, args) }`; a call resolves to the MCP result.
 */
export async function open(url, { tools = [], expected = [], context } = {}) {
  const place = context ?? (await (await chromiumHere()).newContext());
  const { noise, asked } = listen(place, expected);
  const page = await place.newPage();
  await page.goto(url);
  const listed = () => page.evaluate(async () => (await document.modelContext.getTools()).map(({ name }) => name).sort());
  const call = (name, args) => page.evaluate(async ([name, args]) => {
    const tool = (await document.modelContext.getTools()).find((one) => one.name === name);
    return JSON.parse(await document.modelContext.executeTool(tool, args));
  }, [name, args]);
  for (const until = Date.now() + 20_000; ; await page.waitForTimeout(50)) {
    const now = await listed().catch(() => []);
    if (tools.every((name) => now.includes(name))) break;
    if (Date.now() > until) throw new Error(`the browser's registry has ${now.join() || "no tools"} instead of ${tools.join()}; ${noise.join("; ") || "no noise"}`);
  }
  return { page, noise, asked, tools: listed, call, close: () => place.close() };
}
