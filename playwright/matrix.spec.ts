// A server in every place that can have one, and clients in a page, a worker and somebody else's
// frame: both eras do all that one does, and each side says what it saw.

import type { Addresses, ServerPlace } from "./kit/box.ts";
import { chosen } from "./engines/chosen.ts";
import { embed, expect, test } from "./everywhere.ts";
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

/** Pages that serve whoever embeds or opens them from one of the two origins, as a client of this origin reaches them. */
function addresses(site: Site, here = site.url): Addresses {
  const origins = [site.url, elsewhere(site.url)];
  const there = origins.find((origin) => origin !== here)!;
  const body = `<script type="module" src="/bundles/host.js?origins=${origins}"></script>`;
  const [plain, sandboxed] = [site.blank({ body }), site.blank({ body, headers: { "Origin-Agent-Cluster": "?0" } })];
  return { same: plain.replace(site.url, here), cross: plain.replace(site.url, there), sandboxed: sandboxed.replace(site.url, here) };
}

for (const place of Object.keys(scopes) as ServerPlace[]) {
  test(`server in a ${place}, client in a page`, async ({ openPage, site }) => {
    const page = await openPage();
    const came = await page.evaluate(
      async ({ place, eras, ...addresses }) => {
        if (place === "page") {
          // A page reaches itself by a page server.
          return Promise.all(eras.map(async (protocol) => {
            const { client } = lib.createPageServer({ tools: kit.boxTools(), client: { protocol } });
            await client.connect();
            return kit.drive(client);
          }));
        }
        const way = await kit.wayTo(place, addresses);
        const came = [];
        for (const protocol of eras) came.push(await kit.drive(await way.connect({ protocol })));
        return came;
      },
      { place, eras, ...addresses(site) },
    );
    expect(came).toEqual(eras.map((era) => expected(era, scopes[place])));
  });

  test(`server in a ${place}, client in a worker`, async ({ openPage, site }) => {
    const page = await openPage();
    const came = await page.evaluate(
      async ({ place, eras, ...addresses }) => {
        const came = [];
        const way = place === "page" || place === "dedicated worker" ? undefined : await kit.wayTo(place, addresses);
        for (const protocol of eras) {
          if (way) came.push(await kit.driveInWorker(await way.port(), protocol));
          else if (place === "page") came.push(await kit.driveInWorker("self", protocol, (worker) => lib.createScopeServer({ tools: kit.boxTools() }, worker)));
          else came.push(await kit.driveInWorker("nested", protocol));
        }
        return came;
      },
      { place, eras, ...addresses(site) },
    );
    expect(came).toEqual(eras.map((era) => expected(era, scopes[place])));
  });

  // Another origin's frame has neither service workers nor shared ones in Chromium, which blocks third-party
  // storage; Firefox and WebKit give it some of its own.
  const isThirdParty = chosen !== "chromium" || !/SharedWorker|service/.test(place);

  test(`server in a ${place}, client in an iframe${isThirdParty ? " of another origin" : ""}`, async ({ openPage, site }) => {
    const page = await openPage();
    const here = isThirdParty ? elsewhere(site.url) : site.url;
    const frame = await embed(page, site.blank().replace(site.url, here));
    if (place === "page") await page.evaluate((origin) => void lib.createScopeServer({ tools: kit.boxTools(), origins: [origin] }), here);
    const came = await frame.evaluate(
      async ({ place, eras, ...addresses }) => {
        const way = await kit.wayTo(place, addresses);
        const came = [];
        for (const protocol of eras) came.push(await kit.drive(await way.connect({ protocol })));
        return came;
      },
      { place, eras, ...addresses(site, here) },
    );
    expect(came).toEqual(eras.map((era) => expected(era, scopes[place])));
  });
}
