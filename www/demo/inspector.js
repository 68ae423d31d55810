// Backstage: what an agent sees of this page, usable with no agent present.

import { byId } from "./dom.js";
import { mountCallPanel } from "./call_panel.js";
import { mountLog } from "./log_view.js";
import { mountRegistry } from "./registry_view.js";
import { createRoutes } from "./routes.js";
import { showSurface } from "./surface_view.js";

const EVENTS = ["toolchange", "toolactivated", "toolcancel"];
/** A burst of toolchange events, one per tool, ends in one look at the registry. */
const MILLISECONDS_TO_SETTLE = 40;

/** The log exists before everything else, so that it misses nothing. */
export { mountLog };

/** Publishes the tools, where there is a registry, and shows what is in it from then on. */
export async function mountInspector({ tools, client, bridge, log }) {
  const usable = await publish({ tools, bridge, log });
  const panel = mountCallPanel(createRoutes({ tools, client, bridge: usable }));
  const registry = mountRegistry({
    list: byId("registry"),
    count: byId("registry-count"),
    onTry(name) {
      panel.choose("registry", name);
      byId("call-heading").focus();
    },
  });
  byId("registry-section").hidden = !usable;

  let timer;
  function refreshSoon() {
    clearTimeout(timer);
    timer = setTimeout(refresh, MILLISECONDS_TO_SETTLE);
  }
  async function refresh() {
    await showRegistry();
    await panel.refresh();
  }
  async function showRegistry() {
    try {
      if (usable) registry.update(await usable.adopt());
    } catch (failure) {
      showSurface(byId("surface"), { bridge, failure });
    }
  }

  tools.addEventListener("change", refreshSoon);
  usable?.addEventListener("toolchange", refreshSoon);
  await showRegistry();
  await panel.start();
  return { refreshSoon };
}

/** What a toolchange is about, in one line. */
function difference({ added, removed, changed }) {
  const marked = (sign, names) => names.map((name) => `${sign}${name}`);
  return [...marked("+", added), ...marked("−", removed), ...marked("~", changed)].join(" ");
}

/** Resolves with the bridge if the registry took part, and says on the page what was found. */
async function publish({ tools, bridge, log }) {
  const surface = byId("surface");
  if (!bridge) {
    showSurface(surface, {});
    return undefined;
  }
  for (const type of EVENTS) bridge.addEventListener(type, (event) => log.event(type, event.toolName ?? difference(event)));
  try {
    const report = await bridge.publish(tools);
    await bridge.adopt();
    showSurface(surface, { bridge, report });
    return bridge;
  } catch (failure) {
    showSurface(surface, { bridge, failure });
    return undefined;
  }
}
