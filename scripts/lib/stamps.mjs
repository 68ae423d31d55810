// Skips a build step whose inputs and outputs are what they were when it last succeeded.

import { statSync } from "node:fs";
import { join } from "node:path";
import { hashOf, readJson, writeAtomically } from "./files.mjs";
import { paths } from "./paths.mjs";

const file = join(paths.tools, "stamps.json");

const look = (path) => {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat && `${stat.size} ${stat.mtimeMs}`;
};

/**
 * Does `work` unless nothing changed. `inputs` are files, compared by content; `words` whatever else decides the
 * result. `work` returns the files it made, which are compared by size and time. Resolves to true if it worked.
 */
export async function unlessUnchanged(name, inputs, words, work) {
  const key = hashOf(inputs, ...words);
  const before = readJson(file, {})[name];
  if (before?.key === key && before.outputs.every(([path, seen]) => look(path) === seen)) return false;
  const made = await work();
  const outputs = made.map((path) => [path, look(path)]);
  writeAtomically(file, JSON.stringify({ ...readJson(file, {}), [name]: { key, outputs } }, null, 1));
  return true;
}
