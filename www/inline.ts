// The entry without a second request: the wasm is in the script, deflated and in Base64. That is the shortest as
// it lies there, and text that no bundler, no HTML page and no charset can spoil.

import { packed } from "./generated/packed.js";
import { ready as load, type WasmSource } from "./library.js";

export * from "./library.js";

const unpack = () =>
  new Response(new Blob([Uint8Array.from(atob(packed), (char) => char.charCodeAt(0))]).stream().pipeThrough(new DecompressionStream("deflate-raw")), {
    headers: { "content-type": "application/wasm" },
  });

/** Starts the wasm, as everywhere, without fetching anything. */
export const ready = (source: WasmSource = unpack): Promise<void> => load(source);
