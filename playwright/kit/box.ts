// A small server for every place a server can be in, and what a client makes of it there.

import type * as Library from "../../dist/index.js";
import type { Client, ClientOptions, ProtocolVersion, ToolManager } from "../../dist/index.js";
import { outcome, until } from "./kit.ts";

declare const lib: typeof Library;

const MEGABYTE = 1_000_000;

/** Tools that say what they have seen, so that a client can ask for it. */
export function boxTools(): ToolManager {
  const seen = { aborted: [] as unknown[], lengths: [] as number[], callers: 0, waiting: 0 };
  const tools: ToolManager = new lib.ToolManager([
    { name: "echo", execute: (args, { caller }) => ((seen.callers += Number(caller?.via === "session")), args) },
    { name: "fails", execute: () => { throw new Error("no"); } },
    { name: "steps", execute: (_, { progress }) => { for (const step of [1, 2, 3]) progress({ progress: step, total: 3 }); return "done"; } },
    {
      name: "waits",
      execute: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          seen.waiting++;
          signal.addEventListener("abort", () => (seen.aborted.push(String((signal.reason as Error)?.message ?? signal.reason)), reject(signal.reason)));
        }),
    },
    { name: "slow", execute: ({ ms }) => new Promise((resolve) => setTimeout(resolve, ms, "slept")) },
    { name: "big", execute: ({ text }) => (seen.lengths.push(text.length), { text: "y".repeat(text.length) }) },
    { name: "grow", execute: () => void tools.add({ name: `grown${tools.size}`, execute: () => 1 }) },
    { name: "seen", execute: () => ({ ...seen, here: globalThis.constructor.name }) },
  ]);
  return tools;
}

export type ServerPlace = "page" | "dedicated worker" | "SharedWorker" | "service worker" | "same-origin iframe" | "cross-origin iframe" | "sandboxed iframe" | "popup";

/** The way from this document to a server in such a place, made anew; each call gives a connection of its own. */
export interface Way {
  port(): Promise<MessagePort>;
  connect(client: ClientOptions): Promise<Client>;
}

export interface Addresses {
  /** A page that serves, on this origin and on another. */
  same: string;
  cross: string;
  /** One on this origin that is made for a sandbox. */
  sandboxed: string;
}

/** Puts an iframe into the document, which need not have loaded. */
export function addFrame(src: string, sandbox?: string): HTMLIFrameElement {
  const frame = document.createElement("iframe");
  if (sandbox !== undefined) frame.setAttribute("sandbox", sandbox);
  frame.src = src;
  return document.body.appendChild(frame);
}

export async function wayTo(place: ServerPlace, { same, cross, sandboxed }: Addresses): Promise<Way> {
  const script = "/bundles/host.js";
  const module = { type: "module" as const };
  const worker = (make: () => Parameters<typeof lib.connectToWorker>[0]): Way => ({ port: () => lib.portTo(make()), connect: (client) => lib.connectToWorker(make(), { client }) });
  const window = (target: HTMLIFrameElement | Window, origin: string): Way => ({
    port: () => lib.portTo(target, { origin }),
    connect: (client) => (target instanceof HTMLIFrameElement ? lib.connectToFrame(target, { origin, client }) : lib.connectToWindow(target, { origin, client })),
  });
  switch (place) {
    case "dedicated worker": {
      const made = new Worker(script, module);
      return worker(() => made);
    }
    case "SharedWorker":
      return worker(() => new SharedWorker(script, module));
    case "service worker": {
      const { installing, active } = await navigator.serviceWorker.register(script, module);
      return worker(() => (active ?? installing)!);
    }
    case "same-origin iframe":
      return window(addFrame(same), location.origin);
    case "cross-origin iframe":
      return window(addFrame(cross), new URL(cross).origin);
    case "sandboxed iframe":
      return window(addFrame(sandboxed, "allow-scripts"), "null");
    case "popup":
      return window(open(same, "_blank", "popup")!, location.origin);
    case "page":
      return { port: () => Promise.reject(new Error("only by its own client")), connect: (client) => lib.connectToParent({ origins: [new URL(cross).origin], client }) };
  }
}

/** Does with a connected client all that one does, and says what came of it and what the server saw. */
export async function drive(client: Client) {
  const stop = new AbortController();
  const steps: unknown[] = [];
  const before = await structured(client, "seen");
  const notices = client.listen({ toolsListChanged: true });
  const list = (await client.tools()).map(({ name }) => name);
  const results = {
    echo: (await client.callTool("echo", { a: [1, null, { b: "ä" }] })).structuredContent,
    fails: await client.callTool("fails"),
    steps: (await client.callTool("steps", {}, { progress: ({ progress }) => steps.push(progress) })).content,
    unknown: (await outcome(client.callTool("nobody"))).code,
  };
  const waiting = outcome(client.callTool("waits", {}, { signal: stop.signal }));
  while ((await structured(client, "seen")).waiting === before.waiting);
  stop.abort(new Error("enough"));
  const cancelled = (await waiting).message;
  const { text } = await structured(client, "big", { text: "x".repeat(MEGABYTE) });
  let heard: string | undefined;
  void (async () => {
    for await (const { method } of notices) if (method.endsWith("list_changed")) heard = method;
  })();
  await client.callTool("grow");
  await until(() => heard, "the notice of change");
  await notices.return?.();
  const grown = (await client.tools({ fresh: true })).length - list.length;
  const after = await structured(client, "seen");
  const seen = {
    here: after.here,
    aborted: after.aborted.slice(before.aborted.length),
    lengths: after.lengths.slice(before.lengths.length),
    callers: after.callers - before.callers,
  };
  const came = { protocol: client.protocol as ProtocolVersion, list: list.filter((name) => !name.startsWith("grown")), results, steps, cancelled, back: text.length, heard, grown, seen, pending: client.pending };
  await client.close();
  return came;
}

const structured = async (client: Client, name: string, args = {}): Promise<any> => (await client.callTool(name, args)).structuredContent;

/** Drives a client in a new worker: over a port, or over the worker's own channel (`self`), or to a worker in it (`nested`). */
export async function driveInWorker(way: MessagePort | "self" | "nested", protocol: ProtocolVersion, serve?: (worker: Worker) => void) {
  const worker = new Worker("/bundles/guest.js", { type: "module" });
  serve?.(worker);
  try {
    return await new Promise<any>((resolve, reject) => {
      worker.addEventListener("message", ({ data }) => {
        if (data.came) resolve(data.came);
        else if (data.thrown) reject(new Error(data.thrown));
      });
      worker.postMessage({ task: { way: typeof way === "string" ? way : "port", protocol } }, typeof way === "string" ? [] : [way]);
    });
  } finally {
    worker.terminate();
  }
}
