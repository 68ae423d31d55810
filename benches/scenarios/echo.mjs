// A call of a tool that returns its argument, over a port within one page, against the same payload on a bare
// MessageChannel, and everybody else's client and server over the same.

import { blocking, entrants, mcpb, peers, rpc } from "./who.mjs";

const floors = [
  { id: "clone", title: "bare MessageChannel, structured clone", module: "bare_port", options: { form: "clone" }, floor: true },
  { id: "text", title: "bare MessageChannel, JSON text", module: "bare_port", options: { form: "text" }, floor: true },
];

/** What the protocol itself costs: shown, but no floor. */
const byHand = ["clone", "text"].map((form) => ({
  id: `by-hand-${form}`,
  title: `MCP 2026-07-28 by hand, unchecked, as ${form}`,
  module: "mcp_port",
  options: { era: "2026-07-28", form },
}));

const own = ["modelport", "modelport-port", "modelport-posted", "modelport-2025", "modelport-rust"];

/**
 * How much to do at a time: a slice lasts some ten milliseconds, a batch some hundred steps of the clock. Large
 * payloads get fewer slices, for they take the longest.
 */
const sizes = {
  "text-100": { title: "a 100 B string", batches: 20, batch: 50, warm: 50, slices: 4, lanes: 2000 },
  "text-10k": { title: "a 10 kB string", batches: 20, batch: 50, warm: 20, slices: 3, lanes: 1500 },
  "text-1m": { title: "a 1 MB string", batches: 12, batch: 1, warm: 25, slices: 3, lanes: 100 },
  "records-10k": { title: "10 kB of records", batches: 15, batch: 10, warm: 30, slices: 3, lanes: 400 },
  "records-1m": { title: "1 MB of records", batches: 3, batch: 1, warm: 4, slices: 2, lanes: 100 },
};

const faster = (title, than, over, atLeast) => ({
  row: true,
  name: `echo ${title}`,
  measure: "sequential",
  stat: "mean",
  of: "modelport-port",
  over,
  than,
  atLeast,
});

const small = (title) => [
  faster(title, "the cheaper bare floor's speed", ["clone", "text"], 0.9),
  faster(title, "SDK 1.x", ["sdk1", "sdk1-text"], 2),
  faster(title, "SDK 2.x", ["sdk2", "sdk2-text"], 2.5),
  faster(title, "MCP-B", mcpb, 4),
];
const large = (title) => [faster(title, "the cheaper bare floor's speed", ["clone", "text"], 0.95)];

const goals = {
  "text-100": small("100 B"),
  "text-10k": small("10 kB"),
  "text-1m": large("1 MB string"),
  "records-10k": [],
  "records-1m": [...large("1 MB records"), faster("1 MB records", "the fastest peer", peers, 1)],
};

const warm = (payload) => [{ how: "sequential", options: { payload, batches: sizes[payload].warm, batch: sizes[payload].batch, limit: 250 } }];

/** Their way within one page, without a port and without copies: shown beside. */
const inMemory = ["sdk1-memory", "sdk2-memory"];

const contestants = [...floors, ...byHand, ...entrants("pair_echo", [...own, ...peers, ...inMemory])];

const scenario = (payload) => {
  const { title, batches, batch, slices } = sizes[payload];
  const options = { payload, batches, batch, limit: 100 };
  return {
    name: `echo-${payload}`,
    title: `Echo of ${title}, one call after the other`,
    contestants,
    warm: warm(payload),
    measures: [
      { name: "sequential", title: "time a call", how: "sequential", slices, options },
      blocking("sequential", options),
    ],
    goals: goals[payload],
  };
};

/** A hundred large ones take seconds, and the tool in Rust a minute: fewer rounds, without it, untraced. */
const manyAtOnce = (payload) => {
  const isLarge = payload.endsWith("1m");
  const options = { payload, lanes: 100, calls: sizes[payload].lanes };
  const names = ["modelport", "modelport-port", "modelport-posted", ...(isLarge ? [] : ["modelport-rust"]), "sdk1", "sdk2", "sdk2-json", ...mcpb, ...rpc];
  const timed = { name: "in-flight", title: "time a call", how: "inFlight", slices: isLarge ? 1 : 3, options };
  return {
    name: `in-flight-${payload}`,
    title: `Echo of ${sizes[payload].title}, 100 in flight`,
    contestants: [...floors, ...entrants("pair_echo", names)],
    warm: warm(payload),
    measures: isLarge ? [timed] : [timed, blocking("inFlight", options)],
    rounds: isLarge ? 2 : undefined,
    goals: [],
  };
};

/** MCP wants an object that a tool returns as text too, so that all peers can read it: it travels twice. */
const plainObject = {
  name: "echo-object-10k",
  title: "Echo of 10 kB of records that the tool returns as a plain object, which MCP sends as text too",
  contestants: [...floors, ...entrants("pair_echo", ["modelport", "modelport-posted"], { handler: "object" })],
  warm: warm("records-10k"),
  measures: [{ name: "sequential", title: "time a call", how: "sequential", slices: 3, options: { payload: "records-10k", batches: 15, batch: 10 } }],
  goals: [],
};

export const scenarios = [...Object.keys(sizes).map(scenario), plainObject, ...Object.keys(sizes).map(manyAtOnce)];
