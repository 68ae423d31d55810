// `liveObjects()`: what this copy of Modelport holds at this moment, for tests and hunts for leaks. What
// it holds of the page is counted in src/web/live.js, for the wasm's glue and for the files here alike.

import { live, timers } from "./generated/live.js";
import { held } from "./load.js";

/** Connected clients: whoever awaits an answer may have kept nothing but the promise. */
export const clients = new Set<{ readonly pending: number }>();

/** Servers with open sessions: a peer must be answered even if the page kept no reference. */
export const servers = new Set<{ readonly sessions: number }>();

/** Everything but `objects` and `memory` is back at nought as soon as all is closed. */
export interface LiveObjects {
  /** Clients that are connected, or about to be. */
  clients: number;
  /** Sessions open at servers. */
  sessions: number;
  /** Calls of those clients that wait for an answer. */
  calls: number;
  /** Tools and other handlers that have not ended. */
  runs: number;
  /** Ports, workers and other people's transports in use. */
  ports: number;
  /** WebSockets. */
  sockets: number;
  /** HTTP exchanges and streams. */
  requests: number;
  /** Listeners on anything: ports, signals, windows. */
  listeners: number;
  /** Timers that have neither rung nor been cleared. */
  timers: number;
  /** Web Locks that are held, waited for or to be given back. */
  locks: number;
  /** Connections, servers and sessions in the wasm's memory: those that are over, too, until their memory is given back, and one connection that stands for all that are over. */
  objects: number;
  /** Bytes of the wasm's memory, which can grow and never shrinks. */
  memory: number;
}

const sum = <Item>(items: Iterable<Item>, of: (item: Item) => number) => [...items].reduce((total, item) => total + of(item), 0);

/** What this copy of Modelport holds at this moment. May be called before `ready()`. */
export function liveObjects(): LiveObjects {
  const [objects, runs, memory] = held() as [number, number, number];
  return {
    clients: clients.size,
    sessions: sum(servers, ({ sessions }) => sessions),
    calls: sum(clients, ({ pending }) => pending),
    runs,
    ...live,
    timers: timers.size,
    objects,
    memory,
  };
}
