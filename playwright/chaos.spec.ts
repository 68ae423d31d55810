// At each of twelve points of a call's life the other side is killed, in every way there is: whoever is left
// settles all that waits, once, within a second and with the right code, holds nothing any more, and serves
// the next peer. A cell that fails names itself: era, place, way, side and point, and what is wrong.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { chosen } from "./engines/chosen.ts";
import { expect } from "./everywhere.ts";
import type { Cell } from "./kit/chaos.ts";
import { drive, POINTS, serverOf, type Point } from "./kit/points.ts";
import type { Order } from "./kit/victim.ts";
import { ours, test, Wire, type Peer } from "./ws_server.ts";

const WAYS: [Cell["place"], Cell["way"]][] = [
  ["worker", "goodbye"],
  ["worker", "terminate"],
  ["worker", "self.close()"],
  // Two that nobody tells of: whoever is left has to ask.
  ["worker", "raw port.close()"],
  ["worker", "freeze"],
  ["frame", "remove"],
  ["frame", "navigate"],
  // Of frames of another origin no lock can be seen: they say goodbye themselves.
  ["cross-origin frame", "remove"],
  ["cross-origin frame", "navigate"],
  ["sandboxed frame", "remove"],
  ["sandboxed frame", "navigate"],
];

/** Where there is no port yet, none can be closed, and who is not known yet cannot be asked. */
const isPossible = (way: Cell["way"], dies: Cell["dies"], point: Point) => {
  if (point === "hello sent") return !["goodbye", "raw port.close()", "freeze"].includes(way);
  return way !== "freeze" || point !== "port handed over" || dies === "server";
};

const ERAS = ["2026-07-28", "2025-11-25"] as const;

/** Each point in either era; in the other engines every other point, in one era, by turns: one way has those that the next one leaves out. */
const inEras = (points: Point[], turn: number, dies: Cell["dies"]) => {
  if (chosen === "chromium") return ERAS.flatMap((protocol) => points.map((point) => ({ point, protocol })));
  const some = points.filter((_, place) => (place + turn + Number(dies === "server")) % 2);
  return some.map((point, place) => ({ point, protocol: ERAS[place % 2]! }));
};

for (const [turn, [place, way]] of WAYS.entries()) {
  for (const dies of ["server", "client"] as const) {
    test(`${place}, ${way}: the ${dies} dies`, async ({ openPage, site, expectNoise }) => {
      test.setTimeout(90_000);
      // A welcome that comes too late for a frame that has navigated.
      if (way === "navigate") expectNoise(/Failed to execute 'postMessage' on 'DOMWindow': The target origin provided/);
      const page = await openPage();
      const body = `<script type="module" src="/bundles/victim.js"></script>`;
      const victim = site.blank({ body });
      const pages = { same: victim, cross: victim.replace("localhost", "127.0.0.1"), sandboxed: site.blank({ body, headers: { "Origin-Agent-Cluster": "?0" } }), blank: site.blank(place === "sandboxed frame" ? { headers: { "Origin-Agent-Cluster": "?0" } } : {}) };
      const points = (Object.keys(POINTS) as Point[]).filter((point) => isPossible(way, dies, point));
      const cells = inEras(points, turn, dies).map((each) => ({ ...each, place, way, dies, pages }));
      expect(await page.evaluate((cells) => kit.cells(cells), cells)).toEqual({});
    });
  }
}

for (const [turn, way] of (["drop", "goodbye"] as const).entries()) {
  for (const dies of ["server", "client"] as const) {
    test(`socket, ${way}: the ${dies} dies`, async ({ openPage, sockets }) => {
      test.setTimeout(90_000);
      const page = await openPage();
      const node = await ours();
      // Each victim's connection that tells it to die, and its ways to do so.
      const controls = new Map<string, Peer>();
      const ends = new Map<Peer, Record<string, () => void>>();
      sockets.handle = (peer, message) => ends.get(peer)?.[message]?.();
      sockets.greet = async (peer) => {
        const [id, order] = peer.path.split("?")[1]!.split("&") as [string, string?];
        if (!order) return controls.set(id, peer);
        const { role, point, protocol, holds } = JSON.parse(decodeURIComponent(order)) as Order;
        const control = controls.get(id)!;
        const say = (word: string) => control.send(JSON.stringify(word));
        const end: Record<string, () => void> = { drop: () => peer.socket.terminate(), goodbye: () => peer.socket.close() };
        ends.set(control, end);
        if (holds) return say("handed");
        if (role === "server") {
          const session = await serverOf(node, say).connect(new Wire(peer) as any);
          end["goodbye"] = () => session.close();
        } else {
          const { client } = drive(node, point!, protocol!, say, () => new Wire(peer) as any);
          end["goodbye"] = () => void client.close();
        }
      };
      const points = (Object.keys(POINTS) as Point[]).filter((point) => point !== "hello sent" && (dies === "client" || point !== "port handed over"));
      const cells = inEras(points, turn, dies).map((each) => ({ ...each, place: "socket" as const, way, dies, pages: {} as Cell["pages"], url: sockets.url }));
      expect(await page.evaluate((cells) => kit.cells(cells), cells)).toEqual({});
      // What was left on the other side shall not keep this process.
      expect(node.liveObjects()).toMatchObject({ clients: 0, sessions: 0, calls: 0, runs: 0 });
    });
  }
}

