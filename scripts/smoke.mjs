// npm run smoke [-- part of a stack's name]: throw-away projects from the packed tarball, one line a stack.

import { main, say, since } from "./lib/say.mjs";
import { npmPackages } from "./setup/npm.mjs";
import { elsewhere } from "./smoke/elsewhere.mjs";
import { judge } from "./smoke/judge.mjs";
import { close, open, wasmFiles } from "./smoke/kit.mjs";
import { call } from "./smoke/sources.mjs";
import { stacks } from "./smoke/stacks.mjs";

/** Builds a stack, opens it, and says what is wrong with it. */
async function inBrowser(make) {
  const { url, output, wasm = 1, requests, expected = [] } = await make();
  const found = wasmFiles(output);
  const wrong = found.length === wasm ? [] : [`${found.length} wasm files instead of ${wasm}: ${found.join()}`];
  const seen = await open(url, { tools: [call.name], expected });
  wrong.push(...(await judge(seen)));
  const fetched = seen.asked.filter((address) => new URL(address).pathname.endsWith(".wasm")).length;
  if (wasm === 0 ? fetched > 0 : fetched === 0) wrong.push(`${fetched} requests for wasm`);
  const loaded = seen.asked.filter((address) => !address.startsWith("data:")).length;
  if (requests !== undefined && loaded !== requests) wrong.push(`${loaded} requests instead of ${requests}`);
  await seen.close();
  return wrong;
}

await main(async ([only = ""]) => {
  // Reading the documentation takes one of the project's packages.
  await npmPackages();
  const { followed } = await import("./smoke/followed.mjs");
  const all = [...Object.entries(stacks).map(([name, make]) => [name, () => inBrowser(make)]), ...Object.entries(elsewhere), ...Object.entries(followed)].filter(([name]) => name.toLowerCase().includes(only.toLowerCase()));
  let bad = all.length ? 0 : 1;
  let judged = 0;
  try {
    for (const [name, work] of all) {
      const started = performance.now();
      const wrong = await work().catch((error) => [error.message]);
      if (typeof wrong === "string") {
        say(`- ${name}: ${wrong}`);
        continue;
      }
      judged++;
      if (wrong.length) bad++;
      say(`${wrong.length ? "✗" : "✓"} ${name}  ${since(started)}`);
      for (const one of wrong) say(`    ${one.replaceAll("\n", "\n    ")}`);
    }
  } finally {
    await close();
  }
  say(bad ? `\n✗ ${bad} of ${judged} stacks failed` : `\n✓ all ${judged} stacks passed`);
  return bad ? 1 : 0;
});
