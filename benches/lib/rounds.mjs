// Rounds: in each one, every contestant has a fresh page, all are warmed, and then they take turns in
// short slices. What disturbs the machine for longer than a slice disturbs all of them, and what is
// compared was measured within the same seconds.

import { newRound } from "./browser.mjs";
import { calm } from "./calm.mjs";
import { coldSet } from "./cold.mjs";
import { heapSteps } from "./heap.mjs";
import { median, quantile } from "./stats.mjs";
import { longestTask } from "./tasks.mjs";

/** The same list, begun elsewhere each time: nobody is always first. */
const rotated = (list, by) => list.map((_, index) => list[(index + by) % list.length]);

/** Measurements that need the browser's own tools; all others are functions of pages/measures.js. */
const byDriver = { heap: heapSteps, tasks: longestTask };

async function slice(browser, entrant, measure, figures) {
  const { id } = entrant.contestant;
  const special = byDriver[measure.how];
  const { figures: each, mean } = special ? await special(entrant.room, measure, browser) : await entrant.room.measure(measure.how, measure.options);
  const own = ((figures[measure.name] ??= {})[id] ??= { each: [], means: [] });
  own.each.push(...each);
  own.means.push(mean);
}

/** A contestant that fails is out, with its reason; the others go on. */
async function guarded(entrant, failures, work) {
  if (failures[entrant.contestant.id]) return;
  try {
    await work();
  } catch (error) {
    failures[entrant.contestant.id] = error.message.split("\n")[0];
  }
}

const takesPart = (measure, { id }) => !measure.only || measure.only.includes(id);

/** `turn` is the round, and who begins. */
async function oneSet(browser, site, scenario, turn, figures, failures, about) {
  const round = await newRound(browser, site.url, site.wires);
  const entrants = scenario.contestants.filter(({ id }) => !failures[id]).map((contestant) => ({ contestant }));
  await Promise.all(
    entrants.map((entrant) =>
      guarded(entrant, failures, async () => {
        entrant.room = await round.open(entrant.contestant);
        about[entrant.contestant.id] = entrant.room.about;
      }),
    ),
  );
  await calm();
  for (const { how, options } of scenario.warm ?? []) {
    for (const entrant of entrants) await guarded(entrant, failures, () => entrant.room.measure(how, options));
  }
  let order = turn;
  for (const measure of scenario.measures.filter(({ rounds = Infinity }) => turn < rounds)) {
    for (let count = 0; count < (measure.slices ?? 1); count++) {
      for (const entrant of rotated(entrants, order++)) {
        if (takesPart(measure, entrant.contestant)) await guarded(entrant, failures, () => slice(browser, entrant, measure, figures));
      }
    }
  }
  for (const entrant of entrants) await guarded(entrant, failures, () => entrant.room.close());
  await round.close();
}

/**
 * Runs a scenario. Resolves to `{ rounds, failures, about }`; a round has, by measure and contestant,
 * the median (`p50`) and the lower decile (`p10`) of its figures, and the median of its slices' means (`mean`).
 */
export async function run(browser, site, scenario, count, progress) {
  const failures = {};
  const about = {};
  const rounds = [];
  for (let number = 0; number < count; number++) {
    progress(number);
    const figures = {};
    if (scenario.cold) await coldSet(browser, site, rotated(scenario.contestants, number), figures, failures);
    else await oneSet(browser, site, scenario, number, figures, failures, about);
    const round = {};
    for (const [measure, entrants] of Object.entries(figures)) {
      round[measure] = {};
      for (const [id, { each, means }] of Object.entries(entrants)) round[measure][id] = { p50: median(each), p10: quantile(each, 0.1), mean: median(means) };
    }
    rounds.push(round);
  }
  return { rounds, failures, about };
}
