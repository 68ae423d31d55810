// The longest task of a page's main thread while a measurement runs, from the browser's own trace: for so long nobody
// could scroll or type. What a page does to check its answers is not counted, as the page marks what is work.

const categories = ["disabled-by-default-devtools.timeline", "blink.user_timing"];
const begins = "work begins";
const ends = "work ends";

/** The spans of work and the thread they were on. */
function spansOf(events) {
  const marks = events.filter(({ name, cat }) => cat.includes("blink.user_timing") && (name === begins || name === ends)).sort((a, b) => a.ts - b.ts);
  const spans = [];
  for (const { name, ts } of marks) {
    if (name === begins) spans.push({ from: ts });
    else spans.at(-1).to = ts;
  }
  return { spans, thread: marks[0] };
}

/** Milliseconds of the longest task within the spans. */
function longest(events) {
  const { spans, thread } = spansOf(events);
  if (!thread || spans.some(({ to }) => to === undefined)) throw new Error("the trace has no whole span of work");
  const tasks = events.filter(({ name, pid, tid, ph }) => name === "RunTask" && ph === "X" && pid === thread.pid && tid === thread.tid);
  if (tasks.length === 0) throw new Error("the trace has no tasks");
  let most = 0;
  // A task's own processor time, where the trace has it, leaves out the time that other programs took from it.
  for (const { ts, dur, tdur = dur } of tasks) for (const { from, to } of spans) most = Math.max(most, Math.min(tdur, Math.min(to, ts + dur) - Math.max(from, ts)));
  return most / 1000;
}

/** Runs a measurement of pages/measures.js once, traced. */
export async function longestTask(room, { of, options }, browser) {
  await browser.startTracing(room.page, { categories });
  let trace;
  try {
    await room.measure("trace", true);
    await room.measure(of, options);
    await room.measure("trace", false);
  } finally {
    trace = await browser.stopTracing();
  }
  const most = longest(JSON.parse(trace).traceEvents);
  return { figures: [most], mean: most };
}
