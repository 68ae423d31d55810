// Once per run: bundles the official SDKs and the tests' own page helpers for the browser, into a
// temporary folder that the workers serve as /bundles/.

import { build } from "esbuild";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default async function bundle(): Promise<() => Promise<void>> {
  if (!existsSync(at("../dist/index.js"))) throw new Error("dist/ is missing: run `npm run build` first.");
  const folder = await mkdtemp(join(tmpdir(), "modelport-bundles-"));
  await build({
    entryPoints: ["kit/kit.ts", "kit/sdk1.ts", "kit/sdk2.ts", "kit/mcpb.ts", "kit/schema.ts", "kit/host.ts", "kit/guest.ts", "kit/victim.ts", "kit/points.ts", "kit/validators.ts"].map(at),
    outdir: folder,
    bundle: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    logLevel: "warning",
  });
  // Node imports them too.
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  process.env["MODELPORT_BUNDLES"] = folder;
  return () => rm(folder, { recursive: true, force: true });
}
