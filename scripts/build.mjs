// npm run build: cargo, wasm-bindgen, wasm-opt, esbuild, tsc and the documentation, each only if its inputs changed.

import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { deflateRawSync } from "node:zlib";
import { docsInputs } from "./docs/inputs.mjs";
import { filesBelow, readJson, replaceFolder, writeAtomically } from "./lib/files.mjs";
import { cratesIn, notices } from "./lib/licences.mjs";
import { locked } from "./lib/lock.mjs";
import { paths } from "./lib/paths.mjs";
import { quiet } from "./lib/run.mjs";
import { Trouble, detail, main, since, step } from "./lib/say.mjs";
import { useShortNames } from "./lib/short_names.mjs";
import { shrink } from "./lib/shrink.mjs";
import { unlessUnchanged } from "./lib/stamps.mjs";
import { bindgen, bindgenVersion } from "./setup/bindgen.mjs";
import { npmBin, npmPackages } from "./setup/npm.mjs";
import { smallFlags, smallRoute, sourcesArrived, target } from "./setup/wasm.mjs";

/** wasm-opt is told the features that rustc turns on by default; without them it refuses or undoes. */
const wasmOptFlags = [
  "-Oz",
  // What a page downloads is compressed: functions kept apart and alike, and sorted beside their likes, compress better.
  "--one-caller-inline-max-function-size=20",
  // So does what is written out a second time instead of being kept in a local, and data that is not cut at its zeros.
  "--skip-pass=local-cse",
  "--skip-pass=memory-packing",
  "--dealign",
  "--reorder-functions-by-name",
  // Notes for other tools, which no browser reads.
  "--strip-producers",
  "--strip-target-features",
  // Prints the names it chose, for the glue.
  "--minify-imports-and-exports-and-modules",
  ...["bulk-memory", "bulk-memory-opt", "nontrapping-float-to-int", "sign-ext", "mutable-globals", "reference-types", "multivalue"].map(
    (feature) => `--enable-${feature}`,
  ),
];

const rawWasm = join(paths.tools, "build", "modelport.wasm");
/** The names of the shipped wasm's functions, which it does not have itself; for `npm run size`. */
export const functionNames = join(paths.tools, "build", "functions.txt");
const thirdParties = join(paths.dist, "THIRD-PARTY-LICENSES.txt");
const shippedWasm = join(paths.dist, "modelport.wasm");

