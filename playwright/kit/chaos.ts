// One cell of the chaos tests: a victim in a place of its own is brought to a point of a call's life and
// killed, and what is left of the conversation in this page is judged. What it gives are the complaints.

import type * as Library from "../../dist/index.js";
import type { ProtocolVersion, Transport } from "../../dist/index.js";
import { addFrame } from "./box.ts";
import { outcome, until } from "./kit.ts";
import { drive, equipment, POINTS, serverOf, settling, type Point, type Settled } from "./points.ts";
import type { Order } from "./victim.ts";

declare const lib: typeof Library;

/** Milliseconds in which whoever is left must have come to rest. */
const SOON = 1_000;
/** Milliseconds a hello is said by whoever is left, as nobody can tell that it will not be answered. */
const HELLO = 700;

/** How many cells are at work at once. */
const TOGETHER = 4;

export interface Cell {
  dies: "server" | "client";
  point: Point;
  protocol: ProtocolVersion;
  /** Where the victim is, and how it is killed. */
  place: "socket" | "worker" | "frame" | "cross-origin frame" | "sandboxed frame";
  way: "terminate" | "remove" | "navigate" | "drop" | NonNullable<Order["die"]>;
  /** The addresses of frames. */
  pages: { same: string; cross: string; sandboxed: string; blank: string };
  /** The address of sockets, whose other end is this page's test. */
  url?: string;
}

interface Victim {
  target: Worker | HTMLIFrameElement;
  /** Tells it its part and gives it one end of a carrier; what comes back makes the other end. */
  meet(order: Order): Promise<() => Transport>;
  kill(): unknown;
  bury(): void;
}

/** Over sockets: a connection of its own says which way to die, and hears the victim's words; what it is to do stands in the address. */
function victimBehindSocket({ way, url }: Cell, say: (word: string) => void): Victim {
  const id = Math.random();
  const control = new WebSocket(`${url}?${id}`, "mcp");
  control.onopen = () => say("here");
  control.onmessage = ({ data }) => say(JSON.parse(data));
  return {
    target: undefined as never,
    kill: () => control.send(JSON.stringify(way)),
    bury: () => control.close(),
    meet: async (told) => () => new lib.WebSocketTransport(`${url}?${id}&${encodeURIComponent(JSON.stringify(told))}`),
  };
}

/** Makes a victim, which says so once it listens. `say` hears its words. */
function makeVictim(given: Cell, say: (word: string) => void): Victim {
  const { place, way, pages } = given;
  if (place === "socket") return victimBehindSocket(given, say);
  const heard = ({ data, source }: any) => {
    if (data?.said && source === (place === "worker" ? null : (target as HTMLIFrameElement).contentWindow)) say(data.said);
  };
  const [page, sandbox] = { worker: [""], frame: [pages.same], "cross-origin frame": [pages.cross], "sandboxed frame": [pages.sandboxed, "allow-scripts"] }[place] as [string, string?];
  const target = place === "worker" ? new Worker("/bundles/victim.js", { type: "module" }) : addFrame(page, sandbox);
  const from = target instanceof Worker ? target : window;
  from.addEventListener("message", heard);
  const order = (order: Order, port?: MessagePort) => {
    const transfer = port ? [port] : [];
    if (target instanceof Worker) target.postMessage(order, transfer);
    else target.contentWindow!.postMessage(order, "*", transfer);
  };
  const kill = () => {
    if (way === "terminate") (target as Worker).terminate();
    else if (way === "remove") (target as HTMLIFrameElement).remove();
    else if (way === "navigate") (target as HTMLIFrameElement).src = pages.blank;
    else order({ die: way as NonNullable<Order["die"]> });
  };
  const bury = () => {
    from.removeEventListener("message", heard);
    if (target instanceof Worker) target.terminate();
    else target.remove();
  };
  const meet = async (told: Order) => {
    const { port1, port2 } = new MessageChannel();
    order(told, port2);
    // Whom no lock gives away is asked.
    return () => new lib.MessagePortTransport(port1, /raw|freeze/.test(way) ? { heartbeat: 200 } : undefined);
  };
  return { target, meet, kill, bury };
}

