// Every carrier against its bare floor: what our client and server add to a worker's port, to a WebSocket and to a
// POST. The port within one page is in echo.mjs. The goals of the port to a worker are not met yet.

const titles = { worker: "a port to a worker", socket: "a WebSocket on loopback", http: "a POST on loopback" };
const protocols = { worker: ["auto", "2025-11-25"], socket: ["auto", "2025-11-25"], http: ["auto"] };

/** Calls in a batch, and batches: a slice lasts some tens of milliseconds. */
const sizes = { worker: { batches: 10, batch: 50 }, socket: { batches: 4, batch: 20 }, http: { batches: 3, batch: 10 } };

const scenario = (carrier, payload, title) => {
  const options = { payload, ...sizes[carrier] };
  const own = protocols[carrier].map((protocol) => ({
    id: `modelport-${protocol}`,
    title: `Modelport over ${titles[carrier]}, ${protocol === "auto" ? "2026-07-28" : protocol}`,
    module: "modelport_wire",
    options: { carrier, protocol },
  }));
  return {
    name: `carrier-${carrier}-${payload}`,
    title: `Echo of ${title} over ${titles[carrier]}`,
    contestants: [{ id: "bare", title: `bare, over ${titles[carrier]}`, module: "bare_wire", options: { carrier }, floor: true }, ...own],
    warm: [{ how: "sequential", options: { ...options, limit: 400 } }],
    measures: [{ name: "sequential", title: "time a call", how: "sequential", slices: 4, options }],
    goals: carrier === "worker" ? own.map(({ id, title: name }) => ({
      name: `${name}, ${title}, calls a second`,
      measure: "sequential",
      stat: "mean",
      of: id,
      over: ["bare"],
      than: "the bare port",
      atLeast: 0.85,
      later: true,
    })) : [],
  };
};

export const scenarios = Object.keys(titles).flatMap((carrier) => [
  scenario(carrier, "text-100", "a 100 B string"),
  scenario(carrier, "text-10k", "a 10 kB string"),
  scenario(carrier, "records-10k", "10 kB of records"),
]);
