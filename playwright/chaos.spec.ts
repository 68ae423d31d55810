// At each of twelve points of a call's life the other side is killed, in every way there is: whoever is left
// settles all that waits, once, within a second and with the right code, holds nothing any more, and serves
// the next peer. A cell that fails names itself: era, place, way, side and point, and what is wrong.

import { expect, test } from "./fixtures.ts";
import type { Cell } from "./kit/chaos.ts";
import { POINTS, type Point } from "./kit/points.ts";

const WAYS: [Cell["place"], Cell["way"]][] = [
  ["worker", "goodbye"],
  ["worker", "raw port.close()"],
  ["worker", "terminate"],
  ["worker", "self.close()"],
  ["frame", "remove"],
  ["frame", "navigate"],
  ["cross-origin frame", "remove"],
  ["cross-origin frame", "navigate"],
  ["sandboxed frame", "remove"],
  ["sandboxed frame", "navigate"],
];

/** Where there is no port yet, none can be closed. */
const isPossible = (way: Cell["way"], point: Point) => point !== "hello sent" || !["goodbye", "raw port.close()"].includes(way);

for (const [place, way] of WAYS) {
  for (const dies of ["server", "client"] as const) {
    test(`${place}, ${way}: the ${dies} dies`, async ({ openPage, site }) => {
      test.setTimeout(90_000);
      const page = await openPage();
      const victim = site.blank({ body: `<script type="module" src="/bundles/victim.js"></script>` });
      const pages = { same: victim, cross: victim.replace("localhost", "127.0.0.1"), sandboxed: victim, blank: site.blank() };
      const wrong: Record<string, string[]> = {};
      for (const protocol of ["2026-07-28", "2025-11-25"] as const) {
        for (const point of Object.keys(POINTS) as Point[]) {
          if (!isPossible(way, point)) continue;
          const complaints = await page.evaluate((cell) => kit.cell(cell), { place, way, dies, point, protocol, pages });
          if (complaints.length) wrong[`${protocol}, ${point}`] = complaints;
        }
      }
      expect(wrong).toEqual({});
    });
  }
}