/** Calls a tool as the next peer of that server. */
async function nextPeer(server: Library.Server): Promise<unknown> {
  const { port1, port2 } = new MessageChannel();
  const before = server.sessions;
  await server.connect(new lib.MessagePortTransport(port1));
  const client = new lib.Client();
  await client.connect(new lib.MessagePortTransport(port2));
  const { structuredContent } = await client.callTool("echo", { a: 1 });
  await client.close();
  await until(() => server.sessions === before, "the next peer's session ends", SOON);
  return structuredContent;
}

/** What those that wait may come to. */
function fitting(point: Point, what: string): RegExp {
  // Who has not heard a word yet cannot tell that none will come, but has a deadline.
  if (point === "hello sent") return /^timeout$/;
  if (isSilent(point)) return /^(value|closed|timeout)$/;
  if (what === "connect") return /^(value|closed)$/;
  if (what === "notice") return /^(value|closed)$/;
  if (point === "cancelled, not confirmed") return /^enough$/;
  // Which of the two was first is nobody's to say.
  if (point === "large result under way" || point === "answer under way") return /^(value|closed)$/;
  return /^closed$/;
}

/** Whether the victim has said nothing yet that would let it be known. */
const isSilent = (point: Point) => ["hello sent", "port handed over", "opening request sent"].includes(point);

/** Everything that is left somewhere, but for what is left on purpose. */
export const leftovers = () => Object.entries(lib.liveObjects()).filter(([name, count]) => count && name !== "objects" && name !== "memory");

/** Plays the cells, a few at once; gives the complaints of those that have any. */
export async function cells(given: Cell[]): Promise<Record<string, string[]>> {
  const wrong: Record<string, string[]> = {};
  for (let first = 0; first < given.length; first += TOGETHER) {
    const some = given.slice(first, first + TOGETHER);
    const names = some.map(({ protocol, point }) => `${protocol}, ${point}`);
    const found = await Promise.all(some.map(cell));
    for (const [place, complaints] of found.entries()) if (complaints.length) wrong[names[place]!] = complaints;
    const limit = performance.now() + SOON;
    while (leftovers().length && performance.now() < limit) await new Promise((resolve) => setTimeout(resolve, 5));
    if (leftovers().length) wrong[`left by one of: ${names.join("; ")}`] = [`${leftovers()}`];
  }
  return wrong;
}

