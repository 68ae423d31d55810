// npm test [-- native|browser|conformance [arguments for that runner]]: set up, build, run every layer, sum up.

import { existsSync } from "node:fs";
import { build } from "./build.mjs";
import { paths } from "./lib/paths.mjs";
import { loud } from "./lib/run.mjs";
import { Trouble, explain, main, say, since, step } from "./lib/say.mjs";
import { rustPage } from "./rust_page.mjs";
import { browser } from "./setup/browser.mjs";
import { npmBin } from "./setup/npm.mjs";
import { rust } from "./setup/rust.mjs";

const colour = () => (process.stdout.isTTY ? { CARGO_TERM_COLOR: "always", FORCE_COLOR: "1" } : {});
const plain = (text) => text.replace(/\x1b\[[\d;]*m/g, "");

/** Adds up every match's groups over what a runner printed. */
const count = (output, pattern) => [...output.matchAll(pattern)].reduce((sum, match) => sum + Number(match[1]), 0);

const layers = {
  /** Protocol, registry and the bridge's rules: no browser, no wasm. */
  async native(words) {
    const { cargo, env, version } = await rust();
    step(`native tests: cargo test (Rust ${version})`);
    let output = "";
    const code = await loud(cargo, ["test", "--locked", ...words], { env: { ...env, ...colour() }, tee: (text) => (output += text) });
    output = plain(output);
    return { code, passed: count(output, /^test result: .*?(\d+) passed/gm), failed: count(output, /^test result: .*?(\d+) failed/gm) };
  },

  /** The built package in real Chromium. */
  async browser(words) {
    const config = paths.at("playwright", "playwright.config.ts");
    if (!existsSync(config)) throw new Trouble("playwright/playwright.config.ts is missing.", "restore it from git.");
    await build();
    await rustPage();
    const { program, version } = await browser();
    step(`browser tests: playwright test (Chromium ${version}, ${program})`);
    let output = "";
    const code = await loud(npmBin("playwright"), ["test", "-c", config, ...words], {
      env: { CHROME_PATH: program, ...colour() },
      tee: (text) => (output += text),
    });
    // Only the closing lines count, and the report is repeated by nobody after them.
    const closing = plain(output).slice(-2_000);
    return { code, passed: count(closing, /^\s+(\d+) passed\b/gm), failed: count(closing, /^\s+(\d+) failed\b/gm) };
  },

  /** The official suite, in the browser and in Node. Its unit is the scenario. */
  async conformance(words) {
    await build();
    const { program, version } = await browser();
    step(`conformance tests: the official suite (Chromium ${version}, ${program})`);
    let output = "";
    const code = await loud(process.execPath, [paths.at("scripts", "conformance.mjs"), ...words], { env: { CHROME_PATH: program }, tee: (text) => (output += text) });
    const passed = count(output, /^[✓✗] .+?: (\d+)\/\d+ {2}/gm);
    return { code, passed, failed: count(output, /^[✓✗] .+?: \d+\/(\d+) {2}/gm) - passed };
  },
};

async function run(name, words) {
  const started = performance.now();
  try {
    return { name, ...(await layers[name](words)), took: since(started) };
  } catch (error) {
    explain(error);
    return { name, code: 1, passed: 0, failed: 0, problem: error.message.split("\n")[0], took: since(started) };
  }
}

await main(async ([only, ...words]) => {
  if (only && !Object.hasOwn(layers, only)) throw new Trouble(`There is no test layer "${only}".`, `npm test -- ${Object.keys(layers).join("|")} [arguments for its runner]`);
  const results = [];
  for (const name of only ? [only] : Object.keys(layers)) results.push(await run(name, words));
  say("");
  for (const { name, code, passed, failed, problem, took } of results) {
    const verdict = code === 0 ? "all passed" : problem ? `did not run: ${problem}` : failed ? `${failed} failed` : `the runner ended with code ${code}`;
    say(`${code === 0 ? "✓" : "✗"} ${name}: ${verdict} (${passed} passed, ${took})`);
  }
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  say(`\n${sum("passed")} passed, ${sum("failed")} failed`);
  return results.every(({ code }) => code === 0) ? 0 : 1;
});
