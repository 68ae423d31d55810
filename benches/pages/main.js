// What every benchmark page holds: one contestant at a time, which the driver opens, works and closes.
// A contestant is a module with `open(options)`; the object it resolves to has the functions that a
// measurement names, such as `call`, and may have `close`.

import * as measures from "./measures.js";

let opened;

globalThis.bench = {
  async open(name, options) {
    const module = await import(`./contestants/${name}.js`);
    opened = await module.open(options);
    return opened.about ?? {};
  },
  /** Runs one of measures.js on what is open. */
  measure: (how, options) => measures[how](opened, options),
  async close() {
    await opened?.close?.();
    opened = undefined;
  },
};
document.documentElement.dataset.ready = "yes";