async function cell(given: Cell): Promise<string[]> {
  const { dies, point, protocol, way } = given;
  const complaints: string[] = [];
  const words: string[] = [];
  const said = (word: string) => words.includes(word);
  const say = (word: string) => void words.push(word);
  const must = async (condition: () => unknown, what: string) => {
    await until(() => condition() || false, what, SOON).catch((error) => complaints.push(error.message));
  };
  const origin = given.place === "sandboxed frame" ? "null" : new URL(given.place === "cross-origin frame" ? given.pages.cross : location.href).origin;
  const victim = makeVictim(given, say);
  let killed = Infinity;
  const ends: (() => unknown)[] = [];
  let dead: unknown;
  const kill = () => {
    dead = victim.kill();
    killed = performance.now();
  };
  const reached = () => until(() => said(POINTS[point]), `"${POINTS[point]}"`);
  const settle = async (pending: Record<string, Promise<Settled>>) => {
    await dead;
    killed = performance.now();
    for (const [what, promise] of Object.entries(pending)) {
      const left = new Promise<undefined>((resolve) => setTimeout(resolve, killed + SOON - performance.now()));
      const settled = await Promise.race([promise, left]);
      if (!settled) complaints.push(`${what} does not settle`);
      else if (!fitting(point, what).test(settled.as)) complaints.push(`${what} settles with ${settled.as}`);
    }
  };
  try {
    await until(() => said("here"), "the victim");
    if (dies === "server") await clientIsLeft();
    else await serverIsLeft();
  } catch (error) {
    complaints.push(`the test: ${(error as Error).message}; said: ${words}`);
  } finally {
    victim.bury();
    // What a cell that failed leaves behind shall not be held against the others.
    if (complaints.length) for (const tidy of ends) await tidy();
  }
  return complaints;

  async function clientIsLeft() {
    const standby = serverOf(lib, () => {});
    if (point === "hello sent") {
      const { target } = victim;
      const options = { timeout: HELLO, client: { protocol } };
      const connect = settling(target instanceof Worker ? lib.connectToWorker(target, options) : lib.connectToFrame(target, { origin, ...options }));
      await reached();
      kill();
      await settle({ connect });
    } else {
      const holds = way !== "goodbye" && (point === "port handed over" || point === "opening request sent");
      const transport = await victim.meet({ role: "server", holds });
      if (given.place !== "socket") await until(() => said("handed"));
      if (point === "port handed over") kill();
      const driven = drive(lib, point, protocol, say, transport, isSilent(point) ? { timeout: HELLO } : {});
      const { client, pending } = driven;
      ends.push(() => client.close());
      await reached();
      if (killed === Infinity) kill();
      if (point === "closing") void client.close();
      await settle(pending);
      // A client whose connect() failed may try again, and is closed by whoever has it.
      if (isSilent(point)) await client.close();
      else await must(() => driven.closes === 1, "the client's close event");
      if (driven.closes > 1) complaints.push(`close is told ${driven.closes} times`);
      if (point === "question not answered") await must(() => said("unasked"), "the question's signal");
      if (client.pending) complaints.push(`${client.pending} calls are pending`);
      const { code } = await outcome(client.callTool("echo"));
      if (!/^closed$|^not-connected$/.test(code)) complaints.push(`a later call rejects with ${code}`);
    }
    // Another server serves the page as before.
    await nextPeer(standby);
    await standby.close();
  }

  async function serverIsLeft() {
    let closed = 0;
    if (point === "hello sent") {
      let decide = (_: boolean) => {};
      const accept = () => (say("hello"), new Promise<boolean>((resolve) => (decide = resolve)));
      const tools = equipment(lib, say);
      const { target } = victim;
      const scoped = target instanceof Worker ? lib.createScopeServer({ tools, accept }, target) : lib.createScopeServer({ tools, accept, origins: origin === "null" ? [target] : [origin] });
      ends.push(() => scoped.stop());
      await victim.meet({ role: "client", point, protocol, origin: location.origin });
      await reached();
      kill();
      await new Promise((resolve) => setTimeout(resolve, 100));
      decide(true);
      await new Promise((resolve) => setTimeout(resolve, 20));
      await nextPeer(scoped.server);
      return scoped.stop();
    }
    const server = serverOf(lib, say);
    ends.push(() => server.close());
    const transport = await victim.meet({ role: "client", point, protocol, holds: point === "port handed over" });
    const session = await server.connect(transport());
    void session.closed.then(() => closed++);
    await reached();
    kill();
    if (point === "closing") session.close();
    // Who never said a word is not missed: whoever gave it the port takes it back.
    await dead;
    if (point === "port handed over") session.close();
    await must(() => closed === 1, "the session's end");
    if (server.sessions) complaints.push(`${server.sessions} sessions are open`);
    if (said("begun") && point !== "large result under way" && !said("answered")) await must(() => said("aborted"), "the handler's signal");
    if (words.filter((word) => word === "aborted").length > 1) complaints.push("the handler is aborted twice");
    if (point === "question not answered") await must(() => said("unanswered"), "an end to the question");
    server.resourceUpdated("box://seats");
    await nextPeer(server);
    await server.close();
  }
}
