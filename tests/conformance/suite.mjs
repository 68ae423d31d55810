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

/**
 * Runs what `revision` requires of `role`, `"client"` or `"server"`. `expected` maps scenarios that are meant to
 * fail to why they do; one that passes all the same is a failure. Resolves to what passed of the others.
 */
export async function conform(role, revision, args, expected = {}) {
  // It asks for a newer Node than the project does, and is run by the one installed beside it. Said here too,
  // because `npm run` hands the project's own settings down as variables, which go before the folder's.
  await npmPackages(folder, "conformance", ["--engine-strict=false"]);
  const scenarios = required(role, revision);
  const results = join(paths.tools, "conformance", `${role}-${revision}`);
  rmSync(results, { recursive: true, force: true });
  mkdirSync(results, { recursive: true });
  const baseline = join(results, "expected.yaml");
  // What is JSON is YAML too.
  writeFileSync(baseline, JSON.stringify({ [role]: scenarios.filter((name) => name in expected) }));
  const run = await quiet(npmBin("node", folder), [join(suite, "dist", "index.js"), role, ...args, "--requirements", revision, "--expected-failures", baseline, "-o", results], {
    doing: `running the suite as of ${revision}`,
    deadline: 300,
  });
  const output = plain(run.output);
  const passed = new Set([...output.matchAll(/^✓ (\S+): /gm)].map(([, name]) => name));
  const meant = scenarios.filter((name) => !(name in expected));
  const failed = meant.filter((name) => !passed.has(name));
  return { passed: meant.length - failed.length, total: meant.length, failed, ok: run.ok && !failed.length, output: run.ok ? "" : tail(output, 40), results };
}