test("socket, process killed: the clients of a server that was a process settle all that waits", async ({ openPage }) => {
  const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  const child = spawn(process.execPath, [at("kit/victim_process.mjs"), at("../dist"), process.env["MODELPORT_BUNDLES"]!], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [port] = await once(child.stdout, "data");
    const page = await openPage();
    // Those at which somebody waits for as long as one likes.
    const points = (Object.keys(POINTS) as Point[]).filter((point) => !["hello sent", "port handed over", "opening request sent", "answer under way", "large result under way", "closing"].includes(point));
    const reached = await page.evaluate(
      async ([url, points]) => {
        const driven = points.map((point, place) => {
          const words: string[] = [];
          const protocol = place % 2 ? "2025-11-25" : "2026-07-28";
          return { point, words, ...kit.driveTo(lib, point, protocol, (word) => words.push(word), () => new lib.WebSocketTransport(url)) };
        });
        Object.assign(globalThis, { driven });
        await kit.until(() => driven.every(({ client, point, words }) => (/cancelled|subscription/.test(point) ? words.some((word) => /cancelled|listening/.test(word)) : client.protocol && client.pending)), "all of them wait");
        return driven.map(({ client }) => client.pending);
      },
      [`ws://127.0.0.1:${String(port).trim()}/mcp`, points] as const,
    );
    expect(reached.some(Boolean)).toBe(true);
    child.kill("SIGKILL");
    const seen = await page.evaluate(async () => {
      const { driven } = globalThis as any;
      await kit.until(() => kit.leftovers().length === 0, "an end to all that is held", 2_000);
      const settled: Record<string, string> = {};
      for (const { point, pending } of driven) for (const what in pending) settled[`${point}: ${what}`] = (await pending[what]).as;
      return { settled, closes: driven.map(({ client }: any) => client.pending) };
    });
    for (const [what, as] of Object.entries(seen.settled)) {
      expect(as, what).toMatch(what.endsWith(": connect") ? /^value$/ : what.startsWith("cancelled") ? /^enough$/ : /^(closed|value)$/);
    }
    for (const point of ["call posted", "handler running", "between two progress notices", "question not answered"]) expect(seen.settled[`${point}: call`]).toBe("closed");
    expect(seen.closes).toEqual(points.map(() => 0));
  } finally {
    child.kill("SIGKILL");
  }
});

test("C54 three calls are open when the other side goes: all reject with one reason, whoever closes twice or throws as it hears of it", async ({ openPage, site, expectNoise }) => {
  expectNoise(/onclose throws/);
  const page = await openPage();
  const victim = site.blank({ body: `<script type="module" src="/bundles/victim.js"></script>` });
  const seen = await page.evaluate(
    async ([victim, blank]) => {
      const came: Record<string, unknown> = {};
      const wait = () => new Promise((resolve) => setTimeout(resolve, 150));
      const told = (from: EventTarget, word: string) => new Promise((resolve) => from.addEventListener("message", ({ data }: any) => data.said === word && resolve(0)));
      for (const way of ["close", "terminate", "remove", "navigate"]) {
        const { port1, port2 } = new MessageChannel();
        const aborted: unknown[] = [];
        let go!: () => void;
        if (way === "close") {
          const tools = new lib.ToolManager([{ name: "wait", execute: (_, { signal }) => new Promise(() => signal.addEventListener("abort", () => aborted.push(signal.reason))) }]);
          const session = await new lib.Server({ tools }).connect(new lib.MessagePortTransport(port1));
          go = () => (session.close(), session.close());
        } else {
          const target = way === "terminate" ? new Worker("/bundles/victim.js", { type: "module" }) : kit.addFrame(victim);
          await told(target instanceof Worker ? target : window, "here");
          if (target instanceof Worker) target.postMessage({ role: "server" }, [port1]);
          else target.contentWindow!.postMessage({ role: "server" }, "*", [port1]);
          go = () => (target instanceof Worker ? target.terminate() : way === "remove" ? target.remove() : void (target.src = blank));
        }
        const client = new lib.Client();
        await client.connect(new lib.MessagePortTransport(port2));
        let closes = 0;
        client.addEventListener("close", () => {
          closes++;
          throw new Error("onclose throws");
        });
        const calls = [1, 2, 3].map(() => kit.outcome(client.callTool("wait", {}, { timeout: 0 })));
        await wait();
        const started = performance.now();
        go();
        const codes = (await Promise.all(calls)).map(({ code }) => code);
        const took = performance.now() - started;
        await client.close();
        await client.close();
        came[way] = { codes, isSoon: took < 1_000, closes, pending: client.pending, later: (await kit.outcome(client.callTool("wait"))).code, aborted: aborted.length };
      }
      return came;
    },
    [victim, site.blank()] as const,
  );
  const all = { codes: ["closed", "closed", "closed"], isSoon: true, closes: 1, pending: 0, later: "closed", aborted: 0 };
  expect(seen).toEqual({ close: { ...all, aborted: 3 }, terminate: all, remove: all, navigate: all });
});
