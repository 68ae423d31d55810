// Where a contestant's time goes: node benches/profile.mjs MODULE [OPTIONS] [PAYLOAD] [CALLS]
//
//   node benches/profile.mjs pair_echo '{"pair":"modelport","level":"posted"}' text-100 30000
//   AGAINST=/path/to/dist node benches/profile.mjs pair_echo '{"pair":"modelport","level":"page","dist":"/build-1/"}'
//   node benches/profile.mjs pair_echo '{"pair":"sdk1","level":"high"}'
//
// Prints self time a call by function. Build without `strip` and with `wasm-opt -g` to see the names of
// Rust functions. The profiler itself costs time: read shares, not sums.

import { launch, newRound } from "./lib/browser.mjs";
import { openSite } from "./lib/site.mjs";

const [module, options = "{}", payload = "text-100", calls = "30000"] = process.argv.slice(2);
const batch = 100;
const batches = Number(calls) / batch;

function selfTimes({ nodes, samples, timeDeltas }) {
  const byId = new Map(nodes.map((node) => [node.id, node.callFrame]));
  const times = new Map();
  samples.forEach((id, index) => {
    const { functionName, url, lineNumber } = byId.get(id);
    const file = url.split("/").pop();
    const name = `${functionName || "(anonymous)"}${file ? ` ${file}${file.endsWith("wasm") ? "" : `:${lineNumber + 1}`}` : ""}`;
    times.set(name, (times.get(name) ?? 0) + timeDeltas[index]);
  });
  return [...times].sort((a, b) => b[1] - a[1]);
}

const site = await openSite(process.env.AGAINST ? [process.env.AGAINST] : []);
const browser = await launch();
const round = await newRound(browser, site.url, site.wires);
const room = await round.open({ id: module, module, options: { dist: "/build-0/", ...JSON.parse(options) } });
await room.measure("sequential", { payload, batches: batches / 3, batch, limit: Infinity });
const devtools = await room.page.context().newCDPSession(room.page);
await devtools.send("Profiler.enable");
await devtools.send("Profiler.setSamplingInterval", { interval: 100 });
await devtools.send("Profiler.start");
const { mean } = await room.measure("sequential", { payload, batches, batch, limit: Infinity });
const { profile } = await devtools.send("Profiler.stop");
console.log(`${module} ${options} ${payload}: ${(mean * 1000).toFixed(1)} µs a call while profiled`);
for (const [name, time] of selfTimes(profile).slice(0, 60)) {
  console.log(`${(time / (batches * batch)).toFixed(2).padStart(8)} µs  ${name}`);
}
await browser.close();
await site.close();
