// A Rust compiler for wasm32-unknown-unknown. There are two routes:
//   rustup  the toolchain has, or can be given, the target's standard library;
//   debian  packages bring a compiler and the sources of std, which cargo then builds (about a minute, once).
// What is shipped is built with a std of its own on both, where the sources of std can be had.

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { isProgram, onPath } from "../lib/files.mjs";
import { paths } from "../lib/paths.mjs";
import { quiet } from "../lib/run.mjs";
import { Trouble, detail, step } from "../lib/say.mjs";
import { aptInstall } from "./apt.mjs";
import { debianRust, rust, toolchainEnv } from "./rust.mjs";
import { recall, remember } from "./state.mjs";

export const target = "wasm32-unknown-unknown";
const linker = "wasm-ld-22";
/** Where the network is closed, rustup hangs rather than fails. */
const rustupDeadline = 20;

const hasStd = (sysroot) => existsSync(join(sysroot, "lib/rustlib", target, "lib"));
const hasSources = (sysroot) => existsSync(join(sysroot, "lib/rustlib/src/rust/library"));
/** -Zbuild-std is unstable, but it is the only way to a std that nobody has built. */
const bootstrap = { RUSTC_BOOTSTRAP: "1" };
const hasDebian = () =>
  isProgram("/usr/bin/rustc") && isProgram("/usr/bin/cargo") && onPath(linker).length > 0 && existsSync("/usr/lib/rustlib/src");

const rustupRoute = (toolchain) => ({
  name: "rustup",
  describe: `Rust ${toolchain.version}, which has the wasm target`,
  sysroot: toolchain.sysroot,
  rustup: toolchain.rustup,
  cargo: toolchain.cargo,
  clippy: [toolchain.cargo, "clippy"],
  targetDir: paths.target,
  env: toolchain.env,
  args: ["--target", target],
});

const debianRoute = () => ({
  name: "debian",
  describe: "Debian's Rust, building std from source",
  sysroot: "/usr",
  cargo: "/usr/bin/cargo",
  // `cargo clippy` would look in ~/.cargo/bin first and find a clippy for another compiler.
  clippy: ["/usr/bin/cargo-clippy", "clippy"],
  // Another compiler than the native one: in one folder the two would undo each other's work.
  targetDir: join(paths.target, "wasm"),
  env: {
    ...toolchainEnv(debianRust.bin),
    ...bootstrap,
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER: linker,
  },
  args: ["--target", target, "-Zbuild-std=std,panic_abort"],
});

let known;

/** Finds, or sets up, a route: `{ name, cargo, clippy, env, args, targetDir }`. */
export async function wasmRoute() {
  known ??= await choose();
  return known;
}

/**
 * How what is shipped is compiled. The crate's own code never panics on purpose, and a page could read
 * nothing from a panic but that the wasm trapped, which it learns without words too. So panics abort at
 * once: the messages, their formatting and std's hooks stay out of the download, some 4 kB of brotli.
 * The std that rustup brings has them compiled in, hence one of our own, which is also built for size.
 */
export const smallFlags = {
  rustc: [
    "-Zunstable-options",
    "-Cpanic=immediate-abort",
    // Where a panic would have happened is of no use either, once nothing can print it.
    "-Zlocation-detail=none",
    // wasm-opt sorts functions by name, and sorted by these names they compress better than by the newer ones.
    "-Csymbol-mangling-version=legacy",
  ],
  cargo: ["-Zbuild-std=std,panic_abort", "-Zbuild-std-features=optimize_for_size"],
};

/** The route for what is shipped, which says that it is `small`; the ordinary one where that can't be had. */
export async function smallRoute() {
  const route = await wasmRoute();
  const problem = await whyNotSmall(route);
  if (problem) {
    detail(`${problem}; with the std that comes built, the wasm is some 5 % bigger`);
    return route;
  }
  return {
    ...route,
    small: true,
    describe: `${route.describe.split(",")[0]}, building a small std from source`,
    // Clippy and rustdoc use the ordinary route: in one folder the two would undo each other's work.
    targetDir: join(paths.target, "small"),
    env: { ...route.env, ...bootstrap, RUSTFLAGS: smallFlags.rustc.join(" ") },
    args: ["--target", target, ...smallFlags.cargo],
  };
}

/** True once the sources of std are where an earlier build missed them: what it made can then be made smaller. */
export const sourcesArrived = () => hasSources(recall("sourcesRefused")?.sysroot ?? "");

async function whyNotSmall({ cargo, env, sysroot, rustup }) {
  // Such a panic came in Rust 1.92; whether this compiler has it is best asked of the compiler.
  const rustc = env.RUSTC ?? join(dirname(cargo), "rustc");
  const asked = await quiet(rustc, [...smallFlags.rustc, "--print", "sysroot"], { env: { ...env, ...bootstrap }, deadline: 30 });
  if (!asked.ok) return "this Rust can't build a smaller std (1.92 can)";
  if (hasSources(sysroot)) return undefined;
  if (!rustup) return "the sources of std aren't here";
  const refused = recall("sourcesRefused");
  if (refused?.sysroot === sysroot) return refused.why;
  const problem = await askRustup(rustup, ["component", "add", "rust-src"], () => hasSources(sysroot));
  if (!problem) return undefined;
  const why = `the sources of std can't be had: ${problem}`;
  remember("sourcesRefused", { sysroot, why });
  return why;
}

async function choose() {
  const toolchain = await rust();
  if (hasStd(toolchain.sysroot)) return rustupRoute(toolchain);
  const refused = recall("rustupRefused");
  // The wait for rustup isn't paid again while the route it led to still works.
  if (refused && refused.sysroot === toolchain.sysroot && hasDebian()) return debianRoute();

  step(`Rust ${toolchain.version} in ${toolchain.bin} has no ${target} yet`);
  const why = await addTarget(toolchain);
  if (!why) return rustupRoute(toolchain);
  detail(`${why}; taking Debian's Rust, which builds the target's std from source`);
  await installDebian(why);
  remember("rustupRefused", { sysroot: toolchain.sysroot, why });
  return debianRoute();
}

/** Asks rustup for the target. Returns why that didn't work, or nothing. */
async function addTarget(toolchain) {
  if (!toolchain.rustup) return "it isn't managed by rustup";
  return askRustup(toolchain.rustup, ["target", "add", target], () => hasStd(toolchain.sysroot));
}

/** Runs rustup under its deadline. Returns why that didn't bring what was wanted, or nothing. */
async function askRustup(rustup, words, arrived) {
  detail(`rustup ${words.join(" ")} (at most ${rustupDeadline} s)`);
  const done = await quiet(rustup, words, { deadline: rustupDeadline });
  if (done.ok && arrived()) return undefined;
  const said = done.output.trim().split("\n").findLast((line) => /error/i.test(line));
  return `rustup ${done.why}${said ? ` (${said.trim()})` : ""}`;
}

async function installDebian(why) {
  if (hasDebian()) return;
  try {
    await aptInstall(["rustc-web", "cargo-web", "rust-web-src", "rust-web-clippy", "lld-22"], "a Rust compiler for wasm");
  } catch (error) {
    throw new Trouble(
      `No Rust compiler for ${target}: ${why}. ${error.message}`,
      `where the network allows it, run "rustup target add ${target}" and repeat this command. Or ${error.remedy}`,
    );
  }
  if (!hasDebian()) throw new Trouble(`Debian's packages are installed, but ${linker} or the sources of std are not where they should be.`, `run "rustup target add ${target}" and repeat this command.`);
}
