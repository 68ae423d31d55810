// A run's results on disk: results.json, which has every figure, and the report that is made of it.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeAtomically } from "../../scripts/lib/files.mjs";
import { Trouble } from "../../scripts/lib/say.mjs";
import { report } from "./report.mjs";

/** What must be alike for two runs to stand in one report: the browser, the machine, and all builds and versions. */
const sameAs = (one, other) => JSON.stringify(one) === JSON.stringify(other);

function read(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, "results.json"), "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw new Trouble(`${join(folder, "results.json")} cannot be read: ${error.message}`, "delete it, and measure anew.");
  }
}

/** The results of a run, in the order of scenarios, among those of earlier runs of the very same. */
function among(earlier, facts, results, order) {
  if (!earlier || !sameAs(earlier.machine, facts.machine)) return results;
  const now = new Set(results.map(({ scenario }) => scenario.name));
  const place = ({ scenario }) => order.indexOf(scenario.name);
  return [...earlier.results.filter(({ scenario }) => !now.has(scenario.name)), ...results].sort((a, b) => place(a) - place(b));
}

/**
 * Writes both, and resolves to the report's path. `results` are `{ scenario, outcome, goals }`; with `order`, the names
 * of all scenarios, they join those that are there.
 */
export function save(folder, facts, results, order) {
  const own = results.map(({ scenario: { warm, ...scenario }, outcome, goals }) => ({ scenario, outcome, goals, date: facts.date }));
  const all = order ? among(read(folder), facts, own, order) : own;
  writeAtomically(join(folder, "results.json"), `${JSON.stringify({ ...facts, results: all })}\n`);
  return draw(folder, facts, all);
}

function draw(folder, facts, results) {
  const path = join(folder, "index.html");
  writeAtomically(path, report(facts, results));
  return path;
}

/** Makes the report anew of the figures there are. */
export function redraw(folder) {
  const { results, ...facts } = read(folder) ?? {};
  if (!results) throw new Trouble(`${folder} has no results.`, "npm run bench");
  return draw(folder, facts, results);
}