/** A program that should simply work on our own sources: what it printed is the explanation, or the result. */
async function must(doing, command, args, options) {
  const done = await quiet(command, args, { doing, ...options });
  const noise = /^\s*(?:\x1b\[[\d;]*m)*(?:Compiling|Downloading|Downloaded|Updating|Locking|Finished|Blocking)\b.*\n/gm;
  const words = done.output.replace(noise, "").trim();
  if (!done.ok) throw new Trouble(`${words}\n\n${basename(command)} ${done.why}.`, "correct what is shown above, then repeat this command.");
  return words;
}

/** The same where what it prints is for people. */
async function tool(...call) {
  const words = await must(...call);
  if (words) process.stdout.write(`${words}\n`);
}

async function compile() {
  const route = await smallRoute();
  step(`Rust to wasm (${route.describe})`);
  const args = ["build", "--release", "--locked", "--lib", "--features", "npm", ...route.args];
  const env = { ...route.env, CARGO_TARGET_DIR: route.targetDir };
  await tool("compiling", route.cargo, args, {
    env: { ...env, ...(process.stdout.isTTY && { CARGO_TERM_COLOR: "always" }) },
    count: /^\W*(?:\x1b\[[\d;]*m)*\s*Compiling /gm,
    unit: "crates",
  });
  mkdirSync(join(paths.tools, "build"), { recursive: true });
  copyFileSync(join(route.targetDir, target, "release", "modelport.wasm"), `${rawWasm}.tmp`);
  renameSync(`${rawWasm}.tmp`, rawWasm);
  // Nothing is left to compile: cargo only says what it would have compiled.
  const said = await must("listing crates", route.cargo, [...args, "--quiet", "--message-format=json"], { env });
  writeAtomically(thirdParties, notices(cratesIn(said, target, /Rust ([\d.]+)/.exec(route.describe)?.[1] ?? "")));
  return [rawWasm, thirdParties];
}

/** A new folder on the same disk as what will be replaced with it. */
const scratch = (name) => mkdtempSync(join(paths.tools, `${name}-`));

/** The wasm as it is shipped, and the glue that fits it. */
async function glue() {
  const program = await bindgen();
  step("JavaScript glue (wasm-bindgen)");
  const folder = scratch("glue");
  await tool("writing the glue", program, [rawWasm, folder, "modelport", "bundler"]);
  step(`wasm-opt ${wasmOptFlags[0]}`);
  mkdirSync(paths.dist, { recursive: true });
  const long = join(folder, "modelport_bg.wasm");
  const short = join(folder, "modelport.wasm");
  useShortNames(folder, await must("optimising", npmBin("wasm-opt"), [...wasmOptFlags, `--symbolmap=${functionNames}`, long, "-o", short]), short);
  rmSync(long);
  // For the entry that fetches nothing.
  const packed = deflateRawSync(readFileSync(short), { level: 9, memLevel: 9 }).toString("base64");
  writeFileSync(join(folder, "packed.js"), `export const packed = "${packed}";\n`);
  writeFileSync(join(folder, "packed.d.ts"), "/** The wasm, deflated, in Base64. */\nexport const packed: string;\n");
  renameSync(short, shippedWasm);
  replaceFolder(folder, paths.generated);
  return [...filesBelow(paths.generated), shippedWasm, functionNames];
}

/**
 * What can be imported from the package: a file of dist/, what it is made of, and flags. All share one library and its
 * state, by importing it; only the classic script, which can't, has it within.
 */
export const entries = [
  ["library.js", "library.ts"],
  ["index.js", "index.ts"],
  ["node.js", "node.ts"],
  ["inline.js", "inline.ts"],
  ["global.js", "global.ts", "--format=iife", "--global-name=modelport"],
  ["mcp-b.js", "mcp_b.ts"],
  ["react.js", "react.ts"],
  ["testing.js", "testing.ts"],
  ["form.js", "form.ts"],
];

/** Files without a state, of which two entries may each have their own. */
const stateless = ["www/error.ts"];

/** What esbuild is told for an entry. */
export function bundling([, source, ...flags]) {
  const form = flags.length ? flags : ["--format=esm", "--external:react", ...(source === "library.ts" ? [] : ["--external:./library.js", "--external:./index.js"])];
  // wasm-bindgen lists a module once for each function imported from it, and esbuild remarks on each.
  return ["--log-override:duplicate-object-key=silent", join(paths.www, source), "--bundle", ...form, "--external:node:*", "--target=es2022", "--minify", "--legal-comments=none", "--log-level=warning"];
}

async function bundle() {
  step("JavaScript entries (esbuild, terser)");
  const folder = scratch("js");
  const made = [];
  const homes = new Map();
  for (const entry of entries) {
    const [name, , ...flags] = entry;
    const temporary = join(folder, name);
    const notes = join(folder, "notes.json");
    await tool("bundling", npmBin("esbuild"), [...bundling(entry), `--metafile=${notes}`, `--outfile=${temporary}`], { cwd: paths.root });
    await shrink(temporary, !flags.length);
    if (!flags.length) keepOneHome(homes, name, Object.keys(readJson(notes).inputs));
    made.push(join(paths.dist, name));
    renameSync(temporary, made.at(-1));
  }
  return made;
}

/** A file in two entries would have its state twice in a page that imports both. */
function keepOneHome(homes, name, files) {
  for (const file of files.filter((file) => !stateless.includes(file))) {
    if (homes.has(file)) throw new Trouble(`${file} would be in dist/${homes.get(file)} and in dist/${name}.`, `let ${name}'s source import from "./library.js" what the library has.`);
    homes.set(file, name);
  }
}

/** The site. Its packages are there only once npm's are, so the module that makes it is not loaded before. */
const makeDocs = async () => (await import("./docs.mjs")).docs();

async function declarations() {
  step("type declarations (tsc)");
  const folder = scratch("types");
  await tool("checking types", npmBin("tsc"), ["-p", paths.www, "--noEmit", "false", "--declaration", "--emitDeclarationOnly", "--outDir", folder]);
  // The glue's declarations are shipped only if ours mention them.
  if (filesBelow(folder).some((file) => readFileSync(file, "utf8").includes("generated/modelport"))) {
    cpSync(join(paths.generated, "modelport.d.ts"), join(folder, "generated", "modelport.d.ts"));
  }
  const made = filesBelow(folder).map((file) => join(paths.dist, relative(folder, file)));
  for (const old of filesBelow(paths.dist)) if (old.endsWith(".d.ts") && !made.includes(old)) rmSync(old);
  cpSync(folder, paths.dist, { recursive: true });
  return made;
}

function clearScratch() {
  if (!existsSync(paths.tools)) return;
  for (const name of readdirSync(paths.tools)) if (/^(?:glue|js|types|docs)-/.test(name)) rmSync(join(paths.tools, name), { recursive: true, force: true });
}

/** Brings `dist/` up to date, with whatever set-up that needs. */
export const build = () =>
  locked(async () => {
    const started = performance.now();
    clearScratch();
    await npmPackages();
    const rustFiles = [paths.at("Cargo.toml"), paths.at("Cargo.lock"), ...filesBelow(paths.at("src"))];
    const scripts = filesBelow(paths.www).filter((file) => /\.(?:ts|json)$/.test(file) && !/[/\\](?:demo|generated)[/\\]/.test(file));
    const lock = paths.at("package-lock.json");
    const steps = [
      ["wasm", () => rustFiles, [smallFlags, sourcesArrived()], compile],
      ["glue", () => [rawWasm, lock, ...filesBelow(paths.at("scripts", "bindgen", "src")), paths.at("scripts", "lib", "short_names.mjs")], [bindgenVersion(), wasmOptFlags, functionNames], glue],
      ["entry", () => [...scripts, ...filesBelow(paths.generated).filter((file) => /\.js$/.test(file)), lock, paths.at("scripts", "lib", "shrink.mjs")], [entries], bundle],
      ["types", () => [...scripts, ...filesBelow(paths.generated).filter((file) => /\.d\.ts$/.test(file)), lock], [], declarations],
      ["docs", docsInputs, [], makeDocs],
    ];
    let worked = false;
    try {
      for (const [name, inputs, words, work] of steps) worked = (await unlessUnchanged(name, inputs(), words, work)) || worked;
    } finally {
      clearScratch();
    }
    step(worked ? `built into dist/ in ${since(started)}` : "everything is built already");
  });

if (import.meta.url === pathToFileURL(process.argv[1]).href) await main(build);
