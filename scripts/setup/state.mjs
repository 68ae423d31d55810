// What set-up has found out and would be slow to find out again. Losing it costs time only.

import { join } from "node:path";
import { paths } from "../lib/paths.mjs";
import { readJson, writeAtomically } from "../lib/files.mjs";

const file = join(paths.tools, "state.json");

export const recall = (key) => readJson(file, {})[key];

export function remember(key, value) {
  writeAtomically(file, `${JSON.stringify({ ...readJson(file, {}), [key]: value }, null, 2)}\n`);
}
