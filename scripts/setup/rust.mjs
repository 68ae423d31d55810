// The native Rust toolchain: whichever cargo comes first and is new enough for us.

import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { isProgram, onPath } from "../lib/files.mjs";
import { paths } from "../lib/paths.mjs";
import { quiet } from "../lib/run.mjs";
import { Trouble, detail, step } from "../lib/say.mjs";
import { aptInstall } from "./apt.mjs";

/** Rust 1.96 as Debian builds it for its browsers. Unlike its `rustc`, it is new, and brings the sources of std. */
export const debianRust = { bin: "/usr/bin", packages: ["rustc-web", "cargo-web", "rust-web-clippy", "rustfmt-web"] };

const minimum = /^rust-version = "(.+)"/m.exec(readFileSync(paths.at("Cargo.toml"), "utf8"))[1];

/** True if dotted version `a` is at least `b`. */
export const atLeast = (a, b) => a.localeCompare(b, "en", { numeric: true }) >= 0;

const firstOnPath = (bin) => ({ PATH: [bin, process.env.PATH].join(delimiter) });

/** Environment that makes every cargo, rustc and rustdoc below it those of one folder, whatever PATH says. */
export const toolchainEnv = (bin) => ({
  ...firstOnPath(bin),
  CARGO: join(bin, "cargo"),
  RUSTC: join(bin, "rustc"),
  RUSTDOC: join(bin, "rustdoc"),
});

/** What the compiler in a folder says of itself, or why it can't be used. */
async function probe(bin) {
  const rustc = join(bin, "rustc");
  if (!isProgram(rustc)) return { bin, problem: `${rustc} is missing` };
  const asked = await quiet(rustc, ["--version"], { deadline: 30 });
  const version = /rustc (\d+\.\d+\.\d+)/.exec(asked.output)?.[1];
  if (!asked.ok || !version) return { bin, problem: `${rustc} doesn't run: ${asked.output.trim().split("\n")[0] || asked.why}` };
  if (!atLeast(version, minimum)) return { bin, version, problem: `${rustc} is ${version}, and ${minimum} is needed` };
  const sysroot = (await quiet(rustc, ["--print", "sysroot"], { deadline: 30 })).output.trim();
  return { bin, version, sysroot, rustup: isProgram(join(bin, "rustup")) ? join(bin, "rustup") : undefined };
}

async function search() {
  const bins = [...onPath("cargo").map(dirname), join(process.env.CARGO_HOME ?? join(homedir(), ".cargo"), "bin"), "/usr/bin"];
  const problems = [];
  for (const bin of new Set(bins)) {
    if (!isProgram(join(bin, "cargo"))) continue;
    const found = await probe(bin);
    if (!found.problem) return { found, problems };
    problems.push(found.problem);
  }
  return { problems };
}

let known;

/** Finds, or installs, a Rust toolchain: `{ bin, version, sysroot, rustup, env, cargo }`. */
export async function rust() {
  known ??= await findOrInstall();
  return known;
}

async function findOrInstall() {
  let { found, problems } = await search();
  if (!found) {
    step(`Rust ${minimum} or newer: none here${problems.length ? ` (${problems.join("; ")})` : ""}; taking Debian's`);
    try {
      await aptInstall(debianRust.packages, "Rust");
    } catch (error) {
      const cause = problems.length ? `Rust is here but can't be used: ${problems.join("; ")}.` : "Rust isn't installed.";
      throw new Trouble(`${cause} ${error.message}`, `install Rust with rustup (or run "rustup update"), then repeat this command. Or ${error.remedy}`);
    }
    ({ found, problems } = await search());
    if (!found) throw new Trouble(`Rust was installed, but can't be used: ${problems.join("; ")}.`, "install Rust with rustup, then repeat this command.");
    detail(`Rust ${found.version} in ${found.bin}`);
  }
  // Where rustup rules, its cargo picks the rustc that belongs to it.
  const env = found.rustup ? firstOnPath(found.bin) : toolchainEnv(found.bin);
  return { ...found, env, cargo: join(found.bin, "cargo") };
}

/** rustfmt and clippy, which a minimal installation of Rust lacks. */
export async function rustComponents() {
  const { cargo, env, rustup } = await rust();
  const missing = [];
  for (const [command, component] of [["fmt", "rustfmt"], ["clippy", "clippy"]]) {
    if (!(await quiet(cargo, [command, "--version"], { env, deadline: 30 })).ok) missing.push(component);
  }
  if (missing.length === 0) return;
  const names = missing.join(" and ");
  step(`Rust without ${names}: adding`);
  if (!rustup) return aptInstall(missing.map((name) => ({ rustfmt: "rustfmt-web", clippy: "rust-web-clippy" })[name]), names);
  const done = await quiet(rustup, ["component", "add", ...missing], { doing: "downloading", idle: 60 });
  if (!done.ok) throw new Trouble(`rustup component add ${missing.join(" ")} ${done.why}.`, "see that rustup reaches its server, then repeat this command.");
}
