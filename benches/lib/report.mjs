// The report: one HTML file that loads nothing. First the table that says it all, then the goals, then a plot for each
// measure, folded away until somebody wants it.

import { isOurs } from "../scenarios.mjs";
import { overview } from "./overview.mjs";
import { plot } from "./plot.mjs";
import { style } from "./style.mjs";
import { rowsOf, shown } from "./summary.mjs";
import { boundOf, escape, ratioOf, spreadOf, verdictOf } from "./words.mjs";

const minute = (date) => `${date.slice(0, 16).replace("T", " ")} UTC`;

function goalRow(goal, index, all) {
  const cells = goal.why
    ? `<td colspan="3">${escape(goal.why)}</td>`
    : `<td class="n">${ratioOf(goal)}</td><td class="n soft">${spreadOf(goal)}</td><td>${boundOf(goal)} ${escape(goal.than ?? goal.floor)}</td>`;
  const isRepeated = all[index - 1]?.name === goal.name;
  return `<tr><td${isRepeated ? ' class="soft"' : ""}>${isRepeated ? "″" : escape(goal.name)}</td>${cells}<td class="${goal.holds ? "holds" : "falls"}">${verdictOf(goal)}</td></tr>`;
}

const goalTable = (title, about, goals) =>
  goals.length === 0
    ? ""
    : `<h2>${title}</h2><p class="soft">${about}</p><div class="wide"><table><tr><th>what</th><th class="n">ratio</th><th class="n">lowest – highest</th><th>goal</th><th></th></tr>${goals.map(goalRow).join("")}</table></div>`;

function section({ scenario, outcome, date }) {
  const plots = shown(scenario).map((measure) => {
    const rows = rowsOf(scenario, outcome, measure);
    return rows.length === 0 ? "" : `<h4>${escape(measure.title)}</h4>${plot(rows, isOurs)}`;
  });
  const failed = Object.entries(outcome.failures).map(([id, why]) => [scenario.contestants.find((each) => each.id === id), why]);
  const lacks = failed.filter(([{ mayLack }]) => mayLack).map(([{ title }, why]) => `<p class="soft">${escape(title)} does not offer this: ${escape(why.replace("page.evaluate: ", ""))}.</p>`);
  const lost = failed.filter(([{ mayLack }]) => !mayLack).map(([{ title }, why]) => `<p class="falls">Disqualified: ${escape(title)}: ${escape(why)}</p>`);
  const absent = (scenario.absent ?? []).map((why) => `<p class="soft">${escape(why)}</p>`);
  return `<details><summary><h3>${escape(scenario.title)}</h3> <span class="soft">${outcome.rounds.length} rounds${date ? `, ${minute(date)}` : ""}</span></summary><div class="in">${[...plots, ...lacks, ...lost, ...absent].join("")}</div></details>`;
}

const chapters = [
  ["Calls", /^(echo|in-flight|carrier|checked|adopted)/],
  ["Progress and cancellation", /^(progress|cancel)/],
  ["Lists", /^list/],
  ["The browser's registry", /^(publish|blocking|add)/],
  ["Checking arguments", /^check-/],
  ["Cold start", /^cold/],
  ["Memory", /^heap/],
  ["Growth", /^growth/],
];

const chapter = ([title, names], results) => {
  const own = results.filter(({ scenario }) => names.test(scenario.name));
  return own.length === 0 ? "" : `<h2>${title}</h2>${own.map(section).join("")}`;
};

const key = `<p class="key soft"><span><i class="own"></i>Modelport</span><span><i class="bare"></i>bare platform, the floor</span><span><i class="other"></i>others, and the protocol by hand</span></p>
<p class="soft">A dot is the median of the rounds' ratios to the cheapest floor of the same round (dashed line), on a logarithmic scale; the line through it goes from the lowest round to the highest. Left is cheaper.</p>`;

const method = `<ul>
<li>Each contestant has a page of its own in one browser; in every round the pages are fresh. Within a round all take turns in slices of some ten milliseconds, each time beginning with another one, the page in front.</li>
<li>A ratio compares two contestants of the same round. Times and bytes, in the tips of the dots and in results.json, are this machine's and this moment's: they claim nothing.</li>
<li>Bare floors carry the payload alone, with no envelope, no ids and no checks. Modelport's two ends in one page find that out and hand each other copies, which a floor that posts does not; “made to post” shows them without that.</li>
<li>Peers are bundled and minified as a page would have them, with transports of their own where they have them, and else over the smallest one for a port.</li>
<li>Answers are compared with what they must be after the clock has stopped; a wrong one disqualifies its contestant.</li>
<li>The longest task is read from the browser's trace, of the work alone.</li>
</ul>`;

const factsOf = ({ date, machine, quiet }) => [
  minute(date),
  `${machine.browser}, native WebMCP on`,
  `${machine.processor}, ${machine.cores} cores, ${machine.memory}, ${machine.system}`,
  `Node ${machine.node}`,
  `Modelport ${machine.modelport} (wasm ${machine.build["modelport.wasm"]})`,
  ...Object.entries(machine.peers).map(([name, version]) => `${name} ${version}`),
  `the machine was not quiet at ${quiet.refused} of ${quiet.asked} starts`,
];

/** The whole page. */
export function report(facts, results) {
  const goals = results.flatMap((result) => result.goals);
  const table = goals.filter(({ row }) => row);
  const held = table.filter(({ holds }) => holds).length;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Modelport, side by side</title><style>${style}</style></head>
<body><h1>Modelport, side by side</h1>
<p>What MCP and WebMCP cost in a page: Modelport, the official SDKs, MCP-B, two RPC libraries and the bare platform, in turns, in the same browser and the same rounds. Only ratios count.</p>
${overview(results)}
${goalTable("Goals", `${held} of ${table.length} hold; <code>npm run bench -- --check</code> judges them again.`, table)}
${goalTable("Guards of our own", "What is watched beside the table.", goals.filter(({ row }) => !row))}
<h2>All measurements</h2>${key}
${chapters.map((each) => chapter(each, results)).join("\n")}
<h2>How it was measured</h2>${method}
<p class="soft">${factsOf(facts).map(escape).join(" · ")}</p>
<p>Again: <code>npm run bench</code>. All figures: <a href="results.json">results.json</a>.</p>
</body></html>
`;
}
