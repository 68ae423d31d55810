// The quick starts of the documentation, followed word by word in an empty folder: every file is written and every
// command run as the page says, only that what npm would fetch is there already and `modelport` is the packed tarball.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { paths } from "../lib/paths.mjs";
import { blocksOf } from "../docs/fences.mjs";
import { open, project } from "./kit.mjs";

const folder = paths.at("www", "docs");
const pages = readdirSync(folder).filter((name) => /^start-.*\.md$/.test(name));

/** What a command that installs names, by package; nothing for other commands. */
const installed = (command) => /^npm install(?: --save-dev)?((?: [@\w/-]+)+)$/.exec(command)?.[1].trim().split(" ");

/** The tools that an agent outside of the page sees, through the DevTools protocol and no script of the page. */
async function seenFromOutside(page) {
  const session = await page.context().newCDPSession(page);
  const names = [];
  session.on("WebMCP.toolsAdded", ({ tools }) => names.push(...tools.map((tool) => tool.name)));
  await session.send("WebMCP.enable");
  for (let n = 0; n < 100 && !names.length; n++) await page.waitForTimeout(50);
  await session.detach();
  return names;
}

async function follow(name) {
  const text = readFileSync(join(folder, name), "utf8");
  const blocks = blocksOf(name.slice(0, -3), text);
  const packages = blocks.flatMap(({ kind, code }) => (kind === "run" && installed(code)) || []);
  if (!packages.includes("modelport")) throw new Error(`${name} never installs the package`);
  const served = blocks.filter(({ kind }) => kind === "serve");
  const needed = served.some(({ code }) => code.startsWith("npx --yes http-server")) ? ["http-server"] : [];
  const files = Object.fromEntries(blocks.filter(({ file }) => file).map(({ file, code }) => [file, code]));
  const one = await project(name.slice(0, -3), files, [...packages.filter((each) => each !== "modelport"), ...needed]);
  const wrong = [];
  let calls = 0;
  let url;
  for (const { kind, code, output, line } of blocks) {
    if (kind === "run" && !installed(code)) {
      const printed = await one.run("sh", "-c", code);
      if (output !== undefined && !printed.trim().endsWith(output.trim())) wrong.push(`line ${line}: it printed ${printed.trim()}`);
    } else if (kind === "serve") {
      const port = /(?:-p|--port) (\d+)/.exec(code)[1];
      if (!text.includes(`http://localhost:${port}/`)) wrong.push(`line ${line}: the page never says what to open`);
      url = await one.start((free) => ["sh", "-c", code.replace(port, free)]);
    } else if (kind === "call") {
      calls++;
      const words = /says `(Published: (\w+))`/.exec(text);
      const seen = await open(url, { tools: [words[2]], expected: [/^console\.(?:debug|info): /] });
      await seen.page.waitForFunction((words) => document.querySelector("#state")?.textContent === words, words[1], { timeout: 10_000 });
      const last = code.lastIndexOf("\n") + 1;
      const answer = await seen.page.evaluate(`(async () => { ${code.slice(0, last)} return ${code.slice(last)} })()`);
      const outside = await seenFromOutside(seen.page);
      if (outside.join() !== words[2]) wrong.push(`line ${line}: an agent outside sees ${outside.join() || "no tools"}`);
      if (answer !== output) wrong.push(`line ${line}: the call was answered ${answer}`);
      wrong.push(...seen.noise);
      await seen.close();
    }
  }
  if (!calls) wrong.push("it never calls a tool");
  return wrong;
}

export const followed = Object.fromEntries(pages.map((name) => [`quick start: ${name}`, () => follow(name)]));
