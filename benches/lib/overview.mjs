// The whole in one table: how many times Modelport's cost everybody else's is, in the same rounds. Of several ways to
// use one peer the cheapest counts that checks what we check; all of them are in the plots.

import { median } from "./stats.mjs";
import { escape } from "./words.mjs";

const columns = [
  ["bare platform", null],
  ["SDK 1.x", /^sdk1(-text|_server)?$/],
  ["SDK 2.x", /^sdk2(-text|-json|_server)?$/],
  ["MCP-B", /^(mcpb(-tab|-global|_global|-patched)?|global)$/],
  ["Comlink", /^comlink$/],
  ["Cap'n Web", /^capnweb$/],
];

const lines = [
  ["a call, 100 B, within one page", "echo-text-100", "sequential", "modelport-port"],
  ["the same, made to post", "echo-text-100", "sequential", "modelport-posted"],
  ["a call, 10 kB string", "echo-text-10k", "sequential", "modelport-port"],
  ["a call, 10 kB of records", "echo-records-10k", "sequential", "modelport-port"],
  ["a call, 1 MB of records", "echo-records-1m", "sequential", "modelport-port"],
  ["a call, 100 B, 100 in flight", "in-flight-text-100", "in-flight", "modelport-port"],
  ["a call, 100 B, to a worker", "carrier-worker-text-100", "sequential", "modelport"],
  ["a call, 100 B, to a frame", "carrier-frame-text-100", "sequential", "modelport"],
  ["10,000 notices of progress, posted", "progress", "stream", "modelport-posted"],
  ["cancelling, posted", "cancel", "cancel", "modelport-posted"],
  ["tools/list of 1,000", "list-1000", "list", "modelport"],
  ["1,000 tools to the browser's registry", "publish-1000", "publish", "modelport"],
  ["a call of somebody else's registered tool", "adopted-text-100", "call", "adopted"],
  ["memory of 1,000 tools served", "heap-server", "heap", "modelport"],
  ["cold start to the first tool", "cold", "plain cold tool", "modelport"],
  ["the same, throttled", "cold", "slow cold tool", "modelport"],
  ["the same, throttled, warm cache", "cold", "slow warm tool", "modelport"],
];

function cell({ scenario, outcome }, measure, own, pattern) {
  const here = scenario.contestants.filter(({ id, floor }) => (pattern ? pattern.test(id) : floor));
  const figures = (id) => outcome.rounds.map((round) => round[measure]?.[id]?.p50);
  const times = here.filter(({ id }) => !figures(id).includes(undefined)).map(({ id }) => median(figures(id).map((figure, index) => figure / figures(own)[index])));
  if (times.length > 0) {
    const least = Math.min(...times);
    return `<td class="n${least < 1 && pattern ? " better" : ""}">${least < 10 ? least.toFixed(1) : Math.round(least)} ×</td>`;
  }
  return `<td class="n soft">${here.some(({ mayLack }) => mayLack) ? "not offered" : "–"}</td>`;
}

/** The table, of those scenarios that were run. */
export function overview(results) {
  const rows = lines.flatMap(([title, name, measure, own]) => {
    const result = results.find(({ scenario }) => scenario.name === name);
    if (!result || result.outcome.rounds.some((round) => !round[measure]?.[own])) return [];
    return [`<tr><td>${escape(title)}</td>${columns.map(([, pattern]) => cell(result, measure, own, pattern)).join("")}</tr>`];
  });
  if (rows.length === 0) return "";
  return `<h2>How many times Modelport's cost</h2><p class="soft">1 is as much as Modelport, 10 ten times as much; below 1 is cheaper.</p><div class="wide"><table><tr><th></th>${columns.map(([title]) => `<th class="n">${title}</th>`).join("")}</tr>${rows.join("")}</table></div>`;
}
