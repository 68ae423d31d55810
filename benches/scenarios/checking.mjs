// What it costs that a tool's arguments are checked: a whole call, and the validators by themselves.

import { entrants } from "./who.mjs";

const validators = (payload, peers) =>
  peers.map(([peer, title]) => ({ id: peer, title, module: "schema_check", options: { peer, payload }, ...(peer !== "modelport" && { floor: true }) }));

const small = { payload: "text-100", batches: 20, batch: 50 };

export const scenarios = [
  {
    name: "checked-call",
    title: "A call of a tool with ten properties, 100 B",
    contestants: [
      { ...entrants("pair_check", ["modelport"], { check: "off", checks: false })[0], id: "off", title: "Modelport, check off", floor: true },
      { ...entrants("pair_check", ["modelport"], { checks: true })[0], title: "Modelport, check on" },
      ...entrants("pair_check", ["modelport-posted", "sdk1", "sdk2", "sdk2-json", "mcpb-tab"], { checks: true }),
      ...entrants("pair_check", ["sdk1-low", "sdk2-low"], { checks: false }).map((each) => ({ ...each, title: `${each.title}, unchecked` })),
    ],
    warm: [{ how: "sequential", options: { ...small, batches: 50, limit: 250 } }],
    measures: [{ name: "call", title: "time a call", how: "sequential", slices: 4, options: small }],
    goals: [{ name: "checked call 100 B", measure: "call", of: "modelport", over: ["off"], than: "the same call unchecked", atMost: 1.25 }],
  },
  {
    name: "check-records",
    title: "Checking 10 kB of records",
    contestants: validators("records-10k", [["cfworker", "@cfworker/json-schema"], ["modelport", "Modelport"]]),
    warm: [{ how: "sequential", options: { payload: "records-10k", batches: 40, batch: 10, limit: 400 } }],
    measures: [{ name: "check", title: "time a check", how: "sequential", slices: 4, options: { payload: "records-10k", batches: 10, batch: 10 } }],
    goals: [{ row: true, name: "check 10 kB of records", measure: "check", of: "modelport", over: ["cfworker"], than: "@cfworker/json-schema", atLeast: 5 }],
  },
  {
    name: "check-properties",
    title: "Checking ten properties",
    contestants: validators("ten-properties", [["zod", "zod, which compiles itself"], ["cfworker", "@cfworker/json-schema"], ["modelport", "Modelport"]]),
    warm: [{ how: "sequential", options: { payload: "ten-properties", batches: 50, batch: 500, limit: 400 } }],
    measures: [{ name: "check", title: "time a check", how: "sequential", slices: 4, options: { payload: "ten-properties", batches: 20, batch: 500 } }],
    goals: [{ row: true, name: "check ten properties", measure: "check", of: "modelport", over: ["zod"], than: "zod", atMost: 2.5 }],
  },
];
