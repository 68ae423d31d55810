// The parts of what is shipped, and the bytes of each: the wasm, the glue between it and JavaScript, what is written by
// hand around both, and every other entry there is in dist/.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { bundling, entries } from "../build.mjs";
import { filesBelow, readJson } from "../lib/files.mjs";
import { paths } from "../lib/paths.mjs";
import { quiet } from "../lib/run.mjs";
import { shrink } from "../lib/shrink.mjs";
import { npmBin } from "../setup/npm.mjs";

/** What `import "modelport"` loads. The other entries hold, or add to, the same. */
export const page = ["wasm", "glue", "entry"];

const brotli = (bytes) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }).length;

const measure = (bytes) => ({ raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length, brotli: brotli(bytes) });

const combine = (one, other, sign) => Object.fromEntries(Object.keys(one).map((key) => [key, one[key] + sign * other[key]]));

/** Every file of dist/ that a page or Node can load: `{ name, raw, gzip, brotli }`. */
export const shipped = () =>
  filesBelow(paths.dist)
    .filter((file) => [".js", ".wasm"].includes(extname(file)))
    .map((file) => ({ name: basename(file), ...measure(readFileSync(file)) }));

/**
 * The library once more, with the glue and without it: what each file has in it, and what there is by hand. The glue
 * is the difference, since bytes that are compressed together have no other share of the result.
 */
async function byHand() {
  const folder = mkdtempSync(join(paths.tools, "js-"));
  try {
    const library = entries.find(([name]) => name === "library.js");
    const make = async (name, more) => {
      const [file, notes] = [join(folder, name), join(folder, `${name}.json`)];
      const done = await quiet(npmBin("esbuild"), [...bundling(library), ...more, `--metafile=${notes}`, `--outfile=${file}`], { cwd: paths.root });
      if (!done.ok) throw new Error(`esbuild ${done.why}:\n${done.output}`);
      await shrink(file, true);
      const [output] = Object.values(readJson(notes).outputs);
      return { bytes: readFileSync(file), inputs: output.inputs };
    };
    const [whole, { bytes }] = await Promise.all([make("whole.js", []), make("by-hand.js", ["--external:./generated/*"])]);
    const files = Object.entries(whole.inputs).map(([path, { bytesInOutput }]) => [path.replace(/^www\/generated\/snippets\/[^/]+\//, "").replace("www/generated/", "generated/"), bytesInOutput]);
    return { size: measure(bytes), files: Object.fromEntries(files.filter(([, bytes]) => bytes > 0)) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** `{ parts, files }`: sizes by part, and how many bytes of library.js are each source file's. */
export async function parts() {
  const { size, files } = await byHand();
  const found = new Map(shipped().map(({ name, ...sizes }) => [name, sizes]));
  const take = (name) => {
    const sizes = found.get(name);
    found.delete(name);
    return sizes;
  };
  const library = take("library.js");
  const parts = {
    wasm: take("modelport.wasm"),
    glue: combine(library, size, -1),
    entry: combine(size, take("index.js"), 1),
    ...Object.fromEntries(found),
  };
  return { parts, files };
}

/** What a page downloads in total. */
export const total = (parts) => page.map((name) => parts[name]).reduce((sum, part) => combine(sum, part, 1));
