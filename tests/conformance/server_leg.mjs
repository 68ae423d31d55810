// The suite's server legs: it is the client, over HTTP, of the fixture's server in a Chromium page and in Node.

import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { paths } from "../../scripts/lib/paths.mjs";
import { startHost } from "./host.mjs";
import { conform, revisions, tally } from "./suite.mjs";

const expected = JSON.parse(readFileSync(new URL("server_expected_failures.json", import.meta.url), "utf8"));

/** `{ openPeer, close() }` for a server in this process. What was built is loaded when it is built. */
async function openNode() {
  const [{ ready }, { createFixture }, { openPeer }] = await Promise.all(["../../dist/index.js", "./fixture.mjs", "./peer.mjs"].map((module) => import(module)));
  await ready(await readFile(paths.at("dist", "modelport.wasm")));
  const { server, close } = createFixture();
  return { openPeer: (receive) => openPeer(server, receive), close };
}

/** The same for one in a page. Its packages may not be installed before there was a build. */
const openChromium = async () => (await import("./page_host.mjs")).openPage();

const places = { Chromium: openChromium, Node: openNode };

/** Runs one revision's set against a server of its own. */
async function run(place, revision) {
  const { openPeer, close } = await places[place]();
  try {
    const host = await startHost(openPeer);
    try {
      return await conform("server", revision, place, ["--url", host.url], expected);
    } finally {
      await host.close();
    }
  } finally {
    await close();
  }
}

/** One leg of what is required, and others of what the same run checks besides. */
function legsOf(place, revision) {
  let outcome;
  const once = () => (outcome ??= run(place, revision));
  const isTasks = (name) => name.startsWith("tasks-");
  const besides = async (isOfLeg) => {
    const { outcomes, required, results } = await once();
    const counted = tally(outcomes, [...outcomes.keys()].filter((name) => !required.includes(name) && isOfLeg(name)));
    return { ...counted, ok: counted.total > 0 && !counted.failed.length, output: "", results };
  };
  return [
    { name: `server ${revision} in ${place}`, run: once },
    // The extension exists in the newest revision only.
    ...(revision === revisions[0] ? [{ name: `server tasks extension in ${place}`, run: () => besides(isTasks) }] : []),
    { name: `server ${revision} unscored in ${place}`, run: () => besides((name) => !isTasks(name)) },
  ];
}

export const serverLegs = Object.keys(places).flatMap((place) => revisions.flatMap((revision) => legsOf(place, revision)));
