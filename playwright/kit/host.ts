// The script of every place that serves in the tests: it runs in workers of all kinds and in pages.
// Its address says whose windows may come (`origins`), and whom it turns away (`refuse`).

import * as library from "../../dist/index.js";
import { boxTools } from "./box.ts";

const { searchParams } = new URL(import.meta.url);
const origins = searchParams.get("origins");
const refuse = searchParams.get("refuse");
const late = Number(searchParams.get("late") ?? 0);

Object.assign(globalThis, { lib: library });

const start = () =>
  library.createScopeServer(
    library.ready("/dist/modelport.wasm").then(() => ({
      tools: boxTools(),
      name: "host",
      ...(origins && { origins: origins === "*" ? ("*" as const) : origins.split(",") }),
      accept: () => {
        if (refuse === "throw") throw new Error("accept threw");
        return refuse === null;
      },
    })),
  );

if (late) setTimeout(start, late);
else start();
