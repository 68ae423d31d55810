// What the parts are made of, in sums that can be compared with those of another build: the wasm by section, crate,
// module and function, the library by source file.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { functionNames } from "../build.mjs";
import { paths } from "../lib/paths.mjs";
import { anatomy } from "./anatomy.mjs";
import { generic, placed } from "./names.mjs";

/** Sorted by bytes, so that what is large is read first. */
const bySize = (sums) => Object.fromEntries([...sums].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)));

function sum(functions, key) {
  const sums = new Map();
  for (const one of functions) sums.set(key(one), (sums.get(key(one)) ?? 0) + one.bytes);
  return bySize(sums);
}

/** How often a name occurs: functions that are generic have a copy for each type, all under one name. */
export function copies(functions) {
  const found = new Map();
  for (const { name, bytes } of functions) {
    const key = generic(name);
    const seen = found.get(key) ?? { count: 0, bytes: 0 };
    found.set(key, { count: seen.count + 1, bytes: seen.bytes + bytes });
  }
  return [...found].filter(([, { count }]) => count > 1).sort(([, a], [, b]) => b.bytes - a.bytes);
}

/** `{ functions, sums }` of what is built; `files` is what `parts()` found in the library. */
export function summary(files) {
  const { sections, functions: raw } = anatomy(readFileSync(join(paths.dist, "modelport.wasm")), readFileSync(functionNames, "utf8"));
  const functions = raw.map(({ name, bytes }) => ({ bytes, ...placed(name) }));
  return {
    functions,
    sums: {
      sections: bySize(Object.entries(sections)),
      crates: sum(functions, ({ crate }) => crate),
      modules: sum(functions, ({ module }) => module),
      functions: sum(functions, ({ name }) => generic(name)),
      files: bySize(Object.entries(files)),
    },
  };
}
