// The committed baseline, `size-baseline.json`: what the parts were made of when their budgets were written, so that
// a part that has grown can be explained without building an older commit.

import { readJson, writeAtomically } from "../lib/files.mjs";
import { paths } from "../lib/paths.mjs";

const file = paths.at("scripts", "size-baseline.json");

/** Functions smaller than this are left to the sums of their modules, which keeps the file short. */
const worthNaming = 300;
/** Differences smaller than this explain nothing. */
const worthTelling = { sections: 16, crates: 16, modules: 16, functions: 32, files: 16 };

export function keep(sums) {
  const functions = Object.fromEntries(Object.entries(sums.functions).filter(([, bytes]) => bytes >= worthNaming));
  writeAtomically(file, `${JSON.stringify({ ...sums, functions }, null, 1)}\n`);
}

/** What is not as it was, by kind: `[name, before, now]`, the greatest difference first. */
export function changes(sums) {
  const before = readJson(file, {});
  const found = {};
  for (const [kind, now] of Object.entries(sums)) {
    const old = before[kind] ?? {};
    // A function that the baseline does not name was there and small, or is new: only what is surely more is told.
    const unknown = kind === "functions" ? worthNaming : 0;
    const was = (name) => old[name] ?? Math.min(unknown, now[name] ?? 0);
    const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
    // One that has fallen below the bound may still be there, and its size is then known.
    found[kind] = names
      .map((name) => [name, was(name), now[name] ?? 0])
      .filter(([, from, to]) => Math.abs(to - from) >= worthTelling[kind])
      .sort(([, a, b], [, c, d]) => Math.abs(d - c) - Math.abs(b - a));
  }
  return found;
}
