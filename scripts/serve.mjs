// A small static server for this machine only: the demo, and whatever tests and benchmarks add to it.

import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { paths } from "./lib/paths.mjs";

const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".map": "application/json",
  ".ts": "text/plain; charset=utf-8",
  ".md": "text/plain; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".webmanifest": "application/manifest+json",
};

/** Nothing from elsewhere and no `unsafe-inline`; compiling WebAssembly is the one thing the demo must ask for. */
export const demoPolicy = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "frame-src 'self'",
  "connect-src 'self'",
].join("; ");

const ownRoots = {
  "/demo/": join(paths.www, "demo"),
  "/dist/": paths.dist,
  "/docs/": join(paths.www, "docs", "generated"),
  "/bench/": join(paths.www, "bench"),
};
const ownHeaders = { "/": { "Origin-Agent-Cluster": "?1" }, "/demo/": { "Content-Security-Policy": demoPolicy } };

const prefixesOf = (map, path) => Object.keys(map).filter((prefix) => path.startsWith(prefix)).sort((a, b) => a.length - b.length);

/** The file a path names, or undefined. Names that begin with a dot are refused, which also refuses climbing out. */
function fileFor(path, roots) {
  const prefix = prefixesOf(roots, path).at(-1);
  if (!prefix) return undefined;
  const names = path.slice(prefix.length).split("/");
  if (names.some((name) => name.startsWith(".") || /[\\\0:]/.test(name))) return undefined;
  return join(roots[prefix], ...names);
}

function answer(request, response, { roots, headers, home }) {
  const fail = (code) => response.writeHead(code, { "Content-Type": "text/plain" }).end(`${code}\n`);
  const redirect = (to) => response.writeHead(302, { Location: to }).end();
  if (request.method !== "GET" && request.method !== "HEAD") return fail(405);
  let path;
  try {
    path = decodeURIComponent(request.url.split(/[?#]/)[0]);
  } catch {
    return fail(400);
  }
  for (const prefix of prefixesOf(headers, path)) {
    for (const [name, value] of Object.entries(headers[prefix])) value === null ? response.removeHeader(name) : response.setHeader(name, value);
  }
  if (path === "/") return redirect(home);
  if (path === "/favicon.ico") return response.writeHead(204).end();
  if (roots[`${path}/`]) return redirect(`${path}/`);
  let file = fileFor(path, roots);
  let stat = file && statSync(file, { throwIfNoEntry: false });
  if (stat?.isDirectory()) {
    if (!path.endsWith("/")) return redirect(`${encodeURI(path)}/`);
    file = join(file, "index.html");
    stat = statSync(file, { throwIfNoEntry: false });
  }
  if (!stat?.isFile()) return fail(404);
  const etag = `"${stat.size.toString(36)}-${Math.round(stat.mtimeMs * 1000).toString(36)}"`;
  response.setHeader("ETag", etag);
  // Kept, but asked about every time: what was just built is what is seen.
  response.setHeader("Cache-Control", "no-cache");
  response.setHeader("X-Content-Type-Options", "nosniff");
  if (request.headers["if-none-match"] === etag) return response.writeHead(304).end();
  response.writeHead(200, { "Content-Type": types[extname(file)] ?? "application/octet-stream", "Content-Length": stat.size });
  if (request.method === "HEAD") return response.end();
  createReadStream(file).on("error", () => response.destroy()).pipe(response);
}

const listen = (server, port, host) =>
  new Promise((resolve, reject) => server.once("error", reject).listen(port, host, () => (server.off("error", reject), resolve(server.address().port))));

/** Listens on both loopback addresses, since "localhost" may mean either; a machine may lack one of IPv6's. */
async function bind(port, make) {
  const first = make();
  const bound = await listen(first, port, "127.0.0.1");
  const second = make();
  try {
    await listen(second, bound, "::1");
    return { servers: [first, second], bound };
  } catch (error) {
    if (error.code !== "EADDRINUSE") return { servers: [first], bound };
    first.close();
    throw error;
  }
}

/**
 * Serves the project: `/` leads to `/demo/`, and there are `/dist/`, `/docs/`, the documentation, and `/bench/`, the report of the benchmark.
 * - `port`: the first to try; 0 means any. Taken ones are passed over, at most `tries` of them.
 * - `roots`: more folders, by path prefix, such as `{ "/playwright/": "/abs/playwright" }`; longest prefix wins.
 * - `headers`: more headers, by path prefix, longer prefixes later; null takes one away.
 * - `handle(request, response)`: sees every request first; returns true if it answers it.
 * Resolves to `{ url, port, close() }`.
 */
export async function serve({ port = 0, tries = 50, roots = {}, headers = {}, home = "/demo/", handle } = {}) {
  const merged = { ...ownHeaders };
  for (const [prefix, more] of Object.entries(headers)) merged[prefix] = { ...merged[prefix], ...more };
  const site = { roots: { ...ownRoots, ...roots }, headers: merged, home };
  const make = () =>
    createServer((request, response) => {
      if (!handle?.(request, response)) answer(request, response, site);
    });
  for (let attempt = 0; ; attempt++) {
    try {
      const { servers, bound } = await bind(port === 0 ? 0 : port + attempt, make);
      const close = () => Promise.all(servers.map((server) => new Promise((resolve) => (server.close(resolve), server.closeAllConnections()))));
      return { url: `http://localhost:${bound}`, port: bound, close };
    } catch (error) {
      const another = error.code === "EADDRINUSE" || (error.code === "EACCES" && port + attempt < 1024);
      if (!another || attempt + 1 >= tries || port + attempt >= 65535) throw error;
    }
  }
}
