// Firefox and WebKitGTK, which can't be had everywhere: what is there is driven, and what is missing is named.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isProgram, onPath } from "../lib/files.mjs";
import { quiet } from "../lib/run.mjs";
import { Trouble, detail, step } from "../lib/say.mjs";
import { aptInstall } from "./apt.mjs";

/** The version of a browser that runs. A browser without a screen and a profile may say it only after a while. */
async function versionOf(program) {
  const asked = await quiet(program, ["--version"], { deadline: 30 });
  return asked.ok ? /\d+(?:\.\d+)+/.exec(asked.output)?.[0] : undefined;
}

async function firefox() {
  const named = process.env.FIREFOX_PATH;
  for (const program of named ? [named] : ["firefox-esr", "firefox"].flatMap(onPath)) {
    const version = isProgram(program) && (await versionOf(program));
    if (version) return { version, env: { FIREFOX_PATH: program } };
  }
  if (named) throw new Trouble(`FIREFOX_PATH is ${named}, which doesn't run.`, "correct or unset FIREFOX_PATH.");
  return undefined;
}

const named = (folder, pattern) => {
  try {
    return readdirSync(folder).filter((name) => pattern.test(name)).map((name) => join(folder, name));
  } catch {
    return [];
  }
};

/** It lies beside the library it belongs to, and never on PATH. */
const miniBrowsers = () =>
  ["/usr/lib", "/usr/lib64", "/usr/libexec"]
    .flatMap((folder) => [folder, ...named(folder, /-linux-gnu/)])
    .flatMap((folder) => named(folder, /^webkit2?gtk-\d/))
    .sort()
    .map((folder) => join(folder, "MiniBrowser"))
    .filter(isProgram);

async function webkit() {
  const [driver, browser, screen] = [onPath("WebKitWebDriver")[0], miniBrowsers().at(-1), onPath("Xvfb")[0]];
  if (!driver || !browser || !screen) return undefined;
  // The browser needs a screen to say its version; the name of its folder holds that of its interface.
  return { version: `with API ${/gtk-([\d.]+)/.exec(browser)[1]}`, env: { WEBKIT_PROGRAMS: JSON.stringify({ driver, browser, screen }) } };
}

const kinds = {
  firefox: { name: "Firefox", find: firefox, packages: ["firefox-esr"] },
  webkit: { name: "WebKitGTK", find: webkit, packages: ["webkit2gtk-driver", "xvfb"] },
};

/**
 * What is there: `found` has an `{ engine, name, version, env }` each, `missing` says in a line what to install.
 * Where `CI` is set, what is missing is installed, and if that fails it is a Trouble.
 */
export async function engines() {
  const found = [];
  const missing = [];
  for (const [engine, { name, find, packages }] of Object.entries(kinds)) {
    let one = await find();
    if (!one && process.env.CI) {
      step(`${name}: none here; installing it`);
      await aptInstall(packages, name);
      one = await find();
      if (!one) throw new Trouble(`${name} was installed but doesn't run.`, "start it by hand to see why.");
    }
    if (one) found.push({ engine, name, ...one });
    else missing.push(`${name} isn't here and was left out; in Debian: apt-get install ${packages.join(" ")}`);
  }
  missing.forEach(detail);
  return { found, missing };
}
