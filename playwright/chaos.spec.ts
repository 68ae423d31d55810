// At each of twelve points of a call's life the other side is killed, in every way there is: whoever is left
// settles all that waits, once, within a second and with the right code, holds nothing any more, and serves
// the next peer. A cell that fails names itself: era, place, way, side and point, and what is wrong.

import { expect } from "./fixtures.ts";
import type { Cell } from "./kit/chaos.ts";
import { drive, POINTS, serverOf, type Point } from "./kit/points.ts";
import type { Order } from "./kit/victim.ts";
import { ours, test, Wire } from "./ws_server.ts";

/** Of frames of another origin no lock can be seen: they have to say goodbye themselves. */
const needsGoodbye: [Cell["place"], Cell["way"]][] = [
  ["cross-origin frame", "remove"],
  ["cross-origin frame", "navigate"],
  ["sandboxed frame", "remove"],
  ["sandboxed frame", "navigate"],
];
/** A port that somebody else closed, of which this browser tells nobody: only who asks can find out. */
const needsHeartbeat: [Cell["place"], Cell["way"]][] = [["worker", "raw port.close()"]];

const WAYS: [Cell["place"], Cell["way"]][] = [
  ["worker", "goodbye"],
  ["worker", "terminate"],
  ["worker", "self.close()"],
  ["frame", "remove"],
  ["frame", "navigate"],
];
if (process.env["CHAOS_ALL"]) WAYS.push(...needsGoodbye, ...needsHeartbeat);

/** Where there is no port yet, none can be closed. */
const isPossible = (way: Cell["way"], point: Point) => point !== "hello sent" || !["goodbye", "raw port.close()"].includes(way);

for (const [place, way] of WAYS) {
  for (const dies of ["server", "client"] as const) {
    test(`${place}, ${way}: the ${dies} dies`, async ({ openPage, site }) => {
      test.setTimeout(90_000);
      const page = await openPage();
      const victim = site.blank({ body: `<script type="module" src="/bundles/victim.js"></script>` });
      const pages = { same: victim, cross: victim.replace("localhost", "127.0.0.1"), sandboxed: victim, blank: site.blank() };
      const points = (Object.keys(POINTS) as Point[]).filter((point) => isPossible(way, point));
      const cells = (["2026-07-28", "2025-11-25"] as const).flatMap((protocol) => points.map((point) => ({ place, way, dies, point, protocol, pages })));
      expect(await page.evaluate((cells) => kit.cells(cells), cells)).toEqual({});
    });
  }
}

for (const way of ["drop", "goodbye"] as const) {
  for (const dies of ["server", "client"] as const) {
    test(`socket, ${way}: the ${dies} dies`, async ({ openPage, sockets }) => {
      test.setTimeout(90_000);
      const page = await openPage();
      const node = await ours();
      const orders = new Map<number, Order>();
      const ends = new Map<number, { drop(): void; goodbye(): void }>();
      await page.exposeFunction("tellVictim", ({ id, ...order }: Order) => {
        if (order.die) ends.get(id!)?.[order.die as "drop"]();
        else orders.set(id!, order);
      });
      sockets.greet = async (peer) => {
        const id = Number(peer.path.split("?")[1]);
        const { role, point, protocol, holds } = orders.get(id)!;
        const say = (word: string) => void page.evaluate(([id, word]) => kit.heardFrom(id, word), [id, word] as const).catch(() => {});
        const end = { drop: () => peer.socket.terminate(), goodbye: () => peer.socket.close() };
        ends.set(id, end);
        if (holds) return say("handed");
        if (role === "server") {
          const session = await serverOf(node, say).connect(new Wire(peer) as any);
          end.goodbye = () => session.close();
        } else {
          const { client } = drive(node, point!, protocol!, say, () => new Wire(peer) as any);
          end.goodbye = () => void client.close();
        }
      };
      const points = (Object.keys(POINTS) as Point[]).filter((point) => point !== "hello sent" && (dies === "client" || point !== "port handed over"));
      const cells = (["2026-07-28", "2025-11-25"] as const).flatMap((protocol) => points.map((point) => ({ place: "socket" as const, way, dies, point, protocol, pages: {} as Cell["pages"], url: sockets.url })));
      expect(await page.evaluate((cells) => kit.cells(cells), cells)).toEqual({});
      // What was left on the other side shall not keep this process.
      expect(node.liveObjects()).toMatchObject({ clients: 0, sessions: 0, calls: 0, runs: 0 });
    });
  }
}
