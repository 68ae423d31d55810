// Serves the benchmark's pages and a copy of what was built. A copy, so that a build beside us changes
// nothing in the middle of a run. Cross-origin isolated pages have a clock of 5 µs instead of 100.

import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { paths } from "../../scripts/lib/paths.mjs";
import { serve } from "../../scripts/serve.mjs";
import { bundlePeers } from "./peers.mjs";
import { openWires } from "./wires.mjs";

const isolated = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Cross-Origin-Resource-Policy": "same-origin",
};

/**
 * `{ url, wires, build, close() }`, with the port of the far ends of wires.mjs, the peers of peers.mjs at `/peers/`; `build` names what is measured, by the hashes of its files. Our build is
 * `/build-0/`; those of `against` follow.
 */
export async function openSite(against = []) {
  const copy = mkdtempSync(join(tmpdir(), "modelport-bench-"));
  const roots = { "/bench/": paths.at("benches", "pages") };
  [paths.dist, ...against].forEach((dist, number) => {
    const place = join(copy, String(number));
    cpSync(dist, place, { recursive: true });
    roots[`/build-${number}/`] = place;
  });
  roots["/peers/"] = join(copy, "peers");
  await bundlePeers(roots["/peers/"]);
  const wires = await openWires();
  const server = await serve({ roots, headers: { "/": isolated } });
  const hash = (name) => createHash("sha256").update(readFileSync(join(copy, "0", name))).digest("hex").slice(0, 12);
  const close = async () => {
    await server.close();
    await wires.close();
    rmSync(copy, { recursive: true, force: true });
  };
  return { url: server.url, wires: wires.port, build: { "index.js": hash("index.js"), "modelport.wasm": hash("modelport.wasm") }, close };
}
