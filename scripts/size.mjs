// npm run size [-- --explain|--report|--bless|--no-build]: what a page downloads, part by part, against the budgets in
// size-budget.json. `--explain` prints what differs from size-baseline.json, which a part outside its budget does by
// itself; `--report` says where all the bytes are; `--bless` writes both files anew, for a reviewer to read.

import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { build } from "./build.mjs";
import { readJson, writeAtomically } from "./lib/files.mjs";
import { paths } from "./lib/paths.mjs";
import { Trouble, main, say } from "./lib/say.mjs";
import { smallRoute } from "./setup/wasm.mjs";
import { changes, keep } from "./size/baseline.mjs";
import { exactly, judge } from "./size/budget.mjs";
import { page, parts as measured, total } from "./size/parts.mjs";
import { contents, differences, row } from "./size/report.mjs";
import { summary } from "./size/summary.mjs";

const file = paths.at("scripts", "size-budget.json");
const switches = ["--explain", "--report", "--bless", "--no-build"];

function bless(parts, { sums }, { goalBrotli: goal }, compiler) {
  const lines = Object.entries(exactly(parts)).map(([name, budget]) => `  ${JSON.stringify(name)}: ${JSON.stringify(budget)}`);
  writeAtomically(file, `{\n "goalBrotli": ${goal},\n "compiler": ${JSON.stringify(compiler)},\n "parts": {\n${lines.join(",\n")}\n }\n}\n`);
  keep(sums);
}

/** Prints what there is, and resolves to what is wrong with it. */
export async function size(words = []) {
  const { parts, files } = await measured();
  const all = total(parts);
  const made = summary(files);
  const { small, describe } = await smallRoute();
  const compiler = describe.split(",")[0];
  if (words.includes("--bless")) {
    if (!small) throw new Trouble("This wasm is not what is shipped, as the sources of std are not here.", "write budgets where they are.");
    bless(parts, made, readJson(file), compiler);
  }
  const budget = readJson(file);
  const { goalBrotli: goal, parts: budgets } = budget;

  row("bytes", ["raw", "gzip -9", "brotli 11", "its budget"]);
  for (const [name, { raw, gzip, brotli }] of Object.entries(parts)) row(name, [raw, gzip, brotli, budgets[name]?.brotli ?? "none"]);
  row(`a page: ${page.join(", ")}`, [all.raw, all.gzip, all.brotli]);
  // The budgets keep what there is from growing; the goal is what it has to come down to.
  if (all.brotli > goal) say(`goal for a page: ${goal} bytes of brotli; ${all.brotli - goal} too many`);

  // With the std that comes built, the wasm is bigger, and nobody here could do anything about it.
  const { wrong, loose } = judge(parts, budgets, small ? [] : ["wasm", "inline.js"]);
  if (budget.compiler !== compiler) say(`• the budgets were written with ${budget.compiler}; this is ${compiler}`);
  for (const line of loose) say(`• ${line}`);
  for (const line of wrong) say(`✗ ${line}`);
  if (words.includes("--report")) contents(made);
  if (wrong.length || loose.length || words.includes("--explain")) differences(changes(made.sums));
  return wrong;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(async (words) => {
    const unknown = words.find((word) => !switches.includes(word));
    if (unknown) throw new Trouble(`npm run size knows no ${unknown}.`, `npm run size [-- ${switches.join("|")}]`);
    if (!existsSync(paths.dist) || !words.includes("--no-build")) await build();
    const wrong = await size(words);
    return wrong.length ? 1 : 0;
  });
}
