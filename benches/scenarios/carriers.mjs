// The carriers that leave the page or its thread, each against its bare floor. The port within one page is in
// echo.mjs, the browser's registry in registry.mjs.

import { pairs } from "./who.mjs";

const titles = { worker: "a port to a worker", frame: "a frame of the page", socket: "a WebSocket on loopback", http: "a POST on loopback" };

/** Calls in a batch, and batches: a slice lasts some tens of milliseconds. */
const sizes = { worker: { batches: 10, batch: 50 }, frame: { batches: 10, batch: 50 }, socket: { batches: 4, batch: 20 }, http: { batches: 3, batch: 10 } };

const floor = (carrier, title = `bare, over ${titles[carrier]}`) => ({ id: carrier, title, module: "bare_wire", options: { carrier }, floor: true });
const far = (place, names) => names.map((id) => ({ id, title: pairs[id].title, module: "pair_far", options: { ...pairs[id].options, place } }));
const wired = (carrier, protocols) =>
  protocols.map((protocol) => ({ id: `modelport-${protocol}`, title: `Modelport, ${protocol === "auto" ? "2026-07-28" : protocol}`, module: "modelport_wire", options: { carrier, protocol } }));

const port = (title) => [{ id: "modelport", title: `Modelport, ${title}`, module: "pair_far", options: { pair: "modelport", level: "port" } }];
const placed = (place, list) => list.map((each) => ({ ...each, options: { ...each.options, place } }));

const contestants = {
  worker: [floor("worker"), ...placed("worker", port("to a worker")), ...far("worker", ["sdk1", "sdk1-low", "sdk2", "sdk2-low", "comlink", "capnweb"])],
  frame: [
    floor("frame", "bare, over a port to the frame"),
    floor("window", "bare, window.postMessage within the page"),
    ...placed("frame", port("to a frame")),
    ...far("frame", ["sdk1", "sdk2", "comlink", "capnweb"]),
    { id: "mcpb", title: "MCP-B, its transport for frames", module: "pair_far", options: { pair: "mcpb", place: "frame" } },
  ],
  socket: [
    floor("socket"),
    ...wired("socket", ["auto", "2025-11-25"]),
    { id: "sdk1", title: "SDK 1.x, its client at Modelport's server", module: "pair_socket", options: pairs.sdk1.options },
  ],
  http: [floor("http"), ...wired("http", ["auto"])],
};

const absent = {
  worker: ["MCP-B: has no transport for workers."],
  frame: [],
  socket: ["SDK 2.x: has no WebSocket any more. MCP-B: has none."],
  http: ["The SDKs' clients: a server written by hand answers here, which knows no sessions."],
};

const inFlight = { worker: 1000, frame: 1000, socket: 400, http: 200 };

const scenario = (carrier, payload, title) => {
  const isLarge = payload.endsWith("1m");
  const options = { payload, ...(isLarge ? { batches: 3, batch: 1 } : sizes[carrier]) };
  const isMany = payload === "text-100";
  return {
    name: `carrier-${carrier}-${payload}`,
    title: `Echo of ${title} over ${titles[carrier]}`,
    contestants: contestants[carrier],
    absent: absent[carrier],
    warm: [{ how: "sequential", options: { ...options, batches: isLarge ? 4 : 20, limit: 300 } }],
    measures: [
      { name: "sequential", title: "time a call, one after the other", how: "sequential", slices: isLarge ? 2 : 3, options },
      ...(isMany ? [{ name: "in-flight", title: "time a call, 100 in flight", how: "inFlight", slices: 2, options: { payload, lanes: 100, calls: inFlight[carrier] } }] : []),
    ],
    rounds: isLarge ? 3 : undefined,
    goals: [],
  };
};

export const scenarios = Object.keys(titles).flatMap((carrier) => [
  scenario(carrier, "text-100", "a 100 B string"),
  scenario(carrier, "text-10k", "a 10 kB string"),
  scenario(carrier, "text-1m", "a 1 MB string"),
  scenario(carrier, "records-10k", "10 kB of records"),
  scenario(carrier, "records-1m", "1 MB of records"),
]);
