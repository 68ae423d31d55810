// What it costs that a tool's arguments are checked: a whole call, and the validator beside others.

const validators = (payload, peers) =>
  peers.map(([peer, title]) => ({ id: peer, title, module: "schema_check", options: { peer, payload }, ...(peer !== "modelport" && { floor: true }) }));

const small = { payload: "text-100", batches: 20, batch: 50 };

export const scenarios = [
  {
    name: "checked-call",
    title: "A call of a tool with ten properties, 100 B, checked and unchecked",
    contestants: ["off", "on"].map((check) => ({ id: check, title: `Modelport, check ${check}`, module: "modelport_checked", options: { check }, ...(check === "off" && { floor: true }) })),
    warm: [{ how: "sequential", options: { ...small, batches: 50, limit: 400 } }],
    measures: [{ name: "call", title: "time a call", how: "sequential", slices: 4, options: small }],
    goals: [{ name: "checked call 100 B", measure: "call", of: "on", over: ["off"], than: "the same call unchecked", atMost: 1.25 }],
  },
  {
    name: "check-records",
    title: "Checking 10 kB of records",
    contestants: validators("records-10k", [["cfworker", "@cfworker/json-schema"], ["modelport", "Modelport"]]),
    warm: [{ how: "sequential", options: { payload: "records-10k", batches: 40, batch: 10, limit: 400 } }],
    measures: [{ name: "check", title: "time a check", how: "sequential", slices: 4, options: { payload: "records-10k", batches: 10, batch: 10 } }],
    goals: [{ name: "check 10 kB of records", measure: "check", of: "modelport", over: ["cfworker"], than: "@cfworker/json-schema", atMost: 0.2 }],
  },
  {
    name: "check-properties",
    title: "Checking ten properties",
    contestants: validators("ten-properties", [["zod", "zod, which compiles itself"], ["modelport", "Modelport"]]),
    warm: [{ how: "sequential", options: { payload: "ten-properties", batches: 50, batch: 500, limit: 400 } }],
    measures: [{ name: "check", title: "time a check", how: "sequential", slices: 4, options: { payload: "ten-properties", batches: 20, batch: 500 } }],
    goals: [{ name: "check ten properties", measure: "check", of: "modelport", over: ["zod"], than: "zod", atMost: 2.5, later: true }],
  },
];
