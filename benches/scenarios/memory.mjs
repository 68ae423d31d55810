// What tools and calls leave in memory, after collections that are forced.

import { entrants } from "./who.mjs";

const count = 1000;
const bytes = (steps, more) => ({ name: "heap", title: "growth of the heap", unit: "bytes", how: "heap", steps, ...more });

const registrars = [
  { id: "by-hand", title: "registerTool by hand, a signal each", module: "bare_registry", options: { signals: true, count }, floor: true },
  { id: "modelport", title: "Modelport, published to the registry", module: "modelport_registry", options: { count } },
  { id: "polyfill", title: "MCP-B, polyfill alone", module: "mcpb_registry", options: { level: "polyfill", count, atOnce: true } },
];
const servers = ["modelport", "modelport-posted", "sdk1", "sdk1-low", "sdk2", "sdk2-json", "sdk2-low", "mcpb-tab"];

export const scenarios = [
  {
    name: "heap-registry",
    title: "Memory that 1,000 published tools hold",
    contestants: registrars,
    measures: [bytes(["prepare", "fill", "publish", "forget"], { only: ["modelport"] }), bytes(["prepare", "publish", "forget"], { only: ["by-hand", "polyfill"] })],
    goals: [{ row: true, name: "heap, 1,000 published", measure: "heap", of: "modelport", over: ["by-hand"], than: "more than by hand", atMostMore: 1.5e6 }],
  },
  {
    name: "heap-server",
    title: "Memory that a server of 1,000 tools and its client hold, once they have been listed",
    contestants: entrants("pair_memory", servers, { count }),
    measures: [bytes(["fill", "list"])],
    goals: [
      { row: true, name: "heap, 1,000 served", measure: "heap", of: "modelport", over: ["sdk1"], than: "SDK 1.x", atMost: 0.1 },
      { row: true, name: "heap, 1,000 served", measure: "heap", of: "modelport", over: ["sdk2"], than: "SDK 2.x", atMost: 0.1 },
    ],
  },
  {
    name: "heap-calls",
    title: "Memory that 10,000 calls leave",
    contestants: entrants("pair_memory", servers, { count: 1 }),
    warm: [{ how: "once", options: { step: "fill" } }],
    measures: [bytes(["calls"])],
    goals: [],
  },
];
