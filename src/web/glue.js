// What JavaScript does better than Rust on the way of every message: looking at a value in one
// crossing, making one, and sending and hearing.

// What the last call of `send` or `tell` threw, until it is taken.
let thrownLast;

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

// What `arrive` is told, by the numbers that link.rs knows.
const FRAME = 0;
const TEXT = 1;
const GARBLED = 2;
const FAULT = 3;
const CLOSED = 4;
const UNSENT = 5;
const STARTED = 6;
const NOT_STARTED = 7;
const OVERSIZED = 8;

// The limits by default, which one look checks; see `Limits` in the core.
const DEPTH = 200;
const VALUES = 1_000_000;
const META_DEPTH = 8;
const META_VALUES = 256;
const META_LENGTH = 16_384;

const PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion";
const CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const CLIENT_INFO = "io.modelcontextprotocol/clientInfo";
const LOG_LEVEL = "io.modelcontextprotocol/logLevel";

const isIdentity = (value) => value === undefined || (typeof value === "object" && typeof value?.name === "string" && typeof value.version === "string");

// See `MetaFact` and `TypeFact` in the core.
const metaFact = (meta) => {
  if (meta === undefined) return 0;
  const isPlain =
    kind(meta) === 5 && meta[PROTOCOL_VERSION] === "2026-07-28" && kind(meta[CLIENT_CAPABILITIES]) === 5 &&
    isIdentity(meta[CLIENT_INFO]) && meta[LOG_LEVEL] === undefined && meta.progressToken == null &&
    fits(meta, META_DEPTH, META_VALUES, META_LENGTH);
  return isPlain ? 1 : 2;
};

const typeFact = (type) => (type == null ? 0 : type === "complete" ? 1 : 2);

// Hands over a frame with the facts that `Facts` in the core is made of, found out in one look:
// reading them one by one from the wasm would cost more than all the rest.
const hand = (link, what, frame) => {
  const own = kind(frame);
  let kinds = own | 0o1666666660;
  let states = 0;
  let number = NaN;
  try {
    if (own === 5) {
      const { jsonrpc, id, method, params, result, error } = frame;
      const inside = kind(params);
      const outcome = kind(result);
      kinds = own | (kind(id) << 3) | (kind(method) << 6) | (inside << 9) | (outcome << 12) | (kind(error) << 15);
      states = (jsonrpc === "2.0" ? 3 : jsonrpc === undefined ? 0 : 2) | ((words.get(method) + 1 || 0) << 6);
      if (inside === 5) {
        kinds |= (kind(params.name) << 18) | (kind(params.arguments) << 21) | (kind(params.requestState) << 24);
        states |= metaFact(params._meta) << 2;
      } else kinds |= 0o666000000;
      // Of a frame only one of the two is looked at again.
      if (fits(outcome === 5 ? result : params, DEPTH, VALUES, Infinity)) kinds |= 1 << 27;
      if (outcome === 5) states |= typeFact(result.resultType) << 4;
      if (typeof id === "number") number = id;
    }
  } catch {
    // Somebody's getter throws: as good as nothing that could be meant for us.
    kinds = 0o1666666667;
  }
  link.arrive(what, frame, undefined, kinds, states, number);
};

const read = (link, data) => {
  if (typeof data !== "string") return hand(link, FRAME, data);
  if (data.length > link.limit) return link.arrive(OVERSIZED);
  const frame = parse(data);
  if (frame === undefined) link.arrive(GARBLED);
  else hand(link, TEXT, frame);
};

const ignore = () => {};

// Listens on a port and starts it; workers and scopes have no start(), they are started already.
export const openPort = (port, arrive, limit) => {
  const heard = ({ data }) => read(link, data);
  const broken = () => link.arrive(GARBLED);
  const link = {
    arrive,
    limit,
    send: (frame, form) => {
      if (form === 1) return port.postMessage(stringify(frame));
      try {
        port.postMessage(frame);
      } catch {
        // Something in it may not be cloneable, of which JSON knows a form all the same, as with a toJSON().
        port.postMessage(plain(frame));
      }
    },
    release: (closes) => {
      link.arrive = ignore;
      port.removeEventListener("message", heard);
      port.removeEventListener("messageerror", broken);
      // A scope's own close() would end the worker; only ports are ours to close.
      if (closes && port instanceof MessagePort) port.close();
    },
  };
  port.addEventListener("message", heard);
  port.addEventListener("messageerror", broken);
  port.start?.();
  return link;
};

// Sets our callbacks on somebody's `Transport`.
export const openCarrier = (carrier, arrive, limit) => {
  const link = {
    arrive,
    limit,
    send: (frame) => {
      const sent = carrier.send(frame);
      if (typeof sent?.then === "function") Promise.resolve(sent).catch((thrown) => link.arrive(UNSENT, frame, thrown));
    },
    start: () => new Promise((resolve) => resolve(carrier.start())).then(() => link.arrive(STARTED), (thrown) => link.arrive(NOT_STARTED, thrown)),
    // The member is optional, and a carrier that throws here still carries.
    negotiated: (revision) => carrier.setProtocolVersion?.(revision),
    release: (closes) => {
      link.arrive = ignore;
      carrier.onmessage = carrier.onerror = carrier.onclose = undefined;
      // What goes wrong while closing has nobody left to tell; it must not become an unhandled rejection.
      if (closes) new Promise((resolve) => resolve(carrier.close())).catch(ignore);
    },
  };
  carrier.onmessage = (message) => read(link, message);
  carrier.onerror = (error) => link.arrive(FAULT, error);
  carrier.onclose = () => link.arrive(CLOSED);
  return link;
};

// Sends a frame; whether that went well. If not, `takeThrown` says why.
export const send = (link, frame, form) => {
  try {
    link.send(frame, form);
    return true;
  } catch (thrown) {
    thrownLast = thrown;
    return false;
  }
};

export const start = (link) => void link.start();

export const negotiated = (link, revision) => {
  try {
    link.negotiated?.(revision);
  } catch {}
};

export const release = (link, closes) => link.release(closes);

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
