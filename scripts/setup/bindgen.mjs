// The tool that writes the JavaScript glue, at exactly the version of the crate: they share a private format.

import { chmodSync, copyFileSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { hashOf, isProgram } from "../lib/files.mjs";
import { paths } from "../lib/paths.mjs";
import { quiet, tail } from "../lib/run.mjs";
import { Trouble, detail, since, step } from "../lib/say.mjs";
import { rust } from "./rust.mjs";

const source = paths.at("scripts", "bindgen");

function versionIn(lock, name) {
  return new RegExp(`name = "${name}"\nversion = "(.+)"`).exec(readFileSync(lock, "utf8"))?.[1];
}

/** The version both sides agree on, compared before anything is built. */
export function bindgenVersion() {
  const crate = versionIn(paths.at("Cargo.lock"), "wasm-bindgen");
  const tool = versionIn(join(source, "Cargo.lock"), "wasm-bindgen-cli-support");
  if (crate && crate === tool) return crate;
  throw new Trouble(
    `Cargo.lock names wasm-bindgen ${crate ?? "not at all"}, but scripts/bindgen/Cargo.lock has its tool at ${tool}; they must be equal.`,
    `set wasm-bindgen-cli-support = "=${crate}" in scripts/bindgen/Cargo.toml and run "cargo update" there, or put the crate's version back.`,
  );
}

/** Finds, or builds, the tool; resolves to its path. */
export async function bindgen() {
  const version = bindgenVersion();
  const inputs = ["Cargo.toml", "Cargo.lock", "src/main.rs"].map((file) => join(source, file));
  const program = join(paths.tools, `bindgen-${version}`, `modelport-bindgen-${hashOf(inputs).slice(0, 8)}`);
  if (isProgram(program)) return program;

  const toolchain = await rust();
  step(`wasm-bindgen ${version}: building the glue tool (a minute or two, once)`);
  const started = performance.now();
  const targetDir = join(paths.target, "bindgen");
  const done = await quiet(toolchain.cargo, ["build", "--release", "--locked", "--manifest-path", join(source, "Cargo.toml")], {
    env: { ...toolchain.env, CARGO_TARGET_DIR: targetDir },
    doing: "compiling",
    count: /^\s*Compiling /gm,
    unit: "crates",
  });
  if (!done.ok) {
    throw new Trouble(`The glue tool could not be built: cargo ${done.why}.\n${tail(done.output)}`, "if a crate could not be fetched, see that cargo reaches its registry, then repeat this command; what is compiled is kept.");
  }
  mkdirSync(dirname(program), { recursive: true });
  copyFileSync(join(targetDir, "release", "modelport-bindgen"), `${program}.tmp`);
  chmodSync(`${program}.tmp`, 0o755);
  renameSync(`${program}.tmp`, program);
  detail(`built in ${since(started)}`);
  return program;
}
