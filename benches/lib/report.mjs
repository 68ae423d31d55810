// The report: one HTML file that loads nothing, with the goals first and a plot for each measure.

import { plot } from "./plot.mjs";
import { rowsOf, shown } from "./summary.mjs";
import { amount, boundOf, ratioOf, spreadOf, verdictOf } from "./words.mjs";

export const escape = (text) => String(text).replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);

const style = `
:root { color-scheme: light dark; --ink: #1c2330; --soft: #5d6778; --line: #d9dee7; --paper: #fff; --own: #2f6fde; --bare: #9aa5b5; --other: #c08a2e; --good: #16794a; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8ebf0; --soft: #9ba6b7; --line: #343c49; --paper: #14181f; --own: #7aa7ff; --bare: #6b7686; --other: #d9a95a; --good: #5fd39a; --bad: #ff8a80; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin-bottom: .25rem; } h2 { font-size: 1.15rem; margin-top: 2.5rem; } h3 { font-size: .95rem; font-weight: 600; color: var(--soft); margin: 1rem 0 .25rem; }
p, li { color: var(--soft); } .wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .92rem; } td, th { padding: .3rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
td.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; } .holds { color: var(--good); } .falls { color: var(--bad); } .yet { color: var(--soft); }
svg { width: 100%; height: auto; display: block; } svg text { fill: var(--ink); font: 13px system-ui, sans-serif; } svg .soft { fill: var(--soft); }
.own { fill: var(--own); } .bare { fill: var(--bare); } .other { fill: var(--other); } .round { fill: var(--ink); opacity: .55; } .axis { stroke: var(--line); } .one { stroke: var(--soft); stroke-dasharray: 3 3; }`;

function goalRow(goal) {
  const verdict = verdictOf(goal);
  const kind = goal.why ? "falls" : goal.holds ? "holds" : goal.later ? "yet" : "falls";
  const cells = goal.why
    ? `<td colspan="3">${escape(goal.why)}</td>`
    : `<td class="n">${ratioOf(goal)}</td><td class="n">${spreadOf(goal)}</td><td>${boundOf(goal)} ${escape(goal.than ?? goal.floor)}</td>`;
  return `<tr><td>${escape(goal.name)}</td>${cells}<td class="${kind}">${verdict}</td></tr>`;
}

const goalTable = (title, goals) =>
  goals.length === 0
    ? ""
    : `<h2>${title}</h2><div class="wide"><table><tr><th>what</th><th>ratio</th><th>lowest – highest round</th><th>goal</th><th></th></tr>${goals.map(goalRow).join("")}</table></div>`;

function section({ scenario, outcome }) {
  const parts = shown(scenario).map((measure) => {
    const rows = rowsOf(scenario, outcome, measure);
    const table = rows.map(({ contestant, median, ratio, unit }) =>
      `<tr><td>${escape(contestant.title)}</td><td class="n">${amount(median, unit)}</td><td class="n">${ratio ? `${ratio.median.toFixed(2)} ×` : ""}</td></tr>`);
    return `<h3>${escape(measure.title)}, median of ${outcome.rounds.length} rounds</h3>${plot(rows)}<details><summary>figures</summary><table>${table.join("")}</table></details>`;
  });
  const lost = Object.entries(outcome.failures).map(([id, why]) => `<p class="falls">Disqualified: ${escape(id)}: ${escape(why)}</p>`);
  return `<section><h2>${escape(scenario.title)}</h2>${parts.join("")}${lost.join("")}</section>`;
}

const method = `<ul>
<li>Each contestant has a page of its own in one browser; in every round the pages are fresh. Within a round all take turns in slices of some ten milliseconds, each time beginning with another one.</li>
<li>A ratio compares two contestants of the same round. The table shows the median of the rounds, and the lowest and highest. Absolute times are for orientation: they are this machine's and this moment's.</li>
<li>Bare floors carry the payload alone, with no envelope and no ids. “By hand” rows carry the protocol's own messages with nothing checked: what the protocol itself costs.</li>
<li>Answers are compared with what they must be, after the clock has stopped; a wrong one disqualifies.</li>
</ul>`;

/** The whole page. */
export function report({ date, rounds, machine, quiet }, results) {
  const goals = results.flatMap((result) => result.goals);
  const facts = [machine.browser, `Node ${machine.node}`, `${machine.processor}, ${machine.cores} cores, ${machine.memory}`, machine.system, `Modelport ${machine.modelport} (wasm ${machine.build["modelport.wasm"]})`, `Playwright ${machine.playwright}`];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Modelport, side by side</title><style>${style}</style></head>
<body><h1>Modelport, side by side</h1>
<p>${date.slice(0, 16).replace("T", " ")} UTC · ${rounds} paired rounds · ${facts.map(escape).join(" · ")} · the machine was not quiet at ${quiet.refused} of ${quiet.asked} starts</p>
${goalTable("Goals", goals.filter(({ later }) => !later))}
${goalTable("Goals of later parts", goals.filter(({ later }) => later))}
${results.map(section).join("\n")}
<h2>How it was measured</h2>${method}
<p>Again: <code>npm run bench</code>. All figures: results.json beside this file.</p>
</body></html>
`;
}
