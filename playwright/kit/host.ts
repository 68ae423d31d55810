// The script of every place that serves in the tests: it runs in workers of all kinds and in pages.
// Its address says whose windows may come (`origins`), and whom it turns away (`refuse`). How many sessions
// there are is told on the channel "host".

import * as library from "../../dist/index.js";
import { boxTools } from "./box.ts";

const { searchParams } = new URL(import.meta.url);
const origins = searchParams.get("origins");
const refuse = searchParams.get("refuse");
const late = Number(searchParams.get("late") ?? 0);

Object.assign(globalThis, { lib: library });

const start = () => {
  const { events } = library.createScopeServer(
    library.ready("/dist/modelport.wasm").then(() => {
      if (refuse === "broken") throw new Error("no options");
      return {
        tools: boxTools(),
        name: "host",
        ...(origins && { origins: origins === "*" ? ("*" as const) : origins.split(",") }),
        accept: () => {
          if (refuse === "throw") throw new Error("accept threw");
          return refuse === null;
        },
      };
    }),
  );
  const channel = new BroadcastChannel("host");
  let sessions = 0;
  events.addEventListener("open", () => channel.postMessage(++sessions));
  events.addEventListener("close", () => channel.postMessage(--sessions));
};

if (late) setTimeout(start, late);
else start();
