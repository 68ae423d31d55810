// Publishing: what of a tool goes to the browser's registry, and how it is taken back. The rules are
// in `core::webmcp`; here is what has to be quick, with one crossing for a whole tool.

import { clearTimer, inTask, setTimer } from "../live.js";

// What of a tool's dictionary the registry takes, by the numbers of `core::webmcp::Sketch`. The
// dictionary is a copy, but what hangs on it is the page's and may throw.
const HINTS = ["consequentialHint", "debugging", "readOnlyHint", "untrustedContentHint"];

const says = (value) => typeof value === "string" && value !== "";

const schemaIn = (value) => {
  if (value === undefined || value === null) return 0;
  try {
    return typeof value !== "object" || Array.isArray(value) ? 3 : value.type === undefined ? 2 : 1;
  } catch {
    return 2;
  }
};

const hint = (value) => (value === true ? 3 : value === false ? 1 : 0);

export const sketch = (tool) => {
  let bits = 0;
  try {
    const { title, description, inputSchema, outputSchema, annotations } = tool;
    bits = says(title) | (says(description) << 2) | (schemaIn(inputSchema) << 4) | (schemaIn(outputSchema) << 6);
    bits |= says(annotations?.title) << 1;
    // Each by its name: a look for a name that is only known at run time takes many times as long.
    const { consequentialHint, debugging, readOnlyHint, untrustedContentHint, destructiveHint } = annotations ?? {};
    bits |= (hint(consequentialHint) << 8) | (hint(debugging) << 10) | (hint(readOnlyHint) << 12);
    bits |= (hint(untrustedContentHint) << 14) | (hint(destructiveHint) << 16);
  } catch {
    // What cannot be read is not there.
  }
  return bits;
};

const projected = (tool, name, carried) => {
  const title = carried & 1 ? tool.title : carried & 2 ? tool.annotations.title : undefined;
  const dictionary = { name };
  if (title !== undefined) dictionary.title = title;
  dictionary.description = carried & 4 ? tool.description : title ?? name;
  const schema = (carried >> 4) & 3;
  if (schema) dictionary.inputSchema = schema === 1 ? tool.inputSchema : { ...JSON.parse(JSON.stringify(tool.inputSchema)), type: "object" };
  if ((carried >> 6) & 3) dictionary.outputSchema = tool.outputSchema;
  let hints = carried >> 8;
  if (hints) dictionary.annotations = {};
  for (let place = 0; hints; place++, hints >>= 2) if (hints & 1) dictionary.annotations[HINTS[place]] = (hints & 2) > 0;
  return dictionary;
};

export const projectedText = (tool, name, carried) => JSON.stringify(projected(tool, name, carried));

// The origin of a file has no name in some browsers.
export const originOfUrl = (text) => {
  try {
    const url = new URL(text);
    return url.protocol === "file:" ? "file://" : url.origin;
  } catch {
    return undefined;
  }
};

// What bridges of ours have in a document's registry, of whatever copy of this package: the first
// question about a name that is taken is whether it is one of these.
const NAMES = Symbol.for("modelport.registered");

const namesIn = (document) => {
  if (!document[NAMES]) Object.defineProperty(document, NAMES, { value: new Set() });
  return document[NAMES];
};

// By the numbers of `core::webmcp::Holder`.
const holderOf = (document, name) => {
  try {
    if (namesIn(document).has(name)) return 2;
    return [...document.forms].some((form) => form.getAttribute("toolname") === name) ? 1 : 0;
  } catch {
    return 0;
  }
};

// The registry may take a fraction of a millisecond for a registration; in a frame that was used too
// early Chrome 156 never answers. Nobody is left waiting for it.
const DEADLINE = 5_000;

// Milliseconds of registering after which the page has its turn, and registrations between two looks at the clock.
const SLICE = 35;
const FEW = 8;

