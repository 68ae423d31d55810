// A scenario's figures in lines: absolute ones for orientation, and beside them how many times the
// cheapest floor they are. Nothing is judged by the absolute ones.

import { median, spread } from "./stats.mjs";
import { amount } from "./words.mjs";

/** The same ratio by the lower deciles: what it would be on a machine that nobody else disturbs. */
function calmRatio(rounds, measure, { id }, floors) {
  if (floors.length === 0) return undefined;
  return median(rounds.map((round) => round[measure.name][id].p10 / Math.min(...floors.map((floor) => round[measure.name][floor.id].p10))));
}

/** One row a contestant that took part: its rounds, its median, and its ratio to the cheapest floor. */
export function rowsOf(scenario, { rounds: all }, measure) {
  const rounds = all.slice(0, measure.rounds);
  const of = (id) => rounds.map((round) => round[measure.name]?.[id]?.p50).filter((figure) => figure !== undefined);
  const present = scenario.contestants.filter(({ id }) => of(id).length === rounds.length);
  const floors = present.filter(({ floor }) => floor).sort((a, b) => median(of(a.id)) - median(of(b.id)));
  const base = floors[0] && of(floors[0].id);
  return present.map((contestant) => {
    const figures = of(contestant.id);
    const ratio = base && spread(figures.map((figure, index) => figure / base[index]));
    return { contestant, figures, median: median(figures), ratio, calm: calmRatio(rounds, measure, contestant, floors), unit: measure.unit };
  });
}

/** The measures worth showing, each once. */
export const shown = (scenario) =>
  scenario.measures.filter(({ hidden, name }, index, all) => !hidden && all.findIndex((other) => other.name === name) === index);

export function summary(scenario, outcome) {
  return shown(scenario).flatMap((measure) => {
    const rows = rowsOf(scenario, outcome, measure);
    const width = Math.max(0, ...rows.map(({ contestant }) => contestant.title.length));
    const lines = rows.map(({ contestant, median: middle, ratio, calm, unit }) => {
      const times = ratio && `${ratio.median.toFixed(2)} × (${ratio.low.toFixed(2)} – ${ratio.high.toFixed(2)})   undisturbed ${calm.toFixed(2)} ×`;
      return `  ${contestant.title.padEnd(width)}  ${amount(middle, unit).padStart(9)}  ${times ?? ""}`;
    });
    return [`${measure.title}:`, ...lines];
  });
}
