// The entry for Node: what `fetch` can't do there, the file system does.

import { ready as load, type WasmSource } from "./library.js";

export * from "./library.js";

// Not as an URL beside this module, in whose place bundlers would put an address for pages.
const beside = import.meta.url.replace(/[^/]*$/, "modelport.wasm");

/** Loads the wasm, as everywhere; addresses that begin with `file:` are read from the disk. */
export const ready = (source: WasmSource = beside): Promise<void> =>
  load(async () => {
    const address = source instanceof URL || typeof source === "string" ? String(source) : "";
    return address.startsWith("file:") ? (await import("node:fs/promises")).readFile(new URL(address)) : source;
  });
