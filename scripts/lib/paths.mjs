// Where things are. Everything the scripts make lies in a git-ignored folder of the checkout.

import { fileURLToPath } from "node:url";
import { join } from "node:path";

export const root = fileURLToPath(new URL("../../", import.meta.url)).replace(/[/\\]$/, "");
const at = (...parts) => join(root, ...parts);

export const paths = {
  root,
  dist: at("dist"),
  target: at("target"),
  tools: at(".tools"),
  www: at("www"),
  /** The glue of wasm-bindgen: modelport.js, modelport_bg.js, imports.js, their types and snippets/. */
  generated: at("www", "generated"),
  nodeModules: at("node_modules"),
  at,
};
