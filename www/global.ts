// The entry for pages without modules: a classic script that defines `modelport`. It holds the whole library, and
// finds the wasm beside itself.

import { ready as load, type WasmSource } from "./library.js";

export * from "./library.js";

declare global {
  /** What `<script src="…/modelport/dist/global.js">` defines. */
  var modelport: typeof import("./global.js");
}

// Known only while the script first runs. A worker that imports it knows its own address, and no other.
const script = globalThis.document?.currentScript as HTMLScriptElement | null | undefined;
const beside = script?.src || globalThis.location?.href;

/** Loads the wasm, as everywhere; by default from beside this script, or in a worker from beside the worker's. */
export const ready = (source: WasmSource = new URL("modelport.wasm", beside)): Promise<void> => load(source);
