// How costs grow: with the number of tools, of sessions, and of calls that are under way. Each contestant is
// compared with itself at a smaller number, so that only growth is seen.

import { pairs } from "./who.mjs";

const options = { payload: "text-100", batches: 20, batch: 50, limit: 100 };
const warm = [{ how: "sequential", options: { ...options, batches: 50, limit: 250 } }];
const measures = [{ name: "call", title: "time a call", how: "sequential", slices: 3, options }];

const at = (names, numbers, what, option, module = "pair_echo") =>
  names.flatMap((name) => numbers.map((number) => ({ id: `${name}-${number}`, title: `${pairs[name].title}, ${number} ${what}`, module, options: { ...pairs[name].options, [option]: number } })));

const inFlight = [1, 10, 100, 1000];
const counts = [100, 1000, 5000];

const titleOf = (name, module) => (name === "by-hand" ? (module === "bare_list" ? "bare move of the text" : "by hand") : module === "modelport_registry" ? "Modelport, bridge.publish" : pairs[name].title);

const perCount = (name, module) => counts.map((count) => ({ id: `${name}-${count}`, title: `${titleOf(name, module)}, ${count} tools`, module, options: { ...pairs[name]?.options, count, ...(name === "by-hand" && (module === "bare_list" ? { form: "text" } : { signals: true })) } }));
const step = (name, more) => ({ name, how: "once", options: { step: name }, ...more });

const same = (name, of, over, than) => ({ row: true, name, measure: "call", of, over: [over], than, atMost: 1.15 });
/** Five times as many: linear is 5, and quadratic 25. */
const linear = (name, measure, of, over, more) => ({ row: true, name, measure, of, over: [over], than: "at 1,000 (linear is 5)", atMost: 6, ...more });
/**
 * A list of 5,000 is some 20 MB of new objects, which the collector takes back when it likes: even the bare move of the
 * text grows by 5 to 9 from run to run. The lower decile is the work without that.
 */
const listed = (name, of, over) => linear(name, "list", of, over, { stat: "p10" });

export const scenarios = [
  {
    name: "growth-tools",
    title: "A call of 100 B where few or many other tools lie",
    contestants: at(["modelport", "modelport-posted", "sdk1", "sdk2"], [10, 5000], "others", "others"),
    warm,
    measures,
    goals: [same("calls at 5,000 tools", "modelport-5000", "modelport-10", "at 10"), same("calls at 5,000 tools, posted", "modelport-posted-5000", "modelport-posted-10", "at 10")],
  },
  {
    name: "growth-sessions",
    title: "A call of 100 B where a server has one session or many",
    contestants: [1, 10, 100].map((sessions) => ({ id: `modelport-${sessions}`, title: `Modelport, ${sessions} sessions`, module: "modelport_sessions", options: { sessions } })),
    absent: ["SDK 1.x, SDK 2.x and MCP-B: a server there holds one connection; another session is another server."],
    warm,
    measures,
    goals: [same("calls at 100 sessions", "modelport-100", "modelport-1", "at 1")],
  },
  {
    name: "growth-in-flight",
    title: "A call of 100 B where few or many are under way",
    contestants: ["modelport-posted", "sdk1", "sdk2", "mcpb-tab"].map((id) => ({ id, title: pairs[id].title, module: "pair_echo", options: pairs[id].options })),
    warm,
    measures: inFlight.map((lanes) => ({ name: `in-flight-${lanes}`, title: `time a call, ${lanes} under way`, how: "inFlight", slices: 3, options: { payload: "text-100", lanes, calls: 2000 } })),
    goals: [],
  },
  {
    name: "growth-publish",
    title: "Publishing ever more tools",
    contestants: [...perCount("by-hand", "bare_registry"), ...perCount("modelport", "modelport_registry")],
    measures: [step("prepare", { hidden: true }), step("fill", { hidden: true, only: counts.map((count) => `modelport-${count}`) }), step("publish", { title: "time until all are registered" }), step("release", { title: "time until all are released" })],
    goals: [linear("publish 5,000", "publish", "modelport-5000", "modelport-1000"), linear("release 5,000", "release", "modelport-5000", "modelport-1000")],
  },
  {
    name: "growth-list",
    title: "Listing ever more tools",
    contestants: [...perCount("by-hand", "bare_list"), ...["modelport", "modelport-posted", "sdk1", "sdk2-json"].flatMap((name) => perCount(name, "pair_list"))],
    warm: [{ how: "listing", options: { times: 3 } }],
    measures: [{ name: "list", title: "time a list", how: "listing", slices: 5, options: { times: 2 } }],
    goals: [listed("list 5,000", "modelport-5000", "modelport-1000"), listed("list 5,000, posted", "modelport-posted-5000", "modelport-posted-1000")],
  },
];