// Registers tools and lets go of them, by number. `call` runs a tool; `done` hears the numbers of
// registrations that were confirmed, many at once, or the number of one that was refused, with the
// exception's name and message, whether origins were named, and who has the tool's name.
export const newRegistrar = (document, registry, call, done) => {
  const handles = new Map();
  const isFramed = document.defaultView !== document.defaultView?.top;
  const names = namesIn(document);
  let waiting = 0;
  let confirmed = [];
  let telling = false;
  let timer;
  let listing;
  const answered = (handle) => {
    handle.waits = false;
    if (--waiting > 0) return;
    clearTimer(timer);
    timer = undefined;
  };
  const registered = (handle) => {
    // It was let go of before the registry took it, which a registry that ignores the signal did all the same.
    if (!handle.waits) return handles.get(handle.number) === handle ? undefined : unregister(handle);
    answered(handle);
    handle.ours = true;
    names.add(handle.name);
    confirmed.push(handle.number);
    // A thousand answers come one by one; told one by one they would cost as much as the registrations.
    if (waiting === 0) tell();
    else if (!telling) {
      telling = true;
      setTimer(tell);
    }
  };
  const tell = () => {
    telling = false;
    const numbers = confirmed;
    confirmed = [];
    if (numbers.length > 0) done(0, undefined, numbers);
  };
  const refused = (handle, thrown) => {
    if (!handle.waits) return;
    answered(handle);
    tell();
    done(handle.number, String(thrown?.name ?? ""), String(thrown?.message ?? thrown), handle.origins !== undefined, holderOf(document, handle.name));
  };
  // One timer for all that is under way: it starts with each slice, and is for nobody whose turn has not come.
  const watch = () => {
    clearTimer(timer);
    timer = setTimer(late, DEADLINE);
  };
  const late = () => {
    if (queue.length > 0) return watch();
    const words = isFramed ? "The frame's registry does not answer, so nobody sees the tool. Load the frame again." : `The registry did not answer within ${DEADLINE} ms.`;
    for (const handle of [...handles.values()]) refused(handle, new DOMException(words, "TimeoutError"));
  };
  // A frame that was used too early may have a registry that takes tools and shows them to nobody.
  // It does not answer a listing either, and by that it is known.
  const visible = () => {
    if (typeof registry.getTools !== "function") return undefined;
    listing ??= Promise.resolve(registry.getTools({})).catch((thrown) => {
      listing = undefined;
      throw thrown;
    });
    return listing;
  };
  // Chrome 147 and 148 ignore the signal. Nobody else can have taken the name within this very turn.
  const unregister = ({ name }) => {
    if (typeof registry.unregisterTool !== "function") return;
    for (const form of [name, { name }]) {
      try {
        registry.unregisterTool(form);
        return;
      } catch {
        // The other form, or the signal has done it already.
      }
    }
  };
  // Chrome notes the stack of each registration, which takes as long as the registration itself if
  // the stack is deep and has wasm in it. So all wait until the stack is empty, and then each is
  // called by nobody: a bound function has no frame of its own.
  const now = Promise.resolve();
  const start = (handle) => {
    const { dictionary, failure, origins } = handle;
    if (failure) return Promise.reject(failure.thrown);
    handle.dictionary = undefined;
    handle.controller = new AbortController();
    dictionary.execute = (input, options) =>
      new Promise((resolve, reject) => call(handle.number, input ?? {}, options?.signal, resolve, reject));
    const { signal } = handle.controller;
    // Until Chrome 151 there was no promise: what did not throw was registered.
    const answer = now.then(registry.registerTool.bind(registry, dictionary, origins ? { signal, exposedTo: origins } : { signal }));
    return isFramed ? answer.then(visible) : answer;
  };
  const letGo = (handle) => {
    handle?.controller?.abort();
    // If the registration was refused, the name was somebody else's all along.
    if (!handle?.ours) return;
    handle.ours = false;
    names.delete(handle.name);
    unregister(handle);
  };
  // A thousand registrations would keep the page from all else for longer than people notice. So they are asked for in
  // slices, between which whatever waits in the page has its turn: `scheduler.yield` would let input and painting
  // through, and neither timers nor messages.
  const queue = [];
  let begun;
  const flush = () => {
    for (let left = FEW; left > 0 && queue.length > 0; left--) {
      const handle = queue.shift();
      letGo(handle.replaces);
      handle.replaces = undefined;
      if (handle.waits) start(handle).then(() => registered(handle), (thrown) => refused(handle, thrown));
    }
    if (queue.length > 0) now.then(() => (performance.now() - begun < SLICE ? flush() : inTask(slice)));
  };
  const slice = () => {
    begun = performance.now();
    leave();
    // All of them may have been let go of meanwhile, and then nobody would take the deadline back.
    if (waiting > 0) watch();
    flush();
  };
  // Who was let go of while others wait: it stays until the next of its name takes its place, so that nobody sees a gap.
  let leaving;
  const leave = () => {
    letGo(leaving);
    leaving = undefined;
  };
  return {
    tell,
    register(number, tool, other, carried, origins) {
      const name = other || tool.name;
      const handle = { number, name, origins, replaces: undefined, dictionary: undefined, failure: undefined, controller: undefined, waits: true, ours: false };
      if (leaving?.name === name) {
        handle.replaces = leaving;
        // Calls that still come are the new one's.
        leaving.number = number;
        leaving = undefined;
      }
      leave();
      // The dictionary is made now, as a page may alter the tool before the registry sees it.
      try {
        handle.dictionary = projected(tool, name, carried);
      } catch (thrown) {
        handle.failure = { thrown };
      }
      handles.set(number, handle);
      waiting++;
      if (queue.push(handle) === 1) queueMicrotask(slice);
    },
    release(number) {
      leave();
      const handle = handles.get(number);
      if (!handle) return;
      handles.delete(number);
      if (handle.waits) answered(handle);
      letGo(handle.replaces);
      handle.replaces = undefined;
      if (handle.ours && queue.length > 0) leaving = handle;
      else letGo(handle);
    },
    releaseAll() {
      for (const number of [...handles.keys()]) this.release(number);
      leave();
    },
  };
};
