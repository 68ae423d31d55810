// What JavaScript does better than Rust with values: looking at one in one crossing, and making one.

// What the last call of `send` or `tell` threw, until it is taken.
let thrownLast;

export const keepThrown = (thrown) => void (thrownLast = thrown);

export const takeThrown = () => {
  const taken = thrownLast;
  thrownLast = undefined;
  return taken;
};

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

// The protocol's words by their numbers, and back; Rust has the list.
let names = [];
let words = new Map();

export const numberOf = (name) => words.get(name);

export const learn = (lines) => {
  names = lines.slice(0, -1).split("\n");
  words = new Map(names.map((name, number) => [name, number]));
};

export const word = (number) => names[number];

export const is = (value, number) => value === names[number];

// A getter or a proxy of the page may throw; then there is no such member.
export const member = (object, name) => {
  try {
    return object[name];
  } catch {
    return undefined;
  }
};

export const get = (object, number) => member(object, names[number]);

export const which = (object, number) => words.get(member(object, names[number])) ?? -1;

export const wordOf = (value) => words.get(value) ?? -1;

export const numberAt = (object, number) => {
  const value = member(object, names[number]);
  return typeof value === "number" ? value : NaN;
};

// The kind of a value and of five of its members, three bits each.
export const sight = (value, a, b, c, d, e) => {
  const own = kind(value);
  if (own !== 5) return own | 0o666660;
  try {
    return own | (kind(value[names[a]]) << 3) | (kind(value[names[b]]) << 6) | (kind(value[names[c]]) << 9) | (kind(value[names[d]]) << 12) | (kind(value[names[e]]) << 15);
  } catch {
    return [a, b, c, d, e].reduce((bits, number, place) => bits | (kind(get(value, number)) << (3 * place + 3)), own);
  }
};

// Sets up to four members, of a new object, of another or of a copy of it; a number without a name ends them.
export const object = (base, copies, name1, value1, name2, value2, name3, value3, name4, value4) => {
  const made = base === undefined ? {} : copies ? merged(base) : base;
  if (name1 >= names.length) return made;
  made[names[name1]] = value1;
  if (name2 >= names.length) return made;
  made[names[name2]] = value2;
  if (name3 >= names.length) return made;
  made[names[name3]] = value3;
  if (name4 < names.length) made[names[name4]] = value4;
  return made;
};

// A frame of JSON-RPC. Whatever is NaN, undefined or has no name is left out.
export const frame = (id, idText, method, methodText, name, value) => {
  const made = { jsonrpc: "2.0" };
  if (idText !== undefined) made.id = idText;
  else if (!Number.isNaN(id)) made.id = id;
  if (methodText !== undefined) made.method = methodText;
  else if (method < names.length) made.method = names[method];
  if (name < names.length) made[names[name]] = value;
  return made;
};

export const textResult = (text) => ({ content: [{ type: "text", text }] });

// Even a member named `__proto__` is one like any other.
export const set = (object, name, value) => void Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });

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

export const without = (object, number) => {
  const name = names[number];
  if (member(object, name) === undefined) return object;
  const { [name]: _, ...rest } = merged(object);
  return rest;
};

// Whether a value nests no deeper, holds no more values and no more characters in names and strings.
export const fits = (value, depth, values, length) => {
  const weigh = (value, depth) => {
    values -= 1;
    if (typeof value === "string") length -= value.length;
    else if (typeof value === "object" && value !== null) {
      if (depth < 1) return false;
      if (Array.isArray(value)) {
        if (value.length > values) return false;
        for (const item of value) if (!weigh(item, depth - 1)) return false;
      } else {
        for (const name in value) {
          length -= name.length;
          if (!weigh(value[name], depth - 1)) return false;
        }
      }
    }
    return values >= 0 && length >= 0;
  };
  try {
    return weigh(value, depth);
  } catch {
    return false;
  }
};

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

// The waiters of a client: `{ resolve, reject, progress }` by number.
export const settle = (waiters, number, wentWell, value) => {
  const waiter = waiters.get(number);
  waiters.delete(number);
  if (wentWell) waiter?.resolve(value);
  else waiter?.reject(value);
};

// Whether that went well; `takeThrown` says what went wrong.
export const tell = (waiters, number, progress) => {
  try {
    waiters.get(number)?.progress?.(progress);
    return true;
  } catch (thrown) {
    thrownLast = thrown;
    return false;
  }
};

export const soon = (callback) => queueMicrotask(callback);

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

export const makeError = (Class, code, message, rpcCode, data) => {
  if (Class) return new Class(code, message, { rpcCode, data });
  const error = new Error(message);
  return Object.assign(error, { name: "ModelportError", code }, rpcCode === undefined ? {} : { rpcCode }, data === undefined ? {} : { data });
};
