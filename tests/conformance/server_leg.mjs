// The suite's server legs: it is the client, over HTTP, of the fixture's server in a Chromium page and in Node.

import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { paths } from "../../scripts/lib/paths.mjs";
import { startHost } from "./host.mjs";
import { openPage } from "./page_host.mjs";
import { conform, revisions } from "./suite.mjs";

const expected = JSON.parse(readFileSync(new URL("server_expected_failures.json", import.meta.url), "utf8"));

/** `{ openPeer, close() }` for a server in this process. What was built is loaded when it is built. */
async function openNode() {
  const [{ ready }, { createServer }, { openPeer }] = await Promise.all(["../../dist/index.js", "./fixture.mjs", "./peer.mjs"].map((module) => import(module)));
  await ready(await readFile(paths.at("dist", "modelport.wasm")));
  const server = createServer();
  return { openPeer: (receive) => openPeer(server, receive), close: () => server.close() };
}

/** Runs one revision's frozen set against a server of its own. */
async function run(open, revision) {
  const place = await open();
  try {
    const host = await startHost(place.openPeer);
    try {
      return await conform("server", revision, ["--url", host.url], expected);
    } finally {
      await host.close();
    }
  } finally {
    await place.close();
  }
}

const places = { Chromium: openPage, Node: openNode };

export const serverLegs = Object.entries(places).flatMap(([place, open]) =>
  revisions.map((revision) => ({ name: `server ${revision} in ${place}`, run: () => run(open, revision) })),
);
