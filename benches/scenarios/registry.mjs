// A thousand tools into the browser's registry and out again, in a fresh page each time; a call of a
// tool that somebody else registered; and what the thousand leave in memory.

const count = 1000;

const registrars = [
  { id: "by-hand", title: "registerTool in parallel, a signal each", module: "bare_registry", options: { signals: true, count }, floor: true },
  { id: "no-signal", title: "registerTool in parallel, no signal", module: "bare_registry", options: { signals: false, count }, floor: true },
  { id: "modelport", title: "Modelport, bridge.publish", module: "modelport_registry", options: { count } },
];

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

export const scenarios = [
  {
    name: "publish",
    title: "1,000 tools to the browser's registry",
    sets: 2,
    contestants: registrars,
    measures: [
      step("prepare", { hidden: true }),
      step("fill", { title: "time to add 1,000 tools to a ToolManager", without: ["by-hand", "no-signal"] }),
      step("publish", { title: "time until all 1,000 are registered" }),
      step("release", { title: "time until all 1,000 are released", without: ["no-signal"] }),
    ],
    goals: [
      { name: "publish 1,000", measure: "publish", of: "modelport", over: ["by-hand"], than: "by hand with signals", atMost: 1.3 },
      { name: "publish 1,000, second goal", measure: "publish", of: "modelport", over: ["by-hand"], than: "by hand with signals", atMost: 1.15 },
      { name: "publish 1,000, later goal", measure: "publish", of: "modelport", over: ["by-hand"], than: "by hand with signals", atMost: 1.1, later: true },
      { name: "publish 1,000, cheapest", measure: "publish", of: "modelport", over: ["by-hand", "no-signal"], than: "the cheaper way by hand", atMost: 1.1, later: true },
      { name: "release 1,000", measure: "release", of: "modelport", over: ["by-hand"], than: "by hand", atMost: 1.3, later: true },
    ],
  },
  {
    name: "add",
    title: "One more tool, and one less again, until both are done",
    contestants: later,
    warm: [{ how: "sequential", options: { payload: "text-100", batches: 3, batch: 10 } }],
    measures: [{ name: "add", title: "time of both", how: "sequential", slices: 3, options: { payload: "text-100", batches: 6, batch: 10 } }],
    goals: [{ name: "add at 5,000 tools", measure: "add", of: "modelport-5000", over: ["modelport-10"], than: "at 10 tools; by hand it grows too", atMost: 1.5 }],
  },
  {
    name: "adopted",
    title: "A call of a tool that somebody else registered, 100 B",
    contestants: [
      { id: "execute", title: "bare executeTool", module: "bare_execute", floor: true },
      { id: "adopted", title: "Modelport, adopted tool", module: "modelport_adopted" },
    ],
    warm: [{ how: "sequential", options: { payload: "text-100", batches: 20, batch: 20 } }],
    measures: [{ name: "call", title: "time a call", how: "sequential", slices: 4, options: { payload: "text-100", batches: 15, batch: 20 } }],
    goals: [{ name: "adopted call 100 B", measure: "call", of: "adopted", over: ["execute"], than: "bare executeTool", atMost: 1.15, later: true }],
  },
  {
    name: "heap",
    title: "Memory that 1,000 published tools hold",
    contestants: registrars.map((contestant) => ({ ...contestant })),
    measures: [
      { name: "heap", title: "growth of the heap", unit: "bytes", how: "heap", steps: ["prepare", "publish", "forget"], without: ["modelport"] },
      { name: "heap", title: "growth of the heap", unit: "bytes", how: "heap", steps: ["prepare", "fill", "publish", "forget"], without: ["by-hand", "no-signal"] },
    ],
    goals: [{ name: "heap of 1,000 tools", measure: "heap", of: "modelport", over: ["by-hand"], than: "more than by hand", atMostMore: 1.5e6 }],
  },
];
