// Builds tests/rust_page, a page whose tools are written in Rust, into .tools/rust_page for the browser tests.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { filesBelow } from "./lib/files.mjs";
import { paths } from "./lib/paths.mjs";
import { quiet } from "./lib/run.mjs";
import { Trouble, step } from "./lib/say.mjs";
import { unlessUnchanged } from "./lib/stamps.mjs";
import { bindgen, bindgenVersion } from "./setup/bindgen.mjs";
import { target, wasmRoute } from "./setup/wasm.mjs";

const source = paths.at("tests", "rust_page");

/** Where the page's script and wasm lie once `rustPage()` has settled. */
export const rustPageFolder = join(paths.tools, "rust_page");

async function must(doing, command, args, options) {
  const done = await quiet(command, args, { doing, ...options });
  if (!done.ok) throw new Trouble(`${done.output}\n\n${doing} failed: ${done.why}.`, "correct what is shown above, then repeat this command.");
}

/** Brings the page up to date. */
export async function rustPage() {
  const files = [paths.at("Cargo.toml"), ...filesBelow(paths.at("src")), ...["Cargo.toml", "Cargo.lock"].map((file) => join(source, file)), ...filesBelow(join(source, "src"))];
  await unlessUnchanged("rust page", files.filter(existsSync), [bindgenVersion()], async () => {
    const route = await wasmRoute();
    const targetDir = join(route.targetDir, "rust_page");
    step("a page in Rust, for the browser tests");
    await must("compiling the page in Rust", route.cargo, ["build", "--release", "--locked", "--manifest-path", join(source, "Cargo.toml"), ...route.args], {
      // A folder of its own: it builds the crate under another profile, and would leave that behind for the package.
      env: { ...route.env, CARGO_TARGET_DIR: targetDir },
      count: /^\W*\s*Compiling /gm,
      unit: "crates",
    });
    const wasm = join(targetDir, target, "release", "rust_page.wasm");
    await must("writing its glue", await bindgen(), [wasm, rustPageFolder, "rust_page", "web"]);
    return filesBelow(rustPageFolder);
  });
}
