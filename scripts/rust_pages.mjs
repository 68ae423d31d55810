// Builds the pages that are written in Rust, into .tools/rust_pages: tests/rust_page, which only tests open, and
// the examples, whose index.html is written for Trunk.

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { filesBelow } from "./lib/files.mjs";
import { locked } from "./lib/lock.mjs";
import { paths } from "./lib/paths.mjs";
import { quiet } from "./lib/run.mjs";
import { Trouble, detail, since, step } from "./lib/say.mjs";
import { unlessUnchanged } from "./lib/stamps.mjs";
import { demoPolicy } from "./serve.mjs";
import { bindgen, bindgenVersion } from "./setup/bindgen.mjs";
import { target, wasmRoute } from "./setup/wasm.mjs";

/** Where each page lies, in a folder of its name, once `rustPages()` has settled. */
export const rustPagesFolder = join(paths.tools, "rust_pages");
/** The same for those that were asked for as they would be published. */
export const publishedPagesFolder = join(paths.tools, "rust_pages_published");

export const examples = ["wasm_bindgen", "leptos", "yew"];
/** The folder of each page's crate. */
export const rustPageSources = { rust_page: paths.at("tests", "rust_page"), ...Object.fromEntries(examples.map((name) => [name, paths.at("examples", name)])) };

/** What a submission pays for: no optimisation, no notes for debuggers. */
const quick = { pages: rustPagesFolder, folder: "debug", flags: [], env: { CARGO_PROFILE_DEV_DEBUG: "false", CARGO_INCREMENTAL: "0" } };
/** How a front end is published, and how it is to be measured. */
const published = { pages: publishedPagesFolder, folder: "release", flags: ["--release"], env: {} };

async function must(doing, command, args, options) {
  const done = await quiet(command, args, { doing, ...options });
  if (!done.ok) throw new Trouble(`${done.output}\n\n${doing} failed: ${done.why}.`, "correct what is shown above, then repeat this command.");
}

/** What Trunk makes of an `index.html`: its links become the files themselves, and the one to the crate what starts it. */
function page(source, folder, name) {
  const html = readFileSync(join(source, "index.html"), "utf8").replace(/<link data-trunk rel="(\w+)"(?: href="([^"]+)")?>/g, (link, kind, href) => {
    if (kind === "css") {
      copyFileSync(join(source, href), join(folder, basename(href)));
      return `<link rel="stylesheet" href="${basename(href)}">`;
    }
    if (kind !== "rust") throw new Trouble(`${source}/index.html has ${link}, which is not known here.`, "add it to scripts/rust_pages.mjs.");
    return `<script type="module" src="start.js"></script>`;
  });
  writeFileSync(join(folder, "index.html"), html);
  writeFileSync(join(folder, "start.js"), `import init from "./${name}.js";\nawait init({ module_or_path: "./${name}_bg.wasm" });\n`);
}

async function buildPage(called, source, crateFiles, way) {
  const own = filesBelow(source).filter((file) => !/[/\\](?:target|dist)[/\\]/.test(file));
  const shared = filesBelow(dirname(source)).filter((file) => dirname(file) === paths.at("examples"));
  await unlessUnchanged(`rust page ${called}, ${way.folder}`, [...crateFiles, ...own, ...shared], [bindgenVersion(), way], async () => {
    const started = performance.now();
    const route = await wasmRoute();
    // One folder for all of them, so that what they share is compiled once; not the package's, which has other flags.
    const targetDir = join(route.targetDir, "rust_pages");
    step(`a page in Rust: ${called}`);
    await must(`compiling ${called}`, route.cargo, ["build", "--locked", ...way.flags, "--manifest-path", join(source, "Cargo.toml"), ...route.args], {
      env: { ...route.env, ...way.env, CARGO_TARGET_DIR: targetDir },
      count: /^\W*\s*Compiling /gm,
      unit: "crates",
    });
    const name = /^name = "(.+)"/m.exec(readFileSync(join(source, "Cargo.toml"), "utf8"))[1].replaceAll("-", "_");
    const folder = join(way.pages, called);
    mkdirSync(folder, { recursive: true });
    await must("writing its glue", await bindgen(), [join(targetDir, target, way.folder, `${name}.wasm`), folder, name, "web"]);
    if (examples.includes(called)) page(source, folder, name);
    detail(`built in ${since(started)}`);
    return filesBelow(folder);
  });
}

/** Brings the pages up to date, as they would be published if that is asked for. */
export const rustPages = (names = Object.keys(rustPageSources), { asPublished = false } = {}) =>
  locked(async () => {
    const crateFiles = [paths.at("Cargo.toml"), ...filesBelow(paths.at("src"))];
    for (const name of names) await buildPage(name, rustPageSources[name], crateFiles, asPublished ? published : quick);
  });

/** For `serve()`: the examples, under the policy of the demo. */
export const exampleRoots = Object.fromEntries(examples.map((name) => [`/${name}/`, join(rustPagesFolder, name)]));
export const exampleHeaders = Object.fromEntries(examples.map((name) => [`/${name}/`, { "Content-Security-Policy": demoPolicy }]));
