// npm run check: everything that can be judged without running the program; one line for each step.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { build } from "./build.mjs";
import { locked } from "./lib/lock.mjs";
import { paths } from "./lib/paths.mjs";
import { quiet } from "./lib/run.mjs";
import { Trouble, explain, main, say, since } from "./lib/say.mjs";
import { rustPageSources } from "./rust_pages.mjs";
import { npmBin } from "./setup/npm.mjs";
import { rust, rustComponents } from "./setup/rust.mjs";
import { wasmRoute } from "./setup/wasm.mjs";

const beat = { doing: "checking", count: /^\W*(?:Compiling|Checking|Documenting) /gm, unit: "crates" };
// What is compiled for the browser's target is not run here: `true` stands in for whatever would.
const strict = { RUSTDOCFLAGS: "-D warnings", CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER: "true" };
const bindgenManifest = paths.at("scripts", "bindgen", "Cargo.toml");

/** Each step names a command; the later ones need what the build generates. */
async function steps() {
  const native = await rust();
  await rustComponents();
  const wasm = await wasmRoute();
  const wasmEnv = { ...wasm.env, CARGO_TARGET_DIR: wasm.targetDir };
  const cargo = (...args) => () => quiet(native.cargo, args, { env: { ...native.env, ...strict }, ...beat });
  const forWasm = ([command, ...first], ...args) => () => quiet(command, [...first, ...wasm.args, ...args], { env: { ...wasmEnv, ...strict }, ...beat });
  const types = (folder) => () => quiet(npmBin("tsc"), ["-p", paths.at(folder), "--noEmit"], beat);
  return [
    ["fmt", cargo("fmt", "--check")],
    ["fmt, scripts/bindgen", cargo("fmt", "--check", "--manifest-path", bindgenManifest)],
    ...Object.entries(rustPageSources).map(([name, source]) => [`fmt, ${name}`, cargo("fmt", "--check", "--manifest-path", join(source, "Cargo.toml"))]),
    ["clippy, native", cargo("clippy", "--locked", "--all-targets", "--", "-D", "warnings")],
    ["clippy, wasm32", forWasm(wasm.clippy, "--locked", "--lib", "--features", "npm,schemars", "--", "-D", "warnings")],
    ["rustdoc, native", cargo("doc", "--locked", "--no-deps")],
    ["rustdoc, wasm32", forWasm([wasm.cargo, "doc"], "--locked", "--no-deps", "--features", "schemars")],
    ["examples in rustdoc, wasm32", forWasm([wasm.cargo, "test", "--doc"], "--locked", "--features", "schemars")],
    existsSync(paths.at("tests", "tidy.rs")) && ["tidy", cargo("test", "--locked", "--test", "tidy")],
    ["build", () => build().then(() => ({ ok: true }))],
    ["documentation of every member", documented],
    ...["bundler", "node16", "validators"].map((way) => [`types for a stranger, ${way}`, strangersTypes(way)]),
    ["size", () => quiet(process.execPath, [paths.at("scripts", "size.mjs"), "--no-build"])],
    ...["www", "playwright", "benches"].map((folder) => existsSync(join(paths.at(folder), "tsconfig.json")) && [`tsc, ${folder}`, types(folder)]),
  ].filter(Boolean);
}

/** Judges the declarations that the build made. */
async function documented() {
  // Its packages are there only once npm's are.
  const { undocumented } = await import("./docs/documented.mjs");
  const bare = undocumented();
  return { ok: bare.length === 0, output: `Nothing is said about:\n  ${bare.join("\n  ")}` };
}

/** Instantiations a stranger's compiler may need: types that cost more are no help. Counted, so that it does not depend on the machine. */
const MOST_INSTANTIATIONS = 100_000;

/** Compiles what a stranger writes against the built package; see tests/types. */
const strangersTypes = (way) => async () => {
  const result = await quiet(npmBin("tsc"), ["-p", paths.at("tests", "types", `tsconfig.${way}.json`), "--extendedDiagnostics"], beat);
  const count = Number(/^Instantiations:\s*(\d+)/m.exec(result.output)?.[1]);
  if (!result.ok || count <= MOST_INSTANTIATIONS) return result;
  return { ok: false, output: `tsc needed ${count} instantiations, more than ${MOST_INSTANTIATIONS}.` };
};

async function judge([name, work]) {
  const started = performance.now();
  let result;
  try {
    result = await work();
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    explain(error);
    result = { ok: false, output: "" };
  }
  if (!result.ok) say(result.output.trimEnd());
  say(`${result.ok ? "✓" : "✗"} ${name}  ${since(started)}`);
  return result.ok;
}

await main(async () => {
  const bad = [];
  const all = await locked(steps);
  for (const one of all) if (!(await judge(one))) bad.push(one[0]);
  say(bad.length ? `\n✗ ${bad.length} of ${all.length} checks failed: ${bad.join("; ")}` : `\n✓ all ${all.length} checks passed`);
  return bad.length ? 1 : 0;
});
