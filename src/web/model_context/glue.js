// The browser's registry as it is, and as it was: Chrome's shapes since 146 differ in small ways,
// which are told apart by looking. No tool is ever run twice to find one out.

import { clearTimer, on, setTimer } from "../live.js";

export { on };

// A document without a window has the property too, but touching it kills the renderer of Chrome
// 156. So the window is looked at first.
export const registryOf = (document) => {
  try {
    const window = document?.defaultView;
    if (!window) return undefined;
    const registry = document.modelContext;
    if (isRegistry(registry)) return registry;
    // Not looked at before: Chrome 150 and 151 warn of every look.
    const older = window.navigator?.modelContext;
    return isRegistry(older) ? older : undefined;
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

// In a frame used too early Chrome 156 never answers; nobody is left waiting for it.
const DEADLINE = 5_000;

const inTime = (promise) =>
  new Promise((resolve, reject) => {
    const late = () => reject(new DOMException(`The registry did not answer within ${DEADLINE} ms.`, "TimeoutError"));
    const timer = setTimer(late, DEADLINE);
    promise.then(resolve, reject).finally(() => clearTimer(timer));
  });

export const list = async (registry, origins) => inTime(Promise.resolve(registry.getTools(origins ? { fromOrigins: origins } : {})));

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

const ask = (registry, record, input, signal, asText) => registry.executeTool(record, asText ? JSON.stringify(input) : input, signal ? { signal } : {});

const execute = async (registry, listed, input, signal, origins) => {
  const record = isPlain(listed) ? listed : await current(registry, listed, origins);
  const known = takesText.get(registry);
  let asText = known ?? typeof record.inputSchema === "string";
  let answer;
  try {
    answer = await ask(registry, record, input, signal, asText);
  } catch (thrown) {
    const { name, message } = thrown ?? {};
    const refused = asText ? name === "TypeError" && /invalid input/i.test(message) : name === "UnknownError" && /parse input/i.test(message);
    if (known !== undefined || !refused || signal?.aborted) throw thrown;
    asText = !asText;
    answer = await ask(registry, record, input, signal, asText);
  }
  takesText.set(registry, asText);
  return answer;
};

// Until Chrome 159 a record is a plain object and stands for whatever has its name in its window.
// From 160 on it is an interface object and stands for one registration; a later one of the same
// name has a record of its own, which is looked up.
const isPlain = (record) => Object.hasOwn(record, "name");
const current = async (registry, record, origins) => {
  const owner = ownerOf(record);
  const same = (other) => other === record || (other.name === record.name && other.origin === record.origin && ownerOf(other) === owner);
  const found = (await list(registry, origins)).find(same);
  if (!found) throw new DOMException("The tool is no longer there.", "NotFoundError");
  return found;
};

// What an UnknownError says: 0 that the tool failed, 1 that it was not found, 2 something worth reading.
export const reasonOf = (words) => (/was executed but/i.test(words) ? 0 : /not found|unknown transient reason/i.test(words) ? 1 : 2);

// DevTools of Chrome 156 does not parse text with characters of Latin-1 and none beyond, such as "£";
// escaped they mean the same.
export const escaped = (text) => text.replace(/[\u0080-\u00ff]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);

// A string that is not well-formed would arrive as null.
export const settled = (value) => (typeof value === "string" ? value.toWellFormed?.() ?? value : value);

// Compares each listing with the one before, by owner and name.
export const newDiffer = () => {
  let known = new Map();
  return (records) => {
    const now = new Map();
    for (const record of records) {
      try {
        const { name, title, description, inputSchema, annotations, origin } = record;
        now.set(`${numberOf(ownerOf(record))} ${origin} ${name}`, [name, JSON.stringify([title, description, inputSchema, annotations])]);
      } catch {
        // A record that cannot be read is as good as none.
      }
    }
    const names = (from, keep) => [...from].filter(keep).map(([, [name]]) => name);
    const changes = {
      added: names(now, ([key]) => !known.has(key)),
      removed: names(known, ([key]) => !now.has(key)),
      changed: names(now, ([key, [, text]]) => known.has(key) && known.get(key)[1] !== text),
    };
    known = now;
    return changes;
  };
};

// Lists the registry, hands the records on, and does so again if it was asked to in the meantime: a
// burst takes two listings at most, the one under way and one more. What comes back looks, and
// resolves once nothing is left to look for. A listing that fails leaves things as they are.
export const newLooker = (registry, origins, take) => {
  let looking;
  let stale = false;
  const look = async () => {
    try {
      do {
        stale = false;
        try {
          take(0, await list(registry, origins));
        } catch (thrown) {
          if (!stale) throw thrown;
        }
      } while (stale);
    } finally {
      looking = undefined;
    }
  };
  const ask = () => {
    stale = true;
    looking ??= look();
    looking.catch(() => {});
    return looking;
  };
  ask.busy = () => looking;
  return ask;
};

// Tells what changed from the first listing on.
export const newWatch = (registry, tell) => {
  const differ = newDiffer();
  let first = true;
  return newLooker(registry, undefined, (_, records) => {
    const changes = differ(records);
    if (!first) tell(0, changes);
    first = false;
  });
};

// Execution events. Some browsers fire them at the window, alone or as doubles: what comes from the window is told
// on at the end of the task, unless the registry has ever fired one of the kind. A timer for each call would cost it a
// tenth. An event without a name tells nothing and is dropped.
export const listen = (document, registry, tell) => {
  const fires = [false, false];
  let doubtful = [];
  let timer;
  const sort = () => {
    const left = doubtful;
    doubtful = [];
    timer = undefined;
    for (const event of left) if (!fires[event[0]]) tell(...event);
  };
  const hear = (cancelled, isOurs) => ({ toolName }) => {
    if (typeof toolName !== "string") return;
    fires[cancelled] ||= isOurs;
    if (isOurs) return tell(cancelled, toolName);
    if (fires[cancelled]) return;
    doubtful.push([cancelled, toolName]);
    timer ??= setTimer(sort);
  };
  const stops = [[registry, true], [document.defaultView, false]].flatMap(([target, isOurs]) => [
    on(target, "toolactivated", hear(0, isOurs)),
    on(target, "toolcancel", hear(1, isOurs)),
  ]);
  return () => {
    clearTimer(timer);
    for (const stop of stops) stop();
  };
};

// When the page has nothing better to do.
export const later = (hook) => void (globalThis.requestIdleCallback ?? setTimer)(() => hook(0), { timeout: 1_000 });

// Once the code that runs has returned.
export const soon = (hook, number) => queueMicrotask(() => hook(number));

// Calls `done` with how a promise ends: with 0 and its value, or with 1 and what it rejects with.
export const when = (promise, done) => {
  Promise.resolve(promise).then((value) => done(0, value), (thrown) => done(1, thrown));
};

// The browser tells nothing of tools that leave with their frame. Frames are few and counting them
// costs nothing, so that is all that is done on a change of the document.
export const watchFrames = (document, changed) => {
  const window = document.defaultView;
  let frames = window.length;
  const observer = new MutationObserver(() => {
    if (window.length === frames) return;
    frames = window.length;
    changed();
  });
  observer.observe(document, { childList: true, subtree: true });
  // A frame that navigates loads again; the event does not bubble, but it can be caught on its way down.
  const loaded = (event) => {
    if (/^(iframe|frame|object|embed)$/i.test(event.target?.tagName ?? "")) changed();
  };
  document.addEventListener("load", loaded, true);
  return () => {
    observer.disconnect();
    document.removeEventListener("load", loaded, true);
  };
};

// An adopted tool. `finish` makes of the registry's answer what its caller gets. Of a tool that is
// followed the news its call makes come first, as of a tool of one's own: `busy` says whether any
// are under way, and they are waited for, but not for long.
const NEWS = 1_000;

// An MCP result is the text of an object. Whatever else a tool answers is the answer, and not parsed in vain: the
// exception alone would cost half of what the browser's call does.
const isAnswer = (value) => typeof value !== "string" || !/^\s*{/.test(value);

export const adopted = (dictionary, origin, own, originalName, record, registry, origins, busy, finish) => ({
  ...dictionary,
  origin,
  own,
  originalName,
  window: ownerOf(record),
  execute: (input, context) =>
    new Promise((resolve, reject) => {
      const signal = context?.signal;
      const tell = (failed, value) => (!failed && isAnswer(value) ? resolve(value) : finish(failed, value, signal, resolve, reject));
      const end = (failed, value) => {
        const news = busy?.();
        if (!news) return tell(failed, value);
        Promise.race([news.catch(() => {}), new Promise((late) => setTimer(late, NEWS))]).then(() => tell(failed, value));
      };
      const args = input ?? {};
      try {
        // Of a registry that is known the browser's own promise is the only one.
        const answer = takesText.get(registry) === false && isPlain(record) ? ask(registry, record, args, signal) : execute(registry, record, args, signal, origins);
        Promise.resolve(answer).then((value) => end(0, value), (thrown) => end(1, thrown));
      } catch (thrown) {
        end(1, thrown);
      }
    }),
});

// A report, from its strings in one text, their lengths, and how many entries each of its lists has.
export const report = (text, lengths, counts) => {
  let place = 0;
  let next = 0;
  const string = () => text.slice(place, (place += lengths[next++]));
  const list = (number, make) => Array.from({ length: counts[number] }, make);
  return {
    registered: list(0, string),
    unchanged: list(1, string),
    released: list(2, string),
    skipped: list(3, () => ({ name: string(), code: string(), reason: string() })),
    blocked: list(4, () => ({ name: string(), by: string(), reason: string() })),
    names: Object.fromEntries(list(5, () => [string(), string()])),
  };
};

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
