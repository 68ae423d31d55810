// Serves the benchmark's pages and a copy of what was built. A copy, so that a build beside us changes
// nothing in the middle of a run. Cross-origin isolated pages have a clock of 5 µs instead of 100.

import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { paths } from "../../scripts/lib/paths.mjs";
import { publishedPagesFolder, rustPages } from "../../scripts/rust_pages.mjs";
import { serve } from "../../scripts/serve.mjs";
import { bundleCold, bundlePeers } from "./peers.mjs";
import { openWires } from "./wires.mjs";

const isolated = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Cross-Origin-Resource-Policy": "same-origin",
};

/** Answers for what a cold start loads as a site does that is in use: compressed, and to be kept by the browser. */
function kept(folder) {
  const types = { ".js": "text/javascript; charset=utf-8", ".wasm": "application/wasm" };
  const files = new Map(
    readdirSync(folder)
      .filter((name) => types[extname(name)])
      .map((name) => [`/cold/${name}`, { type: types[extname(name)], body: gzipSync(readFileSync(join(folder, name)), { level: 9 }) }]),
  );
  const handle = ({ url }, response) => {
    const file = files.get(url);
    if (!file) return false;
    response.writeHead(200, { ...isolated, "Content-Type": file.type, "Content-Encoding": "gzip", "Content-Length": file.body.length, "Cache-Control": "public, max-age=86400, immutable" });
    response.end(file.body);
    return true;
  };
  return { handle, sizes: Object.fromEntries([...files].map(([path, { body }]) => [path.slice("/cold/".length), body.length])) };
}

/**
 * `{ url, wires, build, sizes, close() }`, with the port of the far ends of wires.mjs, the peers of peers.mjs at
 * `/peers/`, a page in Rust at `/rust/` and what cold starts load at `/cold/`; `build` names what is measured, by the
 * hashes of its files. Our build is `/build-0/`; those of `against` follow.
 */
export async function openSite(against = []) {
  const copy = mkdtempSync(join(tmpdir(), "modelport-bench-"));
  const roots = { "/pages/": paths.at("benches", "pages") };
  [paths.dist, ...against].forEach((dist, number) => {
    const place = join(copy, String(number));
    cpSync(dist, place, { recursive: true });
    roots[`/build-${number}/`] = place;
  });
  await rustPages(["rust_page"], { asPublished: true });
  for (const name of ["peers", "rust"]) roots[`/${name}/`] = join(copy, name);
  cpSync(join(publishedPagesFolder, "rust_page"), roots["/rust/"], { recursive: true });
  await bundlePeers(roots["/peers/"]);
  const cold = join(copy, "cold");
  await bundleCold(cold, { dist: roots["/build-0/"], rust: roots["/rust/"] });
  const wires = await openWires();
  const { handle, sizes } = kept(cold);
  const server = await serve({ roots, headers: { "/": isolated }, handle });
  const hash = (name) => createHash("sha256").update(readFileSync(join(copy, "0", name))).digest("hex").slice(0, 12);
  const close = async () => {
    await server.close();
    await wires.close();
    rmSync(copy, { recursive: true, force: true });
  };
  return { url: server.url, wires: wires.port, build: { "library.js": hash("library.js"), "modelport.wasm": hash("modelport.wasm") }, sizes, close };
}
