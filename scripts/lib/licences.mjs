// What others have written that is within the wasm, and on which terms: read from what cargo has compiled for it.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { paths } from "./paths.mjs";
import { Trouble } from "./say.mjs";

/** The terms that the package may be under, in the order in which they are chosen where there is a choice. */
const allowed = ["MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "Zlib", "Unicode-3.0"];

/** The standard library's own crates have no licence text beside them. */
const std = { name: "Rust's standard library", licence: "MIT OR Apache-2.0", holder: "The Rust Project Contributors" };

/** The crates that a build for this target has compiled, from what cargo said in JSON: `{ name, version, licence, folder }`. */
export function cratesIn(output, target, compiler) {
  const found = new Map([[std.name, { ...std, version: compiler }]]);
  for (const line of output.split("\n").filter((line) => line.startsWith("{"))) {
    const { reason, manifest_path: manifest, filenames = [] } = JSON.parse(line);
    // What runs while it is compiled, macros and build scripts, lies elsewhere.
    if (reason !== "compiler-artifact" || !filenames.some((file) => file.split(/[/\\]/).includes(target)) || dirname(manifest) === paths.root) continue;
    const folder = dirname(manifest);
    const text = readFileSync(manifest, "utf8");
    const field = (name) => new RegExp(`^${name} = ["'](.*)["']$`, "m").exec(text)?.[1];
    // Those of std have no version of their own, and but for one the same terms.
    const ofStd = /[/\\]rust(?:c-[\d.]+)?[/\\]library[/\\]/.test(folder);
    const licence = field("license");
    if (ofStd && (!licence || licence === std.licence)) continue;
    const [name, version] = [field("name"), ofStd ? compiler : field("version")];
    found.set(`${name} ${version}`, { name, version, licence, folder });
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** The terms taken out of an expression such as `(MIT OR Apache-2.0) AND Unicode-3.0`; throws if they are not allowed. */
export function termsOf(expression = "") {
  const words = expression.replaceAll("/", " OR ").replace(/([A-Za-z0-9.-]+) WITH ([A-Za-z0-9.-]+)/g, "$1_WITH_$2").match(/[()]|[^\s()]+/g) ?? [];
  const rank = (terms) => Math.max(...terms.map((one) => allowed.indexOf(one)));
  const one = () => {
    const word = words.shift();
    if (word === "(") {
      const inner = either();
      if (words.shift() !== ")") throw new Error("unbalanced");
      return inner;
    }
    const name = word?.replaceAll("_", " ");
    return allowed.includes(name) ? [name] : undefined;
  };
  const both = () => {
    let all = one();
    while (words[0] === "AND") {
      words.shift();
      const next = one();
      all = all && next && [...new Set([...all, ...next])];
    }
    return all;
  };
  const either = () => {
    let best = both();
    while (words[0] === "OR") {
      words.shift();
      const next = both();
      if (next && (!best || rank(next) < rank(best))) best = next;
    }
    return best;
  };
  const terms = either();
  if (!terms || words.length) throw new Trouble(`"${expression}" is not among the licences that may be in the package.`, `add it to "allowed" in scripts/lib/licences.mjs if it may be, or leave the crate out.`);
  return terms;
}

/** The texts of these terms, as they lie in the crate's folder or in one above it. */
function textsOf({ name, licence, folder, holder }, terms) {
  if (holder) return [ourMit(holder)];
  const files = (place) => readdirSync(place).filter((file) => /^(?:licen[sc]e|copying|unlicense)/i.test(file)).map((file) => join(place, file));
  const near = [folder, dirname(folder)].map((place) => (existsSync(place) ? files(place) : [])).find((list) => list.length) ?? [];
  const texts = terms.map((term) => near.find((file) => basename(file).toUpperCase().includes(term.split("-")[0].toUpperCase())) ?? near.find((file) => /^licen[sc]e(?:\.\w+)?$/i.test(basename(file))));
  if (texts.includes(undefined)) throw new Trouble(`${name} is under ${licence}, and has no text of it in ${folder}.`, "see where the crate keeps it, and teach scripts/lib/licences.mjs.");
  return [...new Set(texts)].map((file) => readFileSync(file, "utf8").replaceAll("\r\n", "\n").trim());
}

/** The text of the MIT licence, as in our own file, with another holder. */
function ourMit(holder) {
  const text = /Permission is hereby granted[^]*?DEALINGS IN THE SOFTWARE\./.exec(readFileSync(paths.at("LICENSE"), "utf8"))?.[0];
  if (!text) throw new Trouble("LICENSE has no text of the MIT licence.", "restore it from git.");
  return `Copyright (c) ${holder}\n\n${text}`;
}

/** The file for the tarball. Crates with the same text share it. */
export function notices(crates) {
  const byText = new Map();
  for (const crate of crates) {
    const terms = termsOf(crate.licence);
    for (const text of textsOf(crate, terms)) byText.set(text, [...(byText.get(text) ?? []), `${crate.name} ${crate.version} (${crate.licence}; here ${terms.join(" and ")})`]);
  }
  const parts = [...byText].map(([text, names]) => `${names.join("\n")}\n\n${text}\n`);
  return `Modelport's wasm contains work of others, on these terms.\n\n${parts.join(`\n${"-".repeat(80)}\n\n`)}`;
}
