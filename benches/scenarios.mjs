// All scenarios, in the order they run.

import * as carriers from "./scenarios/carriers.mjs";
import * as checking from "./scenarios/checking.mjs";
import * as cold from "./scenarios/cold.mjs";
import * as echo from "./scenarios/echo.mjs";
import * as growth from "./scenarios/growth.mjs";
import * as list from "./scenarios/list.mjs";
import * as memory from "./scenarios/memory.mjs";
import * as registry from "./scenarios/registry.mjs";
import * as streams from "./scenarios/streams.mjs";

const all = [echo, carriers, list, registry, checking, streams, cold, memory, growth].flatMap(({ scenarios }) => scenarios);

export const isOurs = ({ module, script, options }) =>
  module ? module.startsWith("modelport_") || options?.pair === "modelport" : /^(modelport|inline|rust)/.test(script);

/** Our contestants, once for each build; the first is the one that is judged. Cold starts have the first only. */
function withBuilds(scenario, builds) {
  if (scenario.cold) return scenario;
  const copies = (contestant) =>
    builds.map((name, number) => ({
      ...contestant,
      id: number === 0 ? contestant.id : `${contestant.id}@${name}`,
      title: number === 0 ? contestant.title : `${contestant.title} @ ${name}`,
      options: { ...contestant.options, dist: `/build-${number}/` },
    }));
  const contestants = scenario.contestants.flatMap((contestant) => (isOurs(contestant) ? copies(contestant) : [contestant]));
  const named = (id) => contestants.filter((each) => each.id === id || each.id.startsWith(`${id}@`)).map((each) => each.id);
  const measures = scenario.measures.map((measure) => ({ ...measure, only: measure.only?.flatMap(named) }));
  return { ...scenario, contestants, measures };
}

/** What the table of goals needs of a scenario: its rows, whom they name, and what is measured of them. */
function forCheck(scenario) {
  const goals = scenario.goals.filter(({ row }) => row);
  const ids = new Set(goals.flatMap(({ of, over }) => [of, ...over]));
  const names = new Set(goals.map(({ measure }) => measure));
  const isNeeded = ({ name, hidden }) => hidden || names.has(name) || (names.has("publish") && name === "fill") || (names.has("release") && name === "publish");
  return {
    ...scenario,
    goals,
    contestants: scenario.contestants.filter(({ id }) => ids.has(id)),
    measures: scenario.measures.filter(isNeeded).map((measure) => ({ ...measure, only: measure.only?.filter((id) => ids.has(id)) })),
  };
}

/**
 * Those whose name contains one of the words; all without words. `check` leaves what no row of the table of goals
 * needs. `builds` names the builds to measure.
 */
export const chosen = ({ only, check }, builds) =>
  all
    .filter(({ name }) => only.length === 0 || only.some((word) => name.includes(word)))
    .map((scenario) => (check ? forCheck(scenario) : scenario))
    .filter(({ contestants }) => contestants.length > 0)
    .map((scenario) => withBuilds(scenario, builds));

export const names = all.map(({ name }) => name);
