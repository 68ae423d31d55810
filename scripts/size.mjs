// npm run size: what a page downloads, against the budget in size-budget.json.

import { existsSync, readFileSync } from "node:fs";
import { basename, extname, relative } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "./build.mjs";
import { filesBelow } from "./lib/files.mjs";
import { paths } from "./lib/paths.mjs";
import { main, say } from "./lib/say.mjs";

const budget = JSON.parse(readFileSync(new URL("size-budget.json", import.meta.url), "utf8"));

const brotli = (bytes) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } });

/** What a page loads for `import "modelport"`, and the budget is about. The other entries hold, or add to, the same. */
const mainEntry = ["index.js", "library.js", "modelport.wasm"];

/** Sizes of every file in dist/ that a page can load, and the total of those that it has to. */
export function sizes() {
  const shipped = filesBelow(paths.dist).filter((file) => [".js", ".wasm"].includes(extname(file)));
  const rows = shipped.map((file) => {
    const bytes = readFileSync(file);
    return { name: relative(paths.root, file), raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length, brotli: brotli(bytes).length };
  });
  const counted = rows.filter(({ name }) => mainEntry.includes(basename(name)));
  const sum = (key) => counted.reduce((total, row) => total + row[key], 0);
  return { rows, total: { name: "modelport", raw: sum("raw"), gzip: sum("gzip"), brotli: sum("brotli") } };
}

const line = (cells) => say(`${String(cells[0]).padEnd(24)}${cells.slice(1).map((cell) => String(cell).padStart(12)).join("")}`);

await main(async () => {
  if (!existsSync(paths.dist) || !process.argv.includes("--no-build")) await build();
  const { rows, total } = sizes();
  line(["bytes", "raw", "gzip -9", "brotli 11"]);
  for (const row of [...rows, total]) line([row.name, row.raw, row.gzip, row.brotli]);
  const share = ((100 * total.brotli) / budget.totalBrotli).toFixed(1);
  say(`\nbudget: ${budget.totalBrotli} bytes of brotli in total; ${share} % of it is used`);
  // The budget keeps what there is from growing; the goal is what it has to come down to.
  if (total.brotli > budget.goalBrotli) say(`goal: ${budget.goalBrotli} bytes; ${total.brotli - budget.goalBrotli} too many`);
  if (total.brotli <= budget.totalBrotli) return 0;
  say(`✗ over budget by ${total.brotli - budget.totalBrotli} bytes`);
  return 1;
});
