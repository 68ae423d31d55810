// The official conformance suite as a function: installs it, runs one revision's frozen set and counts.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { paths } from "../../scripts/lib/paths.mjs";
import { quiet, tail } from "../../scripts/lib/run.mjs";
import { npmBin, npmPackages } from "../../scripts/setup/npm.mjs";

/** The revisions whose requirements are frozen. */
export const revisions = ["2026-07-28", "2025-11-25"];

const folder = paths.at("tests", "conformance");
const suite = join(folder, "node_modules", "@modelcontextprotocol", "conformance");
const plain = (text) => text.replace(/\x1b\[[\d;]*m/g, "");

/** What a revision requires of a role. The suite's own parser reads its own file. */
function required(role, revision) {
  const { parse } = createRequire(join(folder, "package.json"))("yaml");
  return parse(readFileSync(join(suite, "requirements", `${revision}.yaml`), "utf8"))[role];
}

/** What became of scenarios by name, as the suite sums them up; those in which it checked nothing are left out. */
const verdicts = (output) => new Map([...output.matchAll(/^([✓✗]) (\S+): (\d+) passed, (\d+) failed/gm)].filter(([, , , ...checks]) => checks.some(Number)).map(([, sign, name]) => [name, sign === "✓"]));

/** How many of these passed. */
export function tally(outcomes, names) {
  const failed = names.filter((name) => !outcomes.get(name));
  return { passed: names.length - failed.length, total: names.length, failed };
}

/**
 * Runs what `revision` requires of `role`, `"client"` or `"server"`; its results lie in a folder that `place` tells
 * from others. `expected` maps scenarios that are meant to fail to why they do; one that passes all the same is a
 * failure. Resolves to what passed of the others; `outcomes` also knows those the suite runs without requiring them.
 */
export async function conform(role, revision, place, args, expected = {}) {
  // It asks for a newer Node than the project does, and is run by the one installed beside it. Said here too,
  // because `npm run` hands the project's own settings down as variables, which go before the folder's.
  await npmPackages(folder, "conformance", ["--engine-strict=false"]);
  const scenarios = required(role, revision);
  const results = join(paths.tools, "conformance", `${role}-${revision}-${place}`);
  rmSync(results, { recursive: true, force: true });
  mkdirSync(results, { recursive: true });
  const baseline = join(results, "expected.yaml");
  // What is JSON is YAML too.
  writeFileSync(baseline, JSON.stringify({ [role]: scenarios.filter((name) => name in expected) }));
  const run = await quiet(npmBin("node", folder), [join(suite, "dist", "index.js"), role, ...args, "--requirements", revision, "--expected-failures", baseline, "-o", results], {
    doing: `running the suite as of ${revision} for the ${role} in ${place}`,
    deadline: 300,
  });
  const output = plain(run.output);
  const outcomes = verdicts(output);
  const counted = tally(outcomes, scenarios.filter((name) => !(name in expected)));
  return { ...counted, ok: run.ok && !counted.failed.length, output: run.ok ? "" : tail(output, 40), results, outcomes, required: scenarios };
}
