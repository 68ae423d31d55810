// npm test [-- native|browser|engines|smoke|release|conformance [arguments for that runner]]: set up, build, run every layer, sum up.

import { existsSync } from "node:fs";
import { build } from "./build.mjs";
import { paths } from "./lib/paths.mjs";
import { loud } from "./lib/run.mjs";
import { Trouble, detail, explain, main, say, since, step } from "./lib/say.mjs";
import { rustPages } from "./rust_pages.mjs";
import { browser } from "./setup/browser.mjs";
import { engines } from "./setup/engines.mjs";
import { npmBin } from "./setup/npm.mjs";
import { rust } from "./setup/rust.mjs";

const colour = () => (process.stdout.isTTY ? { CARGO_TERM_COLOR: "always", FORCE_COLOR: "1" } : {});
const plain = (text) => text.replace(/\x1b\[[\d;]*m/g, "");

/** Adds up every match's groups over what a runner printed. */
const count = (output, pattern) => [...output.matchAll(pattern)].reduce((sum, match) => sum + Number(match[1]), 0);

/** What an installed Playwright is told to run; only the closing lines of what it prints count, and nobody repeats them. */
async function playwright(words, env) {
  const config = paths.at("playwright", "playwright.config.ts");
  if (!existsSync(config)) throw new Trouble("playwright/playwright.config.ts is missing.", "restore it from git.");
  let output = "";
  const code = await loud(npmBin("playwright"), ["test", "-c", config, ...words], { env: { ...env, ...colour() }, tee: (text) => (output += text) });
  const closing = plain(output).slice(-6_000);
  return { code, passed: count(closing, /^\s+(\d+) passed\b/gm), failed: count(closing, /^\s+(\d+) failed\b/gm), notes: closing.match(/^left out in .*/gm) ?? [] };
}

/** Runs a script of ours that prints a line with a tick for each thing it has judged. */
async function ticked(script, words, env) {
  let output = "";
  const code = await loud(process.execPath, [paths.at("scripts", script), ...words], { env, tee: (text) => (output += text) });
  const marks = (mark) => plain(output).match(new RegExp(`^${mark} .+ {2}[\\d.]+ s$`, "gm"))?.length ?? 0;
  return { code, passed: marks("✓"), failed: marks("✗") };
}

/** What the other engines run unless told otherwise: hosts and carriers. `npm test -- engines .` runs whatever can run there. */
const hostsAndCarriers = ["matrix", "liveness", "loading", "policy", "entries", "page_server", "registry_missing", "scope_server", "window_handshake", "web_socket", "reconnecting", "http_transport", "http_offline", "http_interop", "http_rules", "message_port", "switching", "serving_socket", "refusals", "chaos"];

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
    await build();
    await rustPages();
    const { program, version } = await browser();
    step(`browser tests: playwright test (Chromium ${version}, ${program})`);
    return playwright(words, { CHROME_PATH: program });
  },

  /** The same in Firefox and in WebKit, where they are installed, one after the other. */
  async engines(words) {
    await build();
    const { found, missing } = await engines();
    const files = words.length ? words : hostsAndCarriers.map((name) => `/${name}\\.spec`);
    const all = { code: 0, passed: 0, failed: 0, notes: missing };
    for (const { engine, name, version, env } of found) {
      step(`engine tests: playwright test (${name} ${version})`);
      const { code, passed, failed, notes } = await playwright(files, { MODELPORT_ENGINE: engine, ...env });
      all.code ||= code;
      all.passed += passed;
      all.failed += failed;
      all.notes.push(`${name} ${version}: ${passed} passed, ${failed} failed`, ...notes);
    }
    return all;
  },

  /** The packed tarball in throw-away projects. Its unit is the stack. */
  async smoke(words) {
    await build();
    const { program, version } = await browser();
    step(`smoke tests: projects from the packed tarball (Chromium ${version}, ${program})`);
    return ticked("smoke.mjs", words, { CHROME_PATH: program });
  },

  /** What a release would bring. Its unit is the check. */
  async release(words) {
    step("release tests: what would be published");
    return ticked("release.mjs", ["--dry-run", ...words]);
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
  for (const { name, code, passed, failed, problem, took, notes = [] } of results) {
    const verdict = code === 0 ? "all passed" : problem ? `did not run: ${problem}` : failed ? `${failed} failed` : `the runner ended with code ${code}`;
    say(`${code === 0 ? "✓" : "✗"} ${name}: ${verdict} (${passed} passed, ${took})`);
    notes.forEach(detail);
  }
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  say(`\n${sum("passed")} passed, ${sum("failed")} failed`);
  return results.every(({ code }) => code === 0) ? 0 : 1;
});
