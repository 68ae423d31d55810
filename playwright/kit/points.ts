// The points of a call's life at which the chaos tests kill the other side, and the two parts that are
// played up to such a point: either may be the one that dies, or the one that is left.

import type * as Library from "../../dist/index.js";
import type { Client, ProtocolVersion, Transport } from "../../dist/index.js";

export type Lib = typeof Library;

/** Each with the word at which it is reached; whoever reaches it says so. */
export const POINTS = {
  "hello sent": "hello",
  "port handed over": "handed",
  "opening request sent": "opening",
  "idle, with a subscription": "listening",
  "call posted": "posted",
  "handler running": "begun",
  "between two progress notices": "stepped",
  "question not answered": "asked",
  "answer under way": "answering",
  "large result under way": "begun",
  "cancelled, not confirmed": "cancelled",
  "closing": "listening",
} as const;

export type Point = keyof typeof POINTS;
export type Say = (word: string) => void;

/** What a promise came to: a code, or else `value` or the error's message. */
export type Settled = { as: string; at: number };

export const settling = (work: Promise<unknown>): Promise<Settled> =>
  work.then(() => "value", (error) => String(error?.code || error?.message || error)).then((as) => ({ as, at: performance.now() }));

const LARGE = 4_000_000;

/** What the server's part offers. */
export const equipment = (lib: Lib, say: Say) =>
  new lib.ToolManager([
    { name: "echo", execute: (args) => args },
    {
      name: "wait",
      execute: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => (say("aborted"), reject(signal.reason)));
          say("begun");
        }),
    },
    {
      name: "steps",
      async execute(_, { signal, progress }) {
        signal.addEventListener("abort", () => say("aborted"));
        say("begun");
        for (let step = 1; !signal.aborted; step++) {
          progress({ progress: step });
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      },
    },
    {
      name: "asks",
      async execute(_, { signal, elicit }) {
        signal.addEventListener("abort", () => say("aborted"));
        say("begun");
        const { action } = await elicit({ message: "?", requestedSchema: { type: "object", properties: {} } }).catch((thrown) => (say("unanswered"), Promise.reject(thrown)));
        say("answered");
        return action;
      },
    },
    { name: "big", execute: () => (say("begun"), "x".repeat(LARGE)) },
    {
      name: "deaf",
      execute: (_, { signal }) => {
        signal.addEventListener("abort", () => say("aborted"));
        say("begun");
        return new Promise(() => {});
      },
    },
  ]);

/** A server with a resource to subscribe to. */
export const serverOf = (lib: Lib, say: Say) => new lib.Server({ tools: equipment(lib, say), resources: [{ uri: "box://seats", name: "Seats", read: () => "none" }] });

export interface Driven {
  client: Client;
  /** All that waits for the other side, by what it is. */
  pending: Record<string, Promise<Settled>>;
  /** How often the client said that it is closed. */
  closes: number;
}

/** The client's part, which goes as far as the point. */
export function drive(lib: Lib, point: Point, protocol: ProtocolVersion, say: Say, transport: () => Transport, more: object = {}): Driven {
  const client = new lib.Client({
    protocol,
    elicit: (_, { signal }) => {
      signal.addEventListener("abort", () => say("unasked"));
      say("asked");
      if (point !== "answer under way") return new Promise(() => {});
      // By then the answer has been sent.
      setTimeout(() => say("answering"));
      return { action: "decline" };
    },
    ...more,
  });
  const driven: Driven = { client, pending: {}, closes: 0 };
  client.addEventListener("close", () => driven.closes++);
  const { pending } = driven;
  const connecting = client.connect(transport());
  pending["connect"] = settling(connecting);
  say("opening");
  const call = (name: string, options: object = {}) => (pending["call"] = settling(client.callTool(name, {}, { timeout: 0, ...options })));
  const go = async () => {
    await connecting;
    const stop = new AbortController();
    switch (point) {
      case "call posted":
        call("wait");
        return say("posted");
      case "handler running":
        return call("wait");
      case "between two progress notices":
        return call("steps", { progress: ({ progress }: { progress: number }) => progress === 2 && say("stepped") });
      case "question not answered":
      case "answer under way":
        return call("asks");
      case "large result under way":
        return call("big");
      case "cancelled, not confirmed":
        call("deaf", { signal: stop.signal });
        // Whoever is told the rest is told by the tool; here only that it has been sent.
        await new Promise((resolve) => setTimeout(resolve, 20));
        stop.abort(new Error("enough"));
        return say("cancelled");
      case "idle, with a subscription":
      case "closing": {
        const notices = client.listen({ resourceSubscriptions: ["box://seats"] });
        pending["notice"] = settling(notices.next());
        await notices.granted;
        return say("listening");
      }
      default:
    }
  };
  go().catch(() => {});
  return driven;
}
