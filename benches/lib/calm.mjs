// Waits for the machine to be quiet, for a while. Two programs that measure on two cores measure each
// other. It cannot be forced, so the report says how often it was not had.

import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const busyBelow = 0.25;
const patience = 2_000;
const sample = 150;
/** All waits of a run together: on a machine that is never quiet the run must still end. */
let budget = 40_000;

function ticks() {
  try {
    const [, ...numbers] = readFileSync("/proc/stat", "utf8").split("\n")[0].split(/\s+/);
    const all = numbers.map(Number).slice(0, 8);
    return { all: all.reduce((a, b) => a + b), idle: all[3] + all[4] };
  } catch {
    return undefined;
  }
}

const counts = { asked: 0, refused: 0 };

/** Resolves when the machine has been quiet for a moment, or when patience is at its end. */
export async function calm() {
  counts.asked++;
  const start = performance.now();
  const spent = () => performance.now() - start;
  try {
    if (await quietWithin(() => spent() < Math.min(patience, budget))) return;
  } finally {
    budget -= spent();
  }
  counts.refused++;
}

async function quietWithin(patient) {
  do {
    const before = ticks();
    if (!before) return true;
    await sleep(sample);
    const after = ticks();
    if (1 - (after.idle - before.idle) / (after.all - before.all) < busyBelow) return true;
  } while (patient());
  return false;
}

export const calmness = () => ({ ...counts });
