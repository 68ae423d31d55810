// Goals. A goal compares a contestant with floors that were measured in the same round: round by
// round, so that a slow moment is in both. The median of the rounds decides.

import { median, spread } from "./stats.mjs";

const figuresOf = (rounds, goal, id) => rounds.map((round) => round[goal.measure]?.[id]?.[goal.stat ?? "p50"]);

/** The floor whose median is lowest. */
function cheapest(rounds, goal) {
  const medians = goal.over.map((id) => [id, median(figuresOf(rounds, goal, id))]);
  return medians.reduce((best, each) => (each[1] < best[1] ? each : best))[0];
}

const compare = {
  /** How many times the floor's cost. */
  atMost: (own, floor) => own / floor,
  /** What part of the floor's speed. */
  atLeast: (own, floor) => floor / own,
  /** How many bytes more than the floor. */
  atMostMore: (own, floor) => own - floor,
  /** Milliseconds, whatever the floor. */
  below: (own) => own,
};

/** Judges one goal on a scenario's outcome. */
export function judge(goal, outcome) {
  const missing = [goal.of, ...goal.over].find((id) => outcome.failures[id] || figuresOf(outcome.rounds, goal, id).includes(undefined));
  if (missing) return { ...goal, holds: false, why: `${missing}: ${outcome.failures[missing] ?? "was not measured"}` };
  const floor = goal.over.length > 0 ? cheapest(outcome.rounds, goal) : undefined;
  const floors = figuresOf(outcome.rounds, goal, floor);
  const kind = Object.keys(compare).find((name) => name in goal);
  const ratios = figuresOf(outcome.rounds, goal, goal.of).map((own, index) => compare[kind](own, floors[index]));
  const ratio = spread(ratios);
  const holds = kind === "atLeast" ? ratio.median >= goal[kind] : ratio.median <= goal[kind];
  return { ...goal, kind, bound: goal[kind], floor, ratio, ratios, holds };
}
