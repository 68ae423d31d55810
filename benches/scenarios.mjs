// All scenarios, in the order they run. Later parts add theirs, and their contestants, here.

import * as carriers from "./scenarios/carriers.mjs";
import * as checking from "./scenarios/checking.mjs";
import * as echo from "./scenarios/echo.mjs";
import * as list from "./scenarios/list.mjs";
import * as registry from "./scenarios/registry.mjs";

const all = [...echo.scenarios, ...carriers.scenarios, ...list.scenarios, ...registry.scenarios, ...checking.scenarios];

const isOurs = ({ module }) => module.startsWith("modelport_");

/** Our contestants, once for each build; the first is the one that is judged. */
function withBuilds(scenario, builds) {
  const copies = (contestant) =>
    builds.map((name, number) => ({
      ...contestant,
      id: number === 0 ? contestant.id : `${contestant.id}@${name}`,
      title: number === 0 ? contestant.title : `${contestant.title} @ ${name}`,
      options: { ...contestant.options, dist: `/build-${number}/` },
    }));
  const contestants = scenario.contestants.flatMap((contestant) => (isOurs(contestant) ? copies(contestant) : [contestant]));
  const named = (id) => contestants.filter((each) => each.id === id || each.id.startsWith(`${id}@`)).map((each) => each.id);
  const measures = scenario.measures.map((measure) => ({ ...measure, without: measure.without?.flatMap(named) }));
  return { ...scenario, contestants, measures };
}

/** Those whose name contains one of the words; all without words. `builds` names the builds to measure. */
export const chosen = (words, builds) =>
  all
    .filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
    .map((scenario) => withBuilds(scenario, builds));

export const names = all.map(({ name }) => name);
