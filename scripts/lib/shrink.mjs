// What esbuild has made, once more by terser: it knows more ways to say the same in less, and names what is used most by
// the letters that are used most, which compresses better. Together that is 5 % of the JavaScript a page loads.

import { readFileSync, writeFileSync } from "node:fs";
import { Trouble } from "./say.mjs";

/** Rewrites a file. What a classic script defines is for others, what a module declares is not. */
export async function shrink(file, module) {
  // Not there before npm's packages are, so that it can't be loaded with this module.
  const { minify } = await import("terser");
  // A function that is moved into its caller keeps all that its caller has alive: what is handed to the wasm is made
  // by functions of its own so that it keeps nobody (the soak test sees it).
  const asWritten = { inline: 0, reduce_funcs: false };
  // "use client" is for bundlers to read, whatever terser thinks of it.
  // Bundlers leave out what nobody imports if they are told which calls have no effects.
  const { code } = await minify(readFileSync(file, "utf8"), { module, compress: { ...asWritten, directives: false, passes: 2, ecma: 2022 }, format: { ecma: 2022, preserve_annotations: true } });
  if (!code) throw new Trouble(`terser has made nothing of ${file}.`, "see what esbuild has made of it.");
  writeFileSync(file, `${code}\n`);
}
