// npm run release -- --dry-run [--bless]: everything that has to be true before somebody publishes, one line each.
// It publishes nothing. `--bless` writes the golden lists anew, for a reviewer to read as a difference.

import { readFileSync, writeFileSync } from "node:fs";
import { build } from "./build.mjs";
import { readJson } from "./lib/files.mjs";
import { termsOf } from "./lib/licences.mjs";
import { paths } from "./lib/paths.mjs";
import { quiet, tail } from "./lib/run.mjs";
import { Trouble, main, say, since } from "./lib/say.mjs";
import { reproduce } from "./release/reproduce.mjs";
import { rust } from "./setup/rust.mjs";
import { target } from "./setup/wasm.mjs";

const read = (file) => readFileSync(paths.at(file), "utf8");

async function must(command, args, options) {
  const done = await quiet(command, args, { deadline: 120, ...options });
  if (!done.ok) throw new Error(`${command} ${args.join(" ")} ${done.why}:\n${tail(done.output)}`);
  return done.output;
}

/** What npm would put into the tarball. */
async function packed() {
  const said = await must("npm", ["pack", "--dry-run", "--json", "--ignore-scripts", "--silent"]);
  const answer = JSON.parse(said.slice(said.search(/^[[{]/m)));
  return Object.values(answer)[0].files.map(({ path }) => path).sort();
}

/** What cargo would put into the crate. What it adds where there is a git repository is no part of it. */
async function crated() {
  const { cargo, env } = await rust();
  const said = await must(cargo, ["package", "--list", "--allow-dirty", "--locked", "--quiet"], { env });
  return said.trim().split("\n").map((path) => path.replaceAll("\\", "/")).filter((path) => path !== ".cargo_vcs_info.json").sort();
}

/** Compares a list with its golden file; what is wrong. */
function golden(name, list, bless) {
  const file = paths.at("scripts", "release", name);
  if (bless) writeFileSync(file, `${list.join("\n")}\n`);
  const wanted = readFileSync(file, "utf8").trim().split("\n");
  const without = (one, other) => one.filter((path) => !other.includes(path));
  return [
    ...without(list, wanted).map((path) => `${path} is new: if it belongs there, add --bless and commit scripts/release/${name}`),
    ...without(wanted, list).map((path) => `${path} is missing; if it is meant to be, add --bless and commit scripts/release/${name}`),
  ];
}

/** What an install of the package does to whoever installs it: nothing; and whatever it promises is there. */
function manifest(files) {
  const one = readJson(paths.at("package.json"));
  const wrong = [];
  for (const kind of ["dependencies", "peerDependencies", "optionalDependencies", "bundleDependencies"]) {
    const needed = Object.keys(one[kind] ?? {}).filter((name) => !one.peerDependenciesMeta?.[name]?.optional);
    if (needed.length) wrong.push(`package.json has ${kind}: ${needed.join()}`);
  }
  for (const script of ["preinstall", "install", "postinstall", "prepare"]) if (one.scripts[script]) wrong.push(`package.json has a script "${script}", which runs where it is installed`);
  if (one.sideEffects !== false) wrong.push("sideEffects is not false");
  const targets = (value) => (typeof value === "string" ? [value] : Object.values(value).flatMap(targets));
  for (const path of targets(one.exports)) if (!files.includes(path.replace(/^\.\//, ""))) wrong.push(`exports names ${path}, which is not packed`);
  const wasm = files.filter((path) => path.endsWith(".wasm"));
  if (wasm.length !== 1) wrong.push(`${wasm.length} wasm files are packed: ${wasm.join()}`);
  return wrong;
}

function versions() {
  const version = readJson(paths.at("package.json")).version;
  const lock = readJson(paths.at("package-lock.json"));
  const said = {
    "Cargo.toml": /^version = "(.+)"$/m.exec(read("Cargo.toml"))?.[1],
    "Cargo.lock": /name = "modelport"\nversion = "(.+)"/.exec(read("Cargo.lock"))?.[1],
    "package-lock.json": lock.version,
    "package-lock.json, the package itself": lock.packages[""].version,
    "www/version.ts": /version = "(.+)"/.exec(read("www/version.ts"))?.[1],
    "dist/library.js": read("dist/library.js").includes(`"${version}"`) ? version : undefined,
  };
  return Object.entries(said).filter(([, other]) => other !== version).map(([file, other]) => `${file} says ${other ?? "nothing"}, package.json ${version}`);
}

/** The section of the version, with at least one entry. */
function changelog() {
  const version = readJson(paths.at("package.json")).version;
  const sections = read("CHANGELOG.md").split(/^## /m).slice(1);
  const own = sections.find((text) => text.split("\n")[0].split(/\s/)[0].replace(/[[\]]/g, "") === version);
  if (!own) return [`CHANGELOG.md has no section "## ${version}"`];
  return /^- \S/m.test(own) ? [] : [`CHANGELOG.md says nothing about ${version}`];
}

/** Whether every crate that cargo links into the wasm is in the file, and whether forbidden terms would be noticed. */
async function licences(files) {
  const wrong = [];
  const file = "dist/THIRD-PARTY-LICENSES.txt";
  if (!files.includes(file)) wrong.push(`${file} is not packed`);
  const text = read(file);
  const { cargo, env } = await rust();
  const tree = await must(cargo, ["tree", "--locked", "--edges", "normal,no-proc-macro", "--target", target, "--features", "npm", "--prefix", "none", "--format", "{p}"], { env });
  const linked = new Set(tree.trim().split("\n").map((line) => /^(\S+) v(\S+)/.exec(line)?.slice(1).join(" ")).filter((one) => one && !one.startsWith("modelport ")));
  if (linked.size < 10) wrong.push(`cargo tree names only ${linked.size} crates`);
  for (const crate of linked) if (!text.includes(`\n${crate} (`)) wrong.push(`${crate} is in the wasm, and not in ${file}`);
  for (const [expression, wanted] of [["GPL-3.0-only OR MIT", "MIT"], ["MIT AND GPL-3.0-only", ""], ["", ""], ["(MIT OR Apache-2.0) AND Unicode-3.0", "MIT,Unicode-3.0"], ["Zlib/Apache-2.0", "Apache-2.0"]]) {
    let terms = "";
    try {
      terms = termsOf(expression).join();
    } catch (error) {
      if (!(error instanceof Trouble)) throw error;
    }
    if (terms !== wanted) wrong.push(`of "${expression}", "${terms}" is taken instead of "${wanted}"`);
  }
  return wrong;
}

await main(async (words) => {
  const bless = words.includes("--bless");
  if (!words.includes("--dry-run") || words.some((word) => !["--dry-run", "--bless"].includes(word))) {
    throw new Trouble("Nothing is published from here.", 'run "npm run release -- --dry-run"; if all is well, tag the commit, then "cargo publish" and "npm publish".');
  }
  await build();
  const files = await packed();
  const steps = {
    "what npm packs": () => golden("npm.txt", files, bless),
    "what cargo packs": async () => golden("crate.txt", await crated(), bless),
    "what an install does": () => manifest(files),
    "one version": versions,
    changelog,
    "licences of what is within": () => licences(files),
    "the same bytes from another folder": reproduce,
  };
  let bad = 0;
  for (const [name, work] of Object.entries(steps)) {
    const started = performance.now();
    const wrong = await Promise.resolve().then(work).catch((error) => [error.message]);
    if (wrong.length) bad++;
    say(`${wrong.length ? "✗" : "✓"} release: ${name}  ${since(started)}`);
    for (const one of wrong) say(`    ${one.replaceAll("\n", "\n    ")}`);
  }
  return bad ? 1 : 0;
});
