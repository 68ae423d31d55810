// What runs beside the answer: ten thousand notices of progress, and a cancellation.

import { blocking, entrants, mcpb, officials, rpc } from "./who.mjs";

const notices = 10_000;
const own = ["modelport", "modelport-posted"];
const once = { payload: "text-100", batches: 1, batch: 1 };

export const scenarios = [
  {
    name: "progress",
    title: "A call that reports its progress 10,000 times",
    contestants: [
      ...["clone", "text"].map((form) => ({ id: form, title: `10,000 messages on a bare MessageChannel, as ${form}`, module: "bare_stream", options: { notices, form }, floor: true })),
      ...entrants("pair_progress", [...own, ...officials], { notices }),
      ...entrants("pair_progress", [...mcpb, ...rpc], { notices }, { mayLack: true }),
    ],
    warm: [{ how: "sequential", options: once }],
    measures: [
      { name: "stream", title: "time a call", how: "sequential", slices: 2, options: once },
      blocking("sequential", once),
    ],
    goals: [],
  },
  {
    name: "cancel",
    title: "From a caller's abort() to the tool's signal",
    contestants: [
      { id: "port", title: "one message on a bare MessageChannel", module: "bare_cancel", floor: true },
      ...entrants("pair_cancel", [...own, ...officials]),
      ...entrants("pair_cancel", [...mcpb, ...rpc], {}, { mayLack: true }),
    ],
    warm: [{ how: "timed", options: { batches: 10, batch: 20 } }],
    measures: [{ name: "cancel", title: "latency", how: "timed", slices: 3, options: { batches: 8, batch: 20 } }],
    goals: [],
  },
];
