// The npm packages that a package-lock.json names, exactly: the project's own, or those of a folder that has its own.

import { join } from "node:path";
import { existsSync, lstatSync, readFileSync, writeFileSync } from "node:fs";
import { hashOf, isProgram } from "../lib/files.mjs";
import { paths } from "../lib/paths.mjs";
import { quiet, tail } from "../lib/run.mjs";
import { Trouble, detail, since, step } from "../lib/say.mjs";

const modules = (folder) => join(folder, "node_modules");

export const npmBin = (name, folder = paths.root) => join(modules(folder), ".bin", name);

/** Installs what the folder's lock file names, unless it is there: `program` is one that comes with it. */
export async function npmPackages(folder = paths.root, program = "esbuild", flags = []) {
  // It lies inside the folder it speaks for, so that whoever deletes the one deletes the other.
  const stamp = join(modules(folder), ".modelport");
  const wanted = hashOf([join(folder, "package-lock.json")], process.platform, process.arch);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted && isProgram(npmBin(program, folder))) return;
  // npm ci empties the folder first, and through a link that is somebody else's folder.
  if (lstatSync(modules(folder), { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new Trouble("node_modules is a symbolic link, and what it points at does not fit package-lock.json.", "remove the link, then repeat this command.");
  }
  step("npm packages: npm ci");
  const started = performance.now();
  const done = await quiet("npm", ["ci", "--no-audit", "--no-fund", ...flags], {
    cwd: folder,
    env: { PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: "1" },
    doing: "installing npm packages",
    idle: 300,
  });
  if (!done.ok) {
    throw new Trouble(
      `npm ci ${done.why}.\n${tail(done.output, 12)}`,
      /sync/.test(done.output) ? 'package.json and package-lock.json disagree: run "npm install".' : "see that npm reaches its registry (npm ping), then repeat this command.",
    );
  }
  writeFileSync(stamp, wanted);
  detail(`installed in ${since(started)}`);
}
