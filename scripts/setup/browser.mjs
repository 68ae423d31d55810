// A Chromium that runs: CHROME_PATH, Playwright's own, the system's, and failing these one that we install.

import { createRequire } from "node:module";
import { isProgram, onPath } from "../lib/files.mjs";
import { paths } from "../lib/paths.mjs";
import { quiet } from "../lib/run.mjs";
import { Trouble, detail, step } from "../lib/say.mjs";
import { aptInstall } from "./apt.mjs";
import { npmBin } from "./npm.mjs";

const systemNames = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const macPrograms = ["Google Chrome", "Chromium"].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);

function playwrightsOwn() {
  // It depends on variables and on the platform: Playwright itself knows best.
  return createRequire(paths.at("package.json"))("@playwright/test").chromium.executablePath();
}

/** The version of a browser, or undefined: a program may lie there and still lack a library, or be a stub. */
async function versionOf(program) {
  if (!program || !isProgram(program)) return undefined;
  const asked = await quiet(program, ["--version"], { deadline: 20 });
  return asked.ok ? /\d+(?:\.\d+)+/.exec(asked.output)?.[0] : undefined;
}

async function firstThatRuns(programs) {
  for (const program of programs) {
    const version = await versionOf(program);
    if (version) return { program, version };
  }
  return undefined;
}

const onSystem = () => firstThatRuns([...systemNames.flatMap(onPath), ...macPrograms]);

async function playwrightInstall() {
  detail("npx playwright install chromium (at most 10 minutes, and given up after 45 s of silence)");
  const done = await quiet(npmBin("playwright"), ["install", "chromium"], { doing: "downloading Chromium", idle: 45, deadline: 600 });
  if (!done.ok) {
    const said = done.output.split("\n").find((line) => /error/i.test(line));
    return `playwright install ${done.why}${said ? ` (${said.trim().slice(0, 160)})` : ""}`;
  }
  const program = playwrightsOwn();
  return (await versionOf(program)) ? undefined : `${program} was installed but doesn't run (does it lack system libraries?)`;
}

async function install() {
  step("Chromium: none here; installing one");
  const why = await playwrightInstall();
  if (!why) return firstThatRuns([playwrightsOwn()]);
  detail(`${why}; taking the system's package`);
  try {
    await aptInstall(["chromium"], "Chromium");
  } catch (error) {
    throw new Trouble(`There is no Chromium: ${why}. ${error.message}`, `install Chromium or Chrome, or set CHROME_PATH to one, then repeat this command. Or ${error.remedy}`);
  }
  return onSystem();
}

let known;

/** Finds, or installs, a Chromium: `{ program, version }`. Needs the npm packages. */
export async function browser() {
  known ??= await findOrInstall();
  return known;
}

async function findOrInstall() {
  const named = process.env.CHROME_PATH;
  if (named) {
    const version = await versionOf(named);
    if (!version) throw new Trouble(`CHROME_PATH is ${named}, which doesn't run.`, "correct or unset CHROME_PATH.");
    return { program: named, version };
  }
  const found = (await firstThatRuns([playwrightsOwn()])) ?? (await onSystem()) ?? (await install());
  if (!found) throw new Trouble("Chromium was installed but doesn't run.", "start it by hand to see why, or set CHROME_PATH to another one.");
  return found;
}
