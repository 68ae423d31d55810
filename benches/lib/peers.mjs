// Whom we are compared with: installed from benches/peers/package-lock.json, so that the project's own packages stay
// few, and bundled for pages as anybody would bundle them.

import { build } from "esbuild";
import { copyFileSync, readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { paths } from "../../scripts/lib/paths.mjs";
import { npmPackages } from "../../scripts/setup/npm.mjs";

const folder = paths.at("benches", "peers");

const options = { bundle: true, format: "esm", platform: "browser", target: "es2022", minify: true, logLevel: "error", absWorkingDir: folder };

/** Writes a module of each peer into a folder. */
export async function bundlePeers(outdir) {
  await npmPackages(folder);
  const sources = readdirSync(join(folder, "entries")).map((name) => join(folder, "entries", name));
  const named = Object.fromEntries(sources.map((source) => [basename(source, ".js"), source]));
  await build({ ...options, entryPoints: { ...named, modelport: paths.at("www", "schema", "index.ts") }, outdir });
}

/** Writes what cold starts load: a script for each contestant, with nothing in it that it does not use, and its wasm. */
export async function bundleCold(outdir, { dist, rust }) {
  const entryPoints = readdirSync(paths.at("benches", "cold")).map((name) => paths.at("benches", "cold", name));
  const alias = { modelport: join(dist, "index.js"), "modelport/inline": join(dist, "inline.js"), "rust-page": join(rust, "rust_page.js") };
  await build({ ...options, entryPoints, outdir, nodePaths: [join(folder, "node_modules")], alias });
  copyFileSync(join(dist, "modelport.wasm"), join(outdir, "modelport.wasm"));
  copyFileSync(join(rust, "rust_page_bg.wasm"), join(outdir, "rust_page_bg.wasm"));
}

/** Names and exact versions of what the peers' package.json names. */
export const peerVersions = () => JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).devDependencies;
