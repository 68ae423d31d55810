// Tools into the browser's registry, one of them changed, and all out again, in a fresh page each time; and a call of
// a tool that somebody else registered.

import { blocking } from "./who.mjs";

const registrars = (count) => [
  { id: "by-hand", title: "registerTool in parallel, a signal each", module: "bare_registry", options: { signals: true, count }, floor: true },
  { id: "modelport", title: "Modelport, bridge.publish", module: "modelport_registry", options: { count } },
  { id: "polyfill", title: "MCP-B, polyfill alone, one after the other", module: "mcpb_registry", options: { level: "polyfill", count } },
  { id: "polyfill-at-once", title: "MCP-B, polyfill alone, at once", module: "mcpb_registry", options: { level: "polyfill", count, atOnce: true } },
  { id: "global", title: "MCP-B, global, one after the other", module: "mcpb_registry", options: { level: "global", count } },
  { id: "global-at-once", title: "MCP-B, global, at once", module: "mcpb_registry", options: { level: "global", count, atOnce: true } },
];

/** Its cost grows with the square of the number: at 5,000 one round would take it some ten minutes. */
const tooSlow = { 1000: ["global-at-once"], 5000: ["global", "global-at-once"] };

/** One later tool, at few and at many that are registered already. */
const later = ["bare_add", "modelport_add"].flatMap((module) =>
  [10, 5000].map((many) => ({
    id: `${module === "bare_add" ? "by-hand" : "modelport"}-${many}`,
    title: `${module === "bare_add" ? "by hand" : "Modelport"}, ${many} tools there`,
    module,
    options: { count: many },
    ...(module === "bare_add" && { floor: true }),
  })),
);

const step = (name, more) => ({ name, how: "once", options: { step: name }, ...more });

const goals = [
  { row: true, name: "publish 1,000", measure: "publish", of: "modelport", over: ["by-hand"], than: "the browser's own, in parallel", atMost: 1.1 },
  { row: true, name: "publish 1,000", measure: "publish", of: "modelport", over: ["global"], than: "@mcp-b/global", atLeast: 100 },
];

const publishing = (count) => ({
  name: `publish-${count}`,
  title: `${count.toLocaleString("en")} tools to the browser's registry`,
  contestants: registrars(count).filter(({ id }) => !tooSlow[count]?.includes(id)),
  absent: (tooSlow[count] ?? []).map((id) => `${registrars(count).find((each) => each.id === id).title}: left out, as its time grows with the square of the number and one round would take minutes.`),
  measures: [
    step("prepare", { hidden: true }),
    step("fill", { title: "time to add them to a ToolManager", only: ["modelport"] }),
    step("publish", { title: "time until all are registered" }),
    step("change", { title: "time until one is changed" }),
    step("release", { title: "time until all are released" }),
  ],
  rounds: count === 5000 ? 2 : undefined,
  goals: count === 1000 ? goals : [],
});

const blockingPublish = (count) => ({
  name: `blocking-publish-${count}`,
  title: `The longest wait for the page while ${count.toLocaleString("en")} tools are published`,
  contestants: registrars(count).filter(({ id }) => (!id.startsWith("global") || count <= 100) && (id !== "polyfill" || count <= 1000)),
  measures: [
    step("prepare", { hidden: true }),
    step("fill", { hidden: true, only: ["modelport"] }),
    { ...blocking("once", { step: "publish" }), rounds: undefined },
  ],
  rounds: count === 1000 ? undefined : 2,
  goals:
    count === 1000
      ? [{ row: true, name: "longest task, publishing 1,000", measure: "blocking", of: "modelport", over: [], than: "", below: 50 }]
      : [],
});

/** Calls in a batch, and batches. */
const sizes = { "text-100": ["100 B", 20, 15], "text-10k": ["10 kB", 20, 10], "text-1m": ["1 MB", 1, 3] };

function adopted(payload) {
  const [title, batch, batches] = sizes[payload];
  const options = { payload, batches, batch };
  const isSmall = payload === "text-100";
  return {
    name: `adopted-${payload}`,
    title: `A call of a tool that somebody else registered, ${title}`,
    contestants: [
      { id: "execute", title: "bare executeTool", module: "bare_execute", floor: true },
      { id: "adopted", title: "Modelport, adopted tool", module: "modelport_adopted" },
      { id: "mcpb", title: "MCP-B, adopted by webmcp-ts-sdk", module: "mcpb_adopted", options: { patched: false }, mayLack: true },
      { id: "mcpb-patched", title: "MCP-B, patched to pass an object", module: "mcpb_adopted", options: { patched: true } },
    ],
    warm: [{ how: "sequential", options: { payload, batches: 20, batch, limit: 300 } }],
    measures: [
      { name: "call", title: "time a call, one after the other", how: "sequential", slices: 4, options },
      ...(isSmall ? [{ name: "in-flight", title: "time a call, 100 in flight", how: "inFlight", slices: 2, options: { payload, lanes: 100, calls: 400 } }, blocking("sequential", options)] : []),
    ],
    goals: isSmall ? [{ row: true, name: "adopted call 100 B", measure: "call", of: "adopted", over: ["execute"], than: "bare executeTool", atMost: 1.15 }] : [],
  };
}

export const scenarios = [
  ...[10, 100, 1000, 5000].map(publishing),
  ...[100, 1000, 5000].map(blockingPublish),
  {
    name: "add",
    title: "One more tool, and one less again, until both are done",
    contestants: later,
    warm: [{ how: "sequential", options: { payload: "text-100", batches: 3, batch: 10 } }],
    measures: [{ name: "add", title: "time of both", how: "sequential", slices: 3, options: { payload: "text-100", batches: 6, batch: 10 } }],
    goals: [{ name: "add at 5,000 tools", measure: "add", of: "modelport-5000", over: ["modelport-10"], than: "at 10 tools; by hand it grows too", atMost: 1.5 }],
  },
  ...["text-100", "text-10k", "text-1m"].map(adopted),
];
