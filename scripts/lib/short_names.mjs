// Ties the glue to the wasm by short names. wasm-bindgen's own are long and end in hashes, which no compressor can
// shorten; wasm-opt can, and prints what it chose. This writes the same names into the JavaScript.

import { createHash } from "node:crypto";
import { appendFileSync, copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { paths } from "./paths.mjs";
import { Trouble } from "./say.mjs";

const declarations = `/** What the wasm imports. */
export const imports: WebAssembly.Imports;
/** What the wasm that fits carries as its custom section "modelport". */
export const build: string;
/** Gives the glue the instance's exports, and runs what the wasm has to run first. */
export function start(wasm: WebAssembly.Exports): void;
`;

/** The modules of src/web that www/ shares with the wasm's glue: one of each serves both. */
const shared = ["live", "port", "survey", "copy", "quick"];

/** What wasm-opt calls the one module that it makes of all that is imported. */
const merged = "a";

/**
 * Rewrites the glue in `folder`. `names` is what wasm-opt printed, `wasm` the file it wrote. Whatever does not fit
 * is an error here, or, if a module lacks what is imported from it, when esbuild bundles.
 */
export function useShortNames(folder, names, wasm) {
  const { imports, exports } = JSON.parse(names);
  const module = new WebAssembly.Module(readFileSync(wasm));
  const agree = (what, has, wanted) => {
    if (has.sort().join() !== wanted.sort().join()) throw unfit(`the ${what} of ${wasm} are not those that wasm-opt named`);
  };
  agree("imports", WebAssembly.Module.imports(module).map((one) => `${one.module} ${one.name}`), imports.map(([, , short]) => `${merged} ${short}`));
  agree("exports", WebAssembly.Module.exports(module).map((one) => one.name), exports.map(([, short]) => short));

  const shortOf = new Map(exports);
  const short = (name) => shortOf.get(name) ?? fail(`the glue asks the wasm for ${name}, which it does not export`);
  const glue = join(folder, "modelport_bg.js");
  writeFileSync(glue, readFileSync(glue, "utf8").replace(/\bwasm\.(\w+)/g, (_, name) => `wasm.${short(name)}`));

  const lines = imports.map(([from, name], index) => `import { ${name} as i${index} } from ${JSON.stringify(from)};`);
  const table = imports.map(([, , name], index) => `${JSON.stringify(name)}: i${index}`).join(", ");
  writeFileSync(join(folder, "imports.js"), `import { __wbg_set_wasm } from "./modelport_bg.js";
${lines.join("\n")}
export const build = "${mark(wasm)}";
export const imports = { ${merged}: { ${table} } };
export const start = (wasm) => (__wbg_set_wasm(wasm), wasm.${short("__wbindgen_start")}());
`);
  writeFileSync(join(folder, "imports.d.ts"), declarations);
  // The folder they lie in has a name that nobody could import by hand.
  const [live] = imports.find(([from]) => from.endsWith("/src/web/live.js")) ?? fail("the wasm imports nothing from live.js");
  for (const name of shared) {
    writeFileSync(join(folder, `${name}.js`), `export * from ${JSON.stringify(live.replace("live.js", `${name}.js`))};\n`);
    copyFileSync(paths.at("src", "web", `${name}.d.ts`), join(folder, `${name}.d.ts`));
  }
  // wasm-bindgen's entry imports the wasm as a module, which browsers can't; what it exports is all we need of it.
  const entry = join(folder, "modelport.js");
  writeFileSync(entry, /^export \{[^}]*\} from "\.\/modelport_bg\.js";$/m.exec(readFileSync(entry, "utf8"))?.[0] ?? fail(`${entry} is not as it was`));
}

/** Names are as short in every build, so that another's wasm would fit by its names: each says whose it is. */
function mark(wasm) {
  const build = createHash("sha256").update(readFileSync(wasm)).digest("hex").slice(0, 8);
  const name = "modelport";
  appendFileSync(wasm, Buffer.concat([Buffer.from([0, 1 + name.length + build.length, name.length]), Buffer.from(name + build)]));
  return build;
}

const unfit = (cause) => new Trouble(`The glue and the wasm do not fit: ${cause}.`, "this is a fault of the build; see scripts/lib/short_names.mjs.");
const fail = (cause) => {
  throw unfit(cause);
};
