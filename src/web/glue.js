// What JavaScript does better than Rust on the way of every message: looking at a value in one
// crossing, and running a tool with no closure per call unless it answers later.

export const kind = (value) => {
  switch (typeof value) {
    case "undefined": return 6;
    case "boolean": return 1;
    case "number": return 2;
    case "string": return 3;
    case "object": return value === null ? 0 : isArray(value);
    default: return 7;
  }
};

// A revoked proxy throws at every look, even this one; it is something JSON has no form for.
const isArray = (value) => {
  try {
    return Array.isArray(value) ? 4 : 5;
  } catch {
    return 7;
  }
};

// The elements as a new array, or undefined for what is no array or cannot be read.
export const items = (value) => {
  try {
    return Array.isArray(value) ? [...value] : undefined;
  } catch {
    return undefined;
  }
};

export const isWellFormed = (text) => text.isWellFormed?.() ?? true;

// A getter or a proxy of the page may throw; then there is no such member.
export const get = (object, name) => {
  try {
    return object[name];
  } catch {
    return undefined;
  }
};

// Up to four members; a name that is undefined ends them.
export const object = (name1, value1, name2, value2, name3, value3, name4, value4) => {
  const made = {};
  if (name1 === undefined) return made;
  made[name1] = value1;
  if (name2 === undefined) return made;
  made[name2] = value2;
  if (name3 === undefined) return made;
  made[name3] = value3;
  if (name4 !== undefined) made[name4] = value4;
  return made;
};

export const set = (object, name, value) => {
  object[name] = value;
};

// Nothing may throw through the wasm: it would leave behind what it had borrowed. What comes here
// was made by us or is a copy already; should it throw all the same, its members are lost and not the page.
export const merged = (a, b) => {
  try {
    return { ...a, ...b };
  } catch {
    return {};
  }
};

// A copy whose members can be read without running anybody's code; throws what reading them throws.
export const copied = (object) => ({ ...object });

export const withoutNulls = (object) => Object.fromEntries(entries(object).filter(([, value]) => value !== null));

export const entries = (object) => {
  try {
    return Object.entries(object);
  } catch {
    return [];
  }
};

// JSON.stringify answers undefined for what has no form; that is made an exception like the others.
export const stringify = (value) => {
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`${typeof value === "object" ? "its toJSON() result" : `a ${typeof value}`} has no JSON form`);
  return text;
};

export const plain = (value) => JSON.parse(stringify(value));

export const parse = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const sorted = (_, value) =>
  isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;

// Equal texts have equal lengths whatever the order of members, so most differences end at once.
export const sameJson = (one, other) => {
  if (typeof one !== "string" || typeof other !== "string" || one.length !== other.length) return false;
  try {
    return one === other || JSON.stringify(JSON.parse(one), sorted) === JSON.stringify(JSON.parse(other), sorted);
  } catch {
    return false;
  }
};

// Posts a message; gives what was thrown, if anything was.
export const post = (target, message) => {
  try {
    target.postMessage(message);
    return undefined;
  } catch (thrown) {
    return thrown ?? new Error("The message could not be posted.");
  }
};

// To a peer of our own, which reads both: most messages travel faster as JSON text than as clones,
// but a long string as a clone is one copy, and as text it is escaped and parsed.
const LONG = 2_000;

const isLong = (value) => typeof value === "string" && value.length > LONG;

const hasLongString = ({ params, result }) => {
  const values = params?.arguments;
  for (const name in values) if (isLong(values[name])) return true;
  const content = result?.content;
  return Array.isArray(content) && content.some((block) => isLong(block?.text));
};

export const postEither = (target, message) => {
  try {
    target.postMessage(hasLongString(message) ? message : stringify(message));
    return undefined;
  } catch (thrown) {
    return thrown ?? new Error("The message could not be posted.");
  }
};

export const now = () => performance.now();

export const describe = (thrown) => {
  try {
    if (typeof thrown === "object" && thrown !== null && typeof thrown.message === "string") {
      return thrown.message || String(thrown.name ?? "Error");
    }
    return String(thrown);
  } catch {
    return "Unknown thrown value";
  }
};

// What a running tool is given. Most tools never look at the signal, so it is made when one does.
class Context {
  #run;
  #hooks;
  #signal;
  #controller;

  constructor(run, hooks, caller, signal) {
    this.#run = run;
    this.#hooks = hooks;
    this.#signal = signal;
    this.caller = caller;
  }

  get signal() {
    if (!this.#signal) {
      this.#controller = new AbortController();
      this.#signal = this.#controller.signal;
    }
    return this.#signal;
  }

  get progress() {
    return (step) => this.#hooks.progressed(this.#run, step);
  }

  static abort(context, reason) {
    // Reading it makes a signal that did not exist, so that a look after the fact sees the abort.
    void context.signal;
    context.#controller?.abort(reason);
  }
}

export const newContext = (run, hooks, caller, signal) => new Context(run, hooks, caller, signal);

export const abortContext = (context, text) => Context.abort(context, new DOMException(text, "AbortError"));

export const newHooks = (returned, threw, progressed) => ({ returned, threw, progressed });

export const invoke = (tool, args, context, run, hooks) => {
  try {
    const value = tool.execute(args, context);
    if (typeof value === "object" && value !== null && typeof value.then === "function") {
      Promise.resolve(value).then(
        (settled) => hooks.returned(run, settled),
        (thrown) => hooks.threw(run, thrown),
      );
    } else {
      hooks.returned(run, value);
    }
  } catch (thrown) {
    hooks.threw(run, thrown);
  }
};

export const makeError = (Class, code, message, rpcCode, data) => {
  if (Class) return new Class(code, message, { rpcCode, data });
  const error = new Error(message);
  return Object.assign(error, { name: "ModelportError", code }, rpcCode === undefined ? {} : { rpcCode }, data === undefined ? {} : { data });
};
