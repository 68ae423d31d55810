// Whether everything that an entry exports is documented where it is declared: each name, and each member of a class
// or interface. `npm run check` fails on the first one that is not.

import { paths } from "../lib/paths.mjs";
import { readJson } from "../lib/files.mjs";
import { entries } from "./reference.mjs";
import { readEntry } from "./declarations.mjs";

/** Members that say all there is by their name, as every language has them. */
const SPEAK_FOR_THEMSELVES = new Set(["[Symbol.iterator]", "[Symbol.asyncIterator]", "[Symbol.dispose]", "[Symbol.asyncDispose]", "[key]"]);

/** `Name` or `Name.member` of everything that nothing is said about; each once, whatever entries export it. */
export function undocumented() {
  const cache = new Map();
  const found = new Set();
  for (const { file } of entries(readJson(paths.at("package.json")))) {
    for (const { name, doc, members } of readEntry(file, cache)) {
      if (!doc) found.add(name);
      for (const member of members) if (!member.doc && !SPEAK_FOR_THEMSELVES.has(member.name)) found.add(`${name}.${member.name}`);
    }
  }
  return [...found];
}
