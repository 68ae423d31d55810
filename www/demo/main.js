// Loads the library, puts the tools into a ToolManager and wires the two halves of the page to it.

import { byId, h, nameOf } from "./dom.js";
import { BoxOffice } from "./box_office.js";
import { Counter } from "./counter.js";
import { mountInspector, mountLog } from "./inspector.js";
import { mountShop } from "./shop_view.js";
import { createTools } from "./tools.js";

async function start() {
  const library = await loadLibrary();
  if (library) await openHouse(library);
}

/** The library with its WebAssembly loaded, or undefined after saying why there is none. */
async function loadLibrary() {
  try {
    const library = await import("../dist/index.js");
    await library.ready();
    return library;
  } catch (error) {
    showFailure(error,
      "Modelport’s WebAssembly could not be loaded, and every button here depends on it.",
      h("p", {}, "Is the library built (", h("code", {}, "npm run build"), ") and served at ", h("code", {}, "/dist/"),
        "? A Content-Security-Policy must allow ", h("code", {}, "'wasm-unsafe-eval'"), " in script-src."));
    return undefined;
  }
}

async function openHouse({ version, ToolManager, createModelContext, createPageServer }) {
  byId("version").textContent = `Modelport ${version}`;

  const office = new BoxOffice();
  const tools = new ToolManager(createTools(office));
  const log = mountLog();
  const { client } = createPageServer({ tools, name: "lantern", client: { trace: log.message } });
  await client.connect();

  mountShop({ office, tools, counter: new Counter(tools) });
  const { refreshSoon } = await mountInspector({ tools, client, bridge: createModelContext(), log });
  showWeather(refreshSoon);
  document.documentElement.dataset.ready = "true";
}

/** The weather frame comes last and fires no toolchange when it is reloaded, so look again after each load. */
function showWeather(refreshSoon) {
  const frame = byId("weather");
  frame.addEventListener("load", () => setTimeout(refreshSoon, 300));
  frame.src = "frame.html";
}

function showFailure(error, meaning = "Something in the page itself went wrong.", ...advice) {
  document.documentElement.dataset.ready = "failed";
  const failure = byId("failure");
  failure.append(
    h("h2", {}, "The page cannot open"),
    h("p", {}, meaning),
    h("p", { class: "failure-cause" }, `${error.message} (${nameOf(error)})`),
    ...advice,
  );
  failure.hidden = false;
  byId("house").hidden = true;
}

start().catch((error) => showFailure(error));
