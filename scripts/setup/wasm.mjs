// A Rust compiler for wasm32-unknown-unknown. There are two routes:
//   rustup  the toolchain has, or can be given, the target's standard library;
//   debian  packages bring a compiler and the sources of std, which cargo then builds (about a minute, once).

import { existsSync } from "node:fs";
import { join } from "node:path";
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
const hasDebian = () =>
  isProgram("/usr/bin/rustc") && isProgram("/usr/bin/cargo") && onPath(linker).length > 0 && existsSync("/usr/lib/rustlib/src");

const rustupRoute = (toolchain) => ({
  name: "rustup",
  describe: `Rust ${toolchain.version}, which has the wasm target`,
  cargo: toolchain.cargo,
  clippy: [toolchain.cargo, "clippy"],
  targetDir: paths.target,
  env: toolchain.env,
  args: ["--target", target],
});

const debianRoute = () => ({
  name: "debian",
  describe: "Debian's Rust, building std from source",
  cargo: "/usr/bin/cargo",
  // `cargo clippy` would look in ~/.cargo/bin first and find a clippy for another compiler.
  clippy: ["/usr/bin/cargo-clippy", "clippy"],
  // Another compiler than the native one: in one folder the two would undo each other's work.
  targetDir: join(paths.target, "wasm"),
  env: {
    ...toolchainEnv(debianRust.bin),
    // -Zbuild-std is unstable, but it is the only way to a std that no package holds.
    RUSTC_BOOTSTRAP: "1",
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
  detail(`rustup target add ${target} (at most ${rustupDeadline} s)`);
  const done = await quiet(toolchain.rustup, ["target", "add", target], { deadline: rustupDeadline });
  if (done.ok && hasStd(toolchain.sysroot)) return undefined;
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
