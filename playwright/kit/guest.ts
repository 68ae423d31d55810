// The script of a worker that is a client in the tests: it is told the way, drives a client of its
// own and says what came of it.

import * as library from "../../dist/index.js";
import { drive } from "./box.ts";

Object.assign(globalThis, { lib: library });
const loading = library.ready("/dist/modelport.wasm");

addEventListener("message", async ({ data, ports }: MessageEvent) => {
  if (!data.task) return;
  const { way, protocol } = data.task;
  const scope = self as unknown as Worker;
  try {
    await loading;
    let client: library.Client;
    if (way === "port") await (client = new library.Client({ protocol })).connect(new library.MessagePortTransport(ports[0]!));
    else client = await library.connectToWorker(way === "self" ? scope : new Worker("/bundles/host.js", { type: "module" }), { client: { protocol } });
    scope.postMessage({ came: await drive(client) });
  } catch (thrown) {
    scope.postMessage({ thrown: String((thrown as Error).stack ?? thrown) });
  }
});
