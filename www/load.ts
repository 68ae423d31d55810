// Compiling and starting the wasm: once for everybody, again only after a failure, and with words for every way
// in which it can fail. Where it comes from by default is for the entries to say.

import { ModelportError } from "./error.js";
import { build, imports, start } from "./generated/imports.js";
import { on } from "./generated/live.js";
import { ClientHandle, held as heldThere, installErrorClass, modelContextOf, probeModelContext, ServerHandle, setGuard, ToolsHandle } from "./generated/modelport.js";

// Named one by one: a namespace would keep all that the glue exports.
const wasm = { ClientHandle, modelContextOf, probeModelContext, ServerHandle, setGuard, ToolsHandle };

let loading: Promise<void> | undefined;
let loaded = false;

type Wasm = RequestInfo | URL | Response | BufferSource | WebAssembly.Module;

/** Where the wasm may come from, or a function that says so when it is needed. */
export type WasmSource = Wasm | Promise<Wasm> | (() => Wasm | Promise<Wasm>);

/** Loads the wasm from there, unless somebody else has begun to. */
export function ready(source: WasmSource): Promise<void> {
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

async function load(source: WasmSource): Promise<void> {
  try {
    const module = await compile(await (typeof source === "function" ? source() : source));
    // Names are as short in every build, so that another's would start and then go astray.
    const [mark] = WebAssembly.Module.customSections(module, "modelport");
    if (!mark || new TextDecoder().decode(mark) !== build) throw failed("foreign", "it is not of this version. Serve the modelport.wasm of the same package");
    start((await WebAssembly.instantiate(module, imports)).exports);
  } catch (thrown) {
    throw thrown instanceof ModelportError ? thrown : explain(thrown);
  }
  installErrorClass(ModelportError);
  loaded = true;
}

async function compile(source: Wasm): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source as BufferSource);
  const response = source instanceof Response ? source : await request(source);
  const { ok, status, url, headers } = response;
  const type = headers.get("content-type") ?? "";
  if (!ok) throw failed("http", `${url} answered ${status}. ${remedy}`, undefined, { status });
  // Only this type can be compiled while it arrives; a server that does not know it still works.
  if (type === "application/wasm") return WebAssembly.compileStreaming(response);
  const bytes = await response.arrayBuffer();
  const [first] = new Uint8Array(bytes);
  const html = first === 60 || type.startsWith("text/html");
  if (html || first !== 0) throw failed(html ? "html" : "not-wasm", `${url} is ${html ? "an HTML page" : `no wasm, but "${type}"`}. ${remedy}`);
  return WebAssembly.compile(bytes);
}

/** For whoever serves something else there. Of bundlers only Vite's dev server needs to be told. */
const remedy = "Serve modelport.wasm there, or pass its address to ready(). In Vite: optimizeDeps.exclude";

async function request(source: RequestInfo | URL): Promise<Response> {
  let refused = false;
  // Node has no policy, and no events of its own.
  const off = typeof addEventListener === "function" && on(globalThis as unknown as EventTarget, "securitypolicyviolation", ({ effectiveDirective }) => (refused ||= effectiveDirective === "connect-src"));
  try {
    return await fetch(source);
  } catch (cause) {
    // Browsers tell of their policy in a task of its own, Firefox's workers some milliseconds later.
    await new Promise((resolve) => setTimeout(resolve, 100));
    if (refused) throw failed("csp-connect", "the page's Content-Security-Policy forbids to fetch it: add its origin to connect-src, or import modelport/inline", cause);
    if (globalThis.navigator?.onLine === false) throw failed("offline", "the browser is offline", cause);
    throw failed("unreachable", `${cause}. See that its server runs and, if that is another origin, allows this one (CORS)`, cause);
  } finally {
    if (off) off();
  }
}

/** `reason` is a contract, as the code is. */
const failed = (reason: string, words: string, cause?: unknown, more?: object) => new ModelportError("load-failed", `The wasm could not be loaded: ${words}.`, { cause, data: { reason, ...more } });

function explain(thrown: any): ModelportError {
  const text = String(thrown?.message ?? thrown);
  // Firefox says just "blocked by CSP".
  return /content security policy|unsafe-eval|\bCSP\b/i.test(text) ? failed("csp", "the page's Content-Security-Policy forbids WebAssembly: add 'wasm-unsafe-eval' to its script-src", thrown)
    : failed(thrown?.name === "CompileError" ? "not-wasm" : "failed", text, thrown);
}
