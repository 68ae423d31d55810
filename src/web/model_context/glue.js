// The browser's registry as it is, and as it was: Chrome's shapes since 146 differ in small ways,
// which are told apart by looking. No tool is ever run twice to find one out.

// A document without a window has the property too, but touching it kills the renderer of Chrome
// 156. So the window is looked at first.
export const registryOf = (document) => {
  try {
    const window = document?.defaultView;
    if (!window) return undefined;
    return [document.modelContext, window.navigator?.modelContext].find(isRegistry);
  } catch {
    return undefined;
  }
};

const isRegistry = (value) =>
  typeof value === "object" && value !== null && typeof value.registerTool === "function" && typeof value.addEventListener === "function";

// The page's own document, wherever this runs; a worker has none.
export const currentDocument = () => globalThis.document;

export const windowOf = (document) => document.defaultView;

export const originOf = (document) => document.defaultView?.origin ?? "null";

const refusal = (thrown) => [String(thrown?.name ?? ""), String(thrown?.message ?? thrown)];

// Registers one tool. `done` hears the registration's number and, if it was refused, the
// exception's name and message. What comes back lets go of it.
export const register = (registry, number, dictionary, origins, call, done) => {
  const controller = new AbortController();
  const execute = (input, options) =>
    new Promise((resolve, reject) => call(number, input ?? {}, options?.signal, resolve, reject));
  const options = origins ? { signal: controller.signal, exposedTo: origins } : { signal: controller.signal };
  try {
    const registered = registry.registerTool({ ...dictionary, execute }, options);
    // Until Chrome 151 there was no promise: what did not throw was registered.
    if (typeof registered?.then === "function") registered.then(() => done(number), (thrown) => done(number, ...refusal(thrown)));
    else queueMicrotask(() => done(number));
  } catch (thrown) {
    queueMicrotask(() => done(number, ...refusal(thrown)));
  }
  return { controller, name: dictionary.name };
};

export const release = (registry, { controller, name }) => {
  controller.abort();
  // Chrome 147 and 148 ignore the signal. Nobody else can have taken the name within this very turn.
  if (typeof registry.unregisterTool !== "function") return;
  for (const handle of [name, { name }]) {
    try {
      registry.unregisterTool(handle);
      return;
    } catch {
      // The other form, or the signal has done it already.
    }
  }
};

export const list = async (registry, origins) => registry.getTools(origins ? { fromOrigins: origins } : {});

// Windows have no identity that can leave JavaScript, so each gets a number.
const numbers = new WeakMap();
let lastNumber = 0;

export const numberOf = (window) => {
  if (typeof window !== "object" || window === null) return 0;
  if (!numbers.has(window)) numbers.set(window, ++lastNumber);
  return numbers.get(window);
};

// Chrome 160 renames `window` to `source`.
export const ownerOf = (record) => {
  try {
    return record.source ?? record.window ?? null;
  } catch {
    return null;
  }
};

// Until Chrome 154 the input was JSON text. A registry that lists schemas as text takes text;
// where looking does not tell, one that could not parse an object did not run the tool either.
const takesText = new WeakMap();

export const execute = async (registry, record, input, signal) => {
  const run = (argument) => registry.executeTool(record, argument, signal ? { signal } : {});
  const asText = takesText.get(registry) ?? typeof record.inputSchema === "string";
  try {
    const answer = await run(asText ? JSON.stringify(input) : input);
    takesText.set(registry, asText);
    return answer;
  } catch (thrown) {
    const refused = asText ? thrown?.name === "TypeError" && /not an object/i.test(thrown.message) : /pars/i.test(thrown?.message ?? "") && thrown?.name === "UnknownError";
    if (takesText.has(registry) || !refused || signal?.aborted) throw thrown;
    const answer = await run(asText ? input : JSON.stringify(input));
    takesText.set(registry, !asText);
    return answer;
  }
};

export const adopted = (dictionary, origin, own, originalName, window, run) => ({
  ...dictionary,
  origin,
  own,
  originalName,
  window,
  execute: (input, context) => run(input ?? {}, context?.signal),
});

export const probe = async (document) => {
  let window;
  try {
    window = document?.defaultView;
  } catch {
    return ["inactive", "The document belongs to somebody else."];
  }
  if (!window) return ["inactive", "The document has no window, so it has no registry."];
  if (!window.isSecureContext) return ["insecure", "WebMCP needs a secure context: serve the page over https, or from localhost."];
  const registry = registryOf(document);
  if (!registry) {
    return ["absent", "This browser has no document.modelContext. Chromium 150 and newer have it with --enable-features=WebMCP, or with the flag \"WebMCP for testing\" in chrome://flags."];
  }
  try {
    await registry.getTools?.();
    return ["ready", "The registry is there and answers."];
  } catch (thrown) {
    const words = thrown?.message ?? String(thrown);
    switch (thrown?.name) {
      case "NotAllowedError":
        return ["blocked-by-policy", `The permissions policy "tools" keeps this document out: allow it in the Permissions-Policy header, and with allow="tools" on a frame of another origin. (${words})`];
      case "SecurityError":
        return ["not-origin-keyed", `The document is not origin-keyed: do not send Origin-Agent-Cluster: ?0, and do not set document.domain. (${words})`];
      default:
        return ["inactive", `The document is not active. (${words})`];
    }
  }
};
