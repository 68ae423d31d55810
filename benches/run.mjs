// The benchmark. `npm run bench` builds and then starts this; see lib/options.mjs for the words it takes.
//
// How it measures: every contestant has a page of its own; all take turns in short slices; a round is
// begun anew with fresh pages; what is judged is the median, over the rounds, of ratios to the
// platform's own cost, or a peer's, in the same round. Answers are checked. One goal alone is a time:
// the longest task of the main thread.

import { paths } from "../scripts/lib/paths.mjs";
import { Trouble, detail, main, say, since, step } from "../scripts/lib/say.mjs";
import { launch } from "./lib/browser.mjs";
import { calmness } from "./lib/calm.mjs";
import { judge } from "./lib/judge.mjs";
import { machine } from "./lib/machine.mjs";
import { read, usage } from "./lib/options.mjs";
import { redraw, save } from "./lib/results.mjs";
import { run } from "./lib/rounds.mjs";
import { openSite } from "./lib/site.mjs";
import { summary } from "./lib/summary.mjs";
import { goalLine } from "./lib/words.mjs";
import { chosen, names } from "./scenarios.mjs";

/** The report that is shown with the demo is that of a whole run, or of parts that were told to keep what they measured. */
const shown = paths.at("www", "bench");
const asked = paths.at("benches", "report");
const isShown = ({ only, check }) => only.length === 0 && !check;

/** Measures a scenario in a browser of its own, so that nothing of an earlier one is left. */
async function measure(scenario, site, rounds) {
  const started = performance.now();
  const browser = await launch();
  const about = machine(browser, site);
  const outcome = await run(browser, site, scenario, rounds, (number) => {
    if (process.stdout.isTTY) process.stdout.write(`\r  ${scenario.name}: round ${number + 1} of ${rounds} `);
  });
  await browser.close();
  if (process.stdout.isTTY) process.stdout.write("\r\x1b[K");
  step(`${scenario.title} (${since(started)})`);
  for (const line of summary(scenario, outcome)) detail(line);
  const goals = scenario.goals.map((goal) => ({ ...judge(goal, outcome), scenario: scenario.name }));
  return { scenario, outcome, goals, about };
}

/** What a scenario's contestants could not do: those of whom it was only asked, and those who are out. */
const lostOf = ({ scenario, outcome }) =>
  Object.entries(outcome.failures).map(([id, why]) => ({ name: scenario.name, why, contestant: scenario.contestants.find((each) => each.id === id) }));

/** Prints the goals. A goal that fails, or a contestant that gave a wrong answer, is the check's error. */
function close(results, { check }) {
  const goals = results.flatMap((result) => result.goals);
  const width = Math.max(0, ...goals.map(({ name }) => name.length));
  if (goals.length > 0) say("\nGoals: median of the rounds (lowest – highest)");
  for (const goal of goals) say(`  ${goalLine(goal, width)}`);
  const failed = goals.filter(({ holds }) => !holds).length;
  const lost = results.flatMap(lostOf).filter(({ contestant }) => !contestant.mayLack);
  for (const { name, contestant, why } of lost) say(`\n✗ disqualified: ${name}, ${contestant.title}: ${why}`);
  if (goals.length > 0) say(`\n${goals.length - failed} of ${goals.length} goals hold`);
  return check && (failed > 0 || lost.length > 0) ? 1 : 0;
}

await main(async (words) => {
  const options = read(words);
  if (options.help) {
    say(usage);
    return 0;
  }
  if (options.redraw) {
    say(`report: ${redraw(shown)}`);
    return 0;
  }
  const scenarios = chosen(options, ["dist", ...options.against]);
  if (scenarios.length === 0) throw new Trouble(`No ${options.check ? "goal belongs to a scenario" : "scenario is"} named like ${options.only.join(" or ")}.`, `choose of: ${names.join(", ")}.`);
  const site = await openSite(options.against);
  const started = performance.now();
  const results = [];
  const factsOf = ({ about }) => ({ date: new Date().toISOString(), rounds: options.rounds, machine: about, quiet: calmness() });
  try {
    for (const scenario of scenarios) {
      const result = await measure(scenario, site, Math.min(options.rounds, scenario.rounds ?? Infinity));
      results.push(result);
      // What is kept is kept at once: nobody has to begin anew because the last scenario was too much.
      if (options.keep) save(shown, factsOf(result), [result], names);
    }
  } finally {
    await site.close();
  }
  const code = close(results, options);
  const facts = factsOf(results[0]);
  const about = facts.machine;
  say(`\n${about.browser} · Node ${about.node} · ${about.processor}, ${about.cores} cores · Modelport ${about.modelport} (wasm ${about.build["modelport.wasm"]})`);
  say(`${options.rounds} rounds in ${since(started)}; the machine was not quiet at ${facts.quiet.refused} of ${facts.quiet.asked} starts`);
  say(`report: ${options.keep ? redraw(shown) : save(isShown(options) ? shown : asked, facts, results)}`);
  return code;
});
