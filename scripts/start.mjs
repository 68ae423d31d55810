// npm start [-- --open] [-- --port N]: set up, build, serve the demo and the documentation.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "./build.mjs";
import { webmcp } from "./lib/chromium.mjs";
import { quiet, tail } from "./lib/run.mjs";
import { Trouble, detail, main, say, step } from "./lib/say.mjs";
import { serve } from "./serve.mjs";
import { browser } from "./setup/browser.mjs";

function wishes(words) {
  let values;
  try {
    ({ values } = parseArgs({ args: words, options: { open: { type: "boolean" }, port: { type: "string" } } }));
  } catch (error) {
    throw new Trouble(error.message, "npm start -- [--open] [--port N]");
  }
  const named = values.port ?? process.env.PORT;
  const port = Number(named || 8080);
  if (!Number.isInteger(port) || port < 1 || port > 65535) throw new Trouble(`${named} is not a port.`, "give a number from 1 to 65535.");
  return { open: values.open, port, named: Boolean(named) };
}

/** Opens a browser with a profile of its own, so that nobody's own browser or settings are touched. */
async function open({ program, version }, url) {
  const profile = mkdtempSync(join(tmpdir(), "modelport-profile-"));
  process.on("exit", () => rmSync(profile, { recursive: true, force: true, maxRetries: 3 }));
  detail(`opening Chromium ${version} with WebMCP on; Ctrl-C here also closes it`);
  const flags = [webmcp, `--user-data-dir=${profile}`, "--no-first-run", "--no-default-browser-check"];
  // Chromium refuses to run its sandbox as root.
  if (process.getuid?.() === 0) flags.push("--no-sandbox");
  // Its own chatter is of use only if it can't start.
  const done = await quiet(program, [...flags, url]);
  if (done.ok) return detail("Chromium was closed; the demo is still served");
  detail(`Chromium ${done.why}; open ${url} in a browser yourself. It said:\n${tail(done.output, 6)}`);
}

await main(async (words) => {
  const { open: wanted, port, named } = wishes(words);
  await build();
  const found = wanted && (await browser());
  const server = await serve({ port });
  if (server.port !== port) step(`port ${port} ${named ? "(the one you named) " : ""}is taken; using ${server.port}`);
  say(`\n  The demo is at ${server.url}/\n  The documentation is at ${server.url}/docs/\n  Ctrl-C stops it.\n`);
  if (found) await open(found, `${server.url}/`);
  else if (!wanted) say(`  WebMCP is off in most browsers: "npm start -- --open" opens Chromium with it on,\n  or start yours with --enable-features=WebMCP. Without it everything but the browser's registry works.\n`);
});
