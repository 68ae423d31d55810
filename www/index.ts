// The entry for pages, workers and bundlers: the wasm lies beside this module.

import { ready as load, type WasmSource } from "./library.js";

export * from "./library.js";

// Vite before 8 moves this module in development, and leaves the wasm where it is.
const beside = () => String(new URL("modelport.wasm", import.meta.url)).replace(".vite/deps", "modelport/dist");

/**
 * Loads the wasm. All callers share one promise, and the first call's source counts; by default that is the
 * file beside the package's own. After a failure (`ModelportError`, code `load-failed`) the next call tries again.
 */
export const ready = (source: WasmSource = beside): Promise<void> => load(source);
