// A run's results on disk: results.json, which has every figure, and the report that is made of it.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeAtomically } from "../../scripts/lib/files.mjs";
import { Trouble } from "../../scripts/lib/say.mjs";
import { report } from "./report.mjs";

/** Writes both. `results` are `{ scenario, outcome, goals }`. */
export function save(folder, facts, results) {
  const figures = results.map(({ scenario: { warm, ...scenario }, outcome, goals }) => ({ scenario, outcome, goals }));
  writeAtomically(join(folder, "results.json"), `${JSON.stringify({ ...facts, results: figures })}\n`);
  writeAtomically(join(folder, "index.html"), report(facts, results));
  return join(folder, "index.html");
}

/** Makes the report anew of the figures there are. */
export function redraw(folder) {
  let kept;
  try {
    kept = JSON.parse(readFileSync(join(folder, "results.json"), "utf8"));
  } catch (error) {
    throw new Trouble(`${join(folder, "results.json")} cannot be read: ${error.message}`, "npm run bench");
  }
  const { results, ...facts } = kept;
  writeAtomically(join(folder, "index.html"), report(facts, results));
  return join(folder, "index.html");
}
