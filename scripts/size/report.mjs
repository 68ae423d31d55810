// What `npm run size` prints: tables of numbers with a name behind each.

import { say } from "../lib/say.mjs";
import { copies } from "./summary.mjs";

const width = 100;
const cut = (name) => (name.length > width ? `${name.slice(0, width - 1)}…` : name);
const column = (cell) => String(cell).padStart(12);

export const row = (name, cells) => say(`${name.padEnd(24)}${cells.map(column).join("")}`);

function table(title, lines) {
  if (!lines.length) return;
  say(`\n${title}`);
  for (const [name, ...cells] of lines) say(`${cells.map((cell) => String(cell).padStart(9)).join("")}  ${cut(name)}`);
}

const top = (sums, count) => Object.entries(sums).slice(0, count);

/** The whole: where the bytes of the wasm and of the library are. */
export function contents({ sums, functions }) {
  const own = Object.fromEntries(Object.entries(sums.modules).filter(([name]) => name.startsWith("modelport")));
  table("wasm by section, bytes raw", top(sums.sections));
  table(`wasm by crate, bytes raw (${functions.length} functions)`, top(sums.crates));
  table("our modules; what JavaScript calls has functions of src/api within it", top(own));
  table("the 30 largest functions, all copies of one together", top(sums.functions, 30));
  table("functions in many copies: bytes, copies", copies(functions).slice(0, 20).map(([name, { bytes, count }]) => [name, bytes, count]));
  table("library.js by source file, bytes as esbuild counts them", top(sums.files));
}

const titles = {
  sections: "sections of the wasm",
  crates: "crates",
  modules: "modules",
  functions: "functions",
  files: "files of library.js",
};

/** What has grown and shrunk since the baseline. */
export function differences(changes) {
  const all = Object.entries(changes).filter(([, lines]) => lines.length);
  if (!all.length) return say("\nnothing differs from scripts/size-baseline.json");
  for (const [kind, lines] of all) {
    const told = lines.slice(0, 25).map(([name, before, now]) => [name, `${now > before ? "+" : ""}${now - before}`, before, now]);
    table(`${titles[kind]}, against scripts/size-baseline.json: difference, before, now${lines.length > told.length ? ` (25 of ${lines.length})` : ""}`, told);
  }
}
