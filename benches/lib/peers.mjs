// Bundles what a page measures by itself, beside the package: our validator and other people's.

import { build } from "esbuild";
import { paths } from "../../scripts/lib/paths.mjs";

const entries = { modelport: paths.at("www", "schema", "index.ts"), cfworker: "@cfworker/json-schema", zod: "zod" };

/** Writes a module of each into a folder. */
export const bundlePeers = (folder) =>
  build({ entryPoints: entries, outdir: folder, absWorkingDir: paths.root, bundle: true, format: "esm", platform: "browser", target: "es2022", minify: true, logLevel: "warning" });
