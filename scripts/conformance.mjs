// npm run conformance [-- client|server]: the official conformance suite against the built package, one line a leg.

import { clientLegs } from "../tests/conformance/client_leg.mjs";
import { serverLegs } from "../tests/conformance/server_leg.mjs";
import { build } from "./build.mjs";
import { Trouble, main, say, since } from "./lib/say.mjs";

/** What can be asked for by name; each is a list of `{ name, run }`, and `run` resolves as `conform` in suite.mjs does. */
const legs = { client: clientLegs, server: serverLegs };

await main(async (words) => {
  const unknown = words.find((word) => !Object.hasOwn(legs, word));
  if (unknown !== undefined) throw new Trouble(`There are no legs "${unknown}".`, `npm run conformance -- ${Object.keys(legs).join("|")}`);
  await build();
  let good = true;
  for (const { name, run } of (words.length ? words : Object.keys(legs)).flatMap((word) => legs[word])) {
    const started = performance.now();
    const { passed, total, failed, ok, output, results } = await run();
    good &&= ok;
    if (!ok) say(`${output}\nresults: ${results}`);
    say(`${ok ? "✓" : "✗"} ${name}: ${passed}/${total}  ${since(started)}${failed.length ? `  failed: ${failed.join(", ")}` : ""}`);
  }
  return good ? 0 : 1;
});
