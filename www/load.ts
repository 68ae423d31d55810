// Fetching and starting the wasm: once for everybody, again only after a failure.

import { ModelportError } from "./error.js";
import { imports, start } from "./generated/imports.js";
import { ClientHandle, held as heldThere, installErrorClass, modelContextOf, probeModelContext, ServerHandle, setGuard, ToolsHandle } from "./generated/modelport.js";

// Named one by one: a namespace would keep all that the glue exports.
const wasm = { ClientHandle, modelContextOf, probeModelContext, ServerHandle, setGuard, ToolsHandle };

let loading: Promise<void> | undefined;
let loaded = false;

/** Where the wasm may come from; by default it lies beside this module. */
export type WasmSource = RequestInfo | URL | Response | BufferSource | WebAssembly.Module;

/**
 * Loads the wasm. All callers share one promise, and the first call's source counts. After a
 * failure (`ModelportError`, code `load-failed`) the next call tries again.
 */
export function ready(source?: WasmSource): Promise<void> {
  loading ??= load(source).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** The wasm's exports. Throws `not-ready` until `ready()` has settled. */
export function core(): typeof wasm {
  if (!loaded) throw new ModelportError("not-ready", "Modelport is still loading: await ready() first.");
  return wasm;
}

/** What the wasm side holds, even before it is there; see `held` in src/web/live.rs. */
export const held = (): ArrayLike<number> => (loaded ? heldThere() : [0, 0, 0]);

async function load(source: WasmSource | undefined): Promise<void> {
  try {
    start((await instantiate(source ?? new URL("modelport.wasm", import.meta.url))).exports);
  } catch (thrown) {
    throw thrown instanceof ModelportError ? thrown : new ModelportError("load-failed", explain(thrown), { cause: thrown });
  }
  installErrorClass(ModelportError);
  loaded = true;
}

async function instantiate(source: WasmSource): Promise<WebAssembly.Instance> {
  if (source instanceof WebAssembly.Module) return WebAssembly.instantiate(source, imports);
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return (await WebAssembly.instantiate(source as BufferSource, imports)).instance;
  const response = source instanceof Response ? source : await fetch(source);
  const type = response.headers.get("content-type") ?? "";
  if (!response.ok) {
    throw new ModelportError("load-failed", `The wasm could not be fetched: ${response.url} answered ${response.status}.`);
  }
  if (type.startsWith("text/html")) {
    throw new ModelportError("load-failed", `The wasm could not be loaded: ${response.url} is an HTML page. Serve modelport.wasm there, or pass its address to ready().`);
  }
  // Only this type can be compiled while it arrives; a server that does not know it still works.
  const compiled = type === "application/wasm" ? WebAssembly.instantiateStreaming(response, imports) : WebAssembly.instantiate(await response.arrayBuffer(), imports);
  return (await compiled).instance;
}

function explain(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  // Firefox says just "blocked by CSP".
  if (/content security policy|unsafe-eval|\bCSP\b/i.test(text)) {
    return "The page's Content-Security-Policy forbids WebAssembly: add 'wasm-unsafe-eval' to its script-src.";
  }
  return `The wasm could not be loaded: ${text}`;
}
