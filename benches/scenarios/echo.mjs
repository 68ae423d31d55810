// A call of a tool that returns its argument: page client, page server, handler and back, against the
// same payload on a bare MessageChannel.

const floors = [
  { id: "clone", title: "bare MessageChannel, structured clone", module: "bare_port", options: { form: "clone" }, floor: true },
  { id: "text", title: "bare MessageChannel, JSON text", module: "bare_port", options: { form: "text" }, floor: true },
];

const eras = ["2026-07-28", "2025-11-25"];
const byHand = ["clone", "text"].map((form) => ({
  id: `by-hand-${form}`,
  title: `MCP ${eras[0]} by hand, unchecked, as ${form}`,
  module: "mcp_port",
  options: { era: eras[0], form },
}));
const own = (handler) =>
  eras.map((era) => ({
    id: `modelport-${era}`,
    title: `Modelport, ${era}`,
    module: "modelport_echo",
    options: { protocol: era === "2026-07-28" ? "auto" : era, handler },
  }));

/**
 * The same between the two ports of a MessageChannel. Both ends are in one page here, and find out; with an option
 * of their own they post all the same, as between a page and a frame. That is shown beside; carriers.mjs has threads.
 */
const overPort = (handler) =>
  ["port", "posted"].flatMap((carrier) =>
    eras.map((era) => ({
      id: `modelport-${carrier}-${era}`,
      title: `Modelport over a MessagePort${carrier === "posted" ? ", made to post" : ""}, ${era}`,
      module: "modelport_echo",
      options: { protocol: era === "2026-07-28" ? "auto" : era, handler, carrier },
    })),
  );

const contestants = (handler) => [...floors, ...byHand, ...own(handler), ...overPort(handler)];

/**
 * How much to do at a time: a slice lasts some ten milliseconds, a batch some hundred steps of the clock. Large
 * payloads get fewer slices, for they take the longest.
 */
const sizes = {
  "text-100": { title: "100 B string", batches: 20, batch: 50, warm: 50, slices: 4, lanes: 2000 },
  "text-10k": { title: "10 kB string", batches: 20, batch: 50, warm: 20, slices: 3, lanes: 1500 },
  "text-1m": { title: "1 MB string", batches: 12, batch: 1, warm: 25, slices: 3 },
  "records-10k": { title: "10 kB of records", batches: 15, batch: 10, warm: 30, slices: 3, lanes: 400 },
  "records-1m": { title: "1 MB of records", batches: 3, batch: 1, warm: 4, slices: 2 },
};

function goals(payload, title, bound, part) {
  const all = eras.map((era) => ({
    name: `echo ${title}, ${era}`,
    measure: "sequential",
    of: `modelport-${era}`,
    over: ["clone"],
    than: "the bare clone",
    atMost: bound,
    later: part !== 2,
  }));
  for (const era of eras) {
    all.push({
      name: `echo ${title}, ${era}, calls a second`,
      measure: "sequential",
      stat: "mean",
      of: `modelport-${era}`,
      over: ["clone", "text"],
      than: "the cheaper bare floor",
      atLeast: payload.endsWith("1m") ? 0.95 : 0.9,
      later: true,
    });
  }
  if (payload.endsWith("1m")) return all;
  for (const era of eras) {
    all.push({
      name: `echo ${title} over a MessagePort, ${era}, calls a second`,
      measure: "sequential",
      stat: "mean",
      of: `modelport-port-${era}`,
      over: ["clone", "text"],
      than: "the cheaper bare floor",
      atLeast: 0.85,
    });
  }
  return all;
}

const scenario = (payload, bound, part) => {
  const { title, batches, batch, warm, slices } = sizes[payload];
  return {
    name: `echo-${payload}`,
    title: `Echo of a ${title}, one call after the other`,
    contestants: contestants("result"),
    warm: [{ how: "sequential", options: { payload, batches: warm, batch, limit: 400 } }],
    measures: [{ name: "sequential", title: "time a call", how: "sequential", slices, options: { payload, batches, batch } }],
    goals: goals(payload, title, bound, part),
  };
};

const manyAtOnce = (payload) => {
  const { title, batch, warm, lanes: calls } = sizes[payload];
  return {
    name: `in-flight-${payload}`,
    title: `Echo of a ${title}, 100 in flight`,
    contestants: contestants("result"),
    warm: [{ how: "sequential", options: { payload, batches: warm, batch, limit: 400 } }],
    measures: [{ name: "in-flight", title: "time a call", how: "inFlight", slices: 5, options: { payload, lanes: 100, calls } }],
    goals: eras.map((era) => ({
      name: `100 in flight, ${title}, ${era}`,
      measure: "in-flight",
      of: `modelport-${era}`,
      over: ["clone", "text"],
      than: "the cheaper bare floor",
      atLeast: 0.9,
      later: true,
    })),
  };
};

/** MCP wants an object that a tool returns as text too, so that all peers can read it: it travels twice. */
const plainObject = {
  ...scenario("records-10k", 1.5, 6),
  name: "echo-object-10k",
  title: "Echo of 10 kB of records that the tool returns as a plain object, which MCP sends as text too",
  contestants: [...floors, ...own("object")],
  goals: [],
};

export const scenarios = [
  scenario("text-100", 1.5, 2),
  scenario("text-10k", 1.5, 6),
  scenario("text-1m", 1.2, 2),
  scenario("records-10k", 1.5, 6),
  scenario("records-1m", 1.2, 2),
  plainObject,
  manyAtOnce("text-100"),
];
