// The clock. Every measurement counts work that was done and looked at: answers are kept while the
// clock runs and compared with what they must be after it has stopped, so that checking costs nobody
// anything and a wrong answer ends the round.

import { payloadOf } from "./payloads.js";

/** Whether a trace is being written, for lib/tasks.mjs, which wants to know when work was done and when it was checked. */
let isTraced = false;

/** Begins to trace, or ends. */
export const trace = (_contestant, on) => {
  isTraced = on;
};

const begin = () => {
  if (isTraced) performance.mark("work begins");
  return performance.now();
};

/** Milliseconds since `begin()`. */
const end = (start) => {
  const took = performance.now() - start;
  if (isTraced) performance.mark("work ends");
  return took;
};

const checkedAll = (contestant, answers, payload) => {
  for (const answer of answers) contestant.check(answer, payload);
};

/**
 * One call after the other. The clock has steps of 5 µs, so quick calls are timed in batches.
 * Resolves to milliseconds a call: one figure a batch, and the whole. A slow contestant, or a slow
 * machine, ends a slice early, so that a run ends in time.
 */
export async function sequential(contestant, { payload: kind, batches, batch, limit = 150 }) {
  const payload = payloadOf(kind);
  const figures = [];
  let total = 0;
  for (let done = 0; done < batches && (done < 3 || total < limit); done++) {
    const answers = new Array(batch);
    const start = begin();
    for (let index = 0; index < batch; index++) answers[index] = await contestant.call(payload);
    const took = end(start);
    checkedAll(contestant, answers, payload);
    figures.push(took / batch);
    total += took;
  }
  return { figures, mean: total / (figures.length * batch) };
}

/** Many lanes at once, each one call after the other. Resolves to milliseconds a call, as one figure. */
export async function inFlight(contestant, { payload: kind, lanes, calls }) {
  const payload = payloadOf(kind);
  const answers = [];
  let left = calls;
  const lane = async () => {
    while (left-- > 0) answers.push(await contestant.call(payload));
  };
  const start = begin();
  await Promise.all(Array.from({ length: lanes }, lane));
  const took = end(start);
  if (answers.length !== calls) throw new Error(`${answers.length} answers to ${calls} calls`);
  checkedAll(contestant, answers, payload);
  return { figures: [took / calls], mean: took / calls };
}

/** The same without a payload: `contestant.list()`, a few times. */
export async function listing(contestant, { times }) {
  const figures = [];
  for (let done = 0; done < times; done++) {
    const start = begin();
    const answer = await contestant.list();
    figures.push(end(start));
    contestant.check(answer);
  }
  return { figures, mean: figures.reduce((a, b) => a + b) / times };
}

/** What a contestant times by itself, since not all of it counts: `contestant.time()`, in batches. */
export async function timed(contestant, { batches, batch }) {
  const figures = [];
  for (let done = 0; done < batches; done++) {
    let sum = 0;
    for (let index = 0; index < batch; index++) sum += await contestant.time();
    figures.push(sum / batch);
  }
  return { figures, mean: figures.reduce((a, b) => a + b) / batches };
}

/**
 * A step that can be done once in a page: named, timed to the promise's end, then checked by what the
 * registry itself says.
 */
export async function once(contestant, { step }) {
  const start = begin();
  await contestant[step]();
  const took = end(start);
  await contestant.verify?.(step);
  return { figures: [took], mean: took };
}
