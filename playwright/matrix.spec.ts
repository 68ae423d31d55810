// A server in every place that can have one, and clients in a page, a worker and somebody else's
// frame: both eras do all that one does, and each side says what it saw.

import type { Frame } from "@playwright/test";
import type { ServerPlace } from "./kit/box.ts";
import { expect, test, type Page } from "./fixtures.ts";
import type { Site } from "./site.ts";

const scopes: Record<ServerPlace, string> = {
  page: "Window",
  "dedicated worker": "DedicatedWorkerGlobalScope",
  SharedWorker: "SharedWorkerGlobalScope",
  "service worker": "ServiceWorkerGlobalScope",
  "same-origin iframe": "Window",
  "cross-origin iframe": "Window",
  "sandboxed iframe": "Window",
  popup: "Window",
};
const eras = ["2026-07-28", "2025-11-25"] as const;

const expected = (protocol: (typeof eras)[number], here: string) => ({
  protocol,
  list: ["echo", "fails", "steps", "waits", "slow", "big", "grow", "seen"],
  results: {
    echo: { a: [1, null, { b: "ä" }] },
    fails: expect.objectContaining({ content: [{ type: "text", text: "no" }], isError: true }),
    steps: [{ type: "text", text: "done" }],
    unknown: "invalid-params",
  },
  steps: [1, 2, 3],
  cancelled: "enough",
  back: 1_000_000,
  heard: "notifications/tools/list_changed",
  grown: 1,
  seen: { here, aborted: [expect.any(String)], lengths: [1_000_000], callers: 1 },
  pending: 0,
});

const elsewhere = (address: string) => address.replace("localhost", "127.0.0.1");

/** Pages that serve whoever embeds or opens them from one of the two origins. */
function hostAddress(site: Site): string {
  const origins = [site.url, elsewhere(site.url)].join();
  return site.blank({ body: `<script type="module" src="/bundles/host.js?origins=${origins}"></script>` });
}

/** A frame of the other origin in the page, with the library in it. */
async function embed(page: Page, site: Site): Promise<Frame> {
  const element = await page.evaluateHandle((src) => kit.addFrame(src), elsewhere(site.blank()));
  const frame = (await element.contentFrame())!;
  await frame.waitForLoadState();
  await frame.evaluate("Promise.all([import('/dist/index.js'), import('/bundles/kit.js')]).then(([lib, kit]) => { Object.assign(globalThis, { lib, kit }); })");
  await frame.evaluate(() => lib.ready());
  return frame;
}

for (const place of Object.keys(scopes) as ServerPlace[]) {
  test(`server in a ${place}, client in a page`, async ({ openPage, site }) => {
    const page = await openPage();
    const same = hostAddress(site);
    const came = await page.evaluate(
      async ({ place, same, cross, eras }) => {
        if (place === "page") {
          // A page reaches itself by a page server.
          return Promise.all(eras.map(async (protocol) => {
            const { client } = lib.createPageServer({ tools: kit.boxTools(), client: { protocol } });
            await client.connect();
            return kit.drive(client);
          }));
        }
        const way = await kit.wayTo(place, { same, cross });
        const came = [];
        for (const protocol of eras) came.push(await kit.drive(await way.connect({ protocol })));
        return came;
      },
      { place, same, cross: elsewhere(same), eras },
    );
    expect(came).toEqual(eras.map((era) => expected(era, scopes[place])));
  });

  test(`server in a ${place}, client in a worker`, async ({ openPage, site }) => {
    const page = await openPage();
    const same = hostAddress(site);
    const came = await page.evaluate(
      async ({ place, same, cross, eras }) => {
        const came = [];
        const way = place === "page" || place === "dedicated worker" ? undefined : await kit.wayTo(place, { same, cross });
        for (const protocol of eras) {
          if (way) came.push(await kit.driveInWorker(await way.port(), protocol));
          else if (place === "page") came.push(await kit.driveInWorker("self", protocol, (worker) => lib.createScopeServer({ tools: kit.boxTools() }, worker)));
          else came.push(await kit.driveInWorker("nested", protocol));
        }
        return came;
      },
      { place, same, cross: elsewhere(same), eras },
    );
    expect(came).toEqual(eras.map((era) => expected(era, scopes[place])));
  });

  test(`server in a ${place}, client in an iframe of another origin`, async ({ openPage, site }) => {
    const page = await openPage();
    const frame = await embed(page, site);
    const cross = hostAddress(site);
    if (place === "page") await page.evaluate((origin) => void lib.createScopeServer({ tools: kit.boxTools(), origins: [origin] }), elsewhere(site.url));
    const came = await frame.evaluate(
      async ({ place, same, cross, eras }) => {
        const way = await kit.wayTo(place, { same, cross });
        const came = [];
        for (const protocol of eras) came.push(await kit.drive(await way.connect({ protocol })));
        return came;
      },
      { place, same: elsewhere(cross), cross, eras },
    );
    expect(came).toEqual(eras.map((era) => expected(era, scopes[place])));
  });
}
