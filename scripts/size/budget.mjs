// The budget of every part, and what is to be said of a part that is not within it.

/** By how many hundredths a part may be off before anybody has to do something about it. */
const tolerance = 1;

const kinds = ["raw", "brotli"];
const bless = "npm run size -- --bless";

/**
 * Compares parts with their budgets: `{ wrong, loose }`, lines for people. A part without a budget is wrong, and so is
 * a budget without a part. What is loose has become smaller, and lets its budget be lowered. `excused` parts need
 * only have one.
 */
export function judge(parts, budgets, excused = []) {
  const wrong = [];
  const loose = [];
  for (const [name, part] of Object.entries(parts)) {
    const budget = budgets[name];
    if (!budget) {
      wrong.push(`${name} has no budget: if it belongs there, run "${bless}" and commit scripts/size-budget.json`);
    }
    for (const kind of budget && !excused.includes(name) ? kinds : []) {
      // Multiplied, not divided, so that exactly 1 % is not a little more.
      const off = 100 * (part[kind] - budget[kind]);
      const bound = tolerance * budget[kind];
      const words = `${name}: ${part[kind]} bytes ${kind}, ${(Math.abs(off) / budget[kind]).toFixed(1)} % ${off > 0 ? "above" : "below"} its budget of ${budget[kind]}`;
      if (off > bound) wrong.push(words);
      if (off < -bound) loose.push(`${words}, which "${bless}" lowers`);
    }
  }
  for (const name of Object.keys(budgets)) if (!parts[name]) wrong.push(`${name} has a budget and is not there: run "${bless}" and commit scripts/size-budget.json`);
  return { wrong, loose };
}

/** The budgets that these parts would keep exactly. */
export const exactly = (parts) => Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, Object.fromEntries(kinds.map((kind) => [kind, part[kind]]))]));
