// The carriers of messages: a port, or somebody's `Transport`. What comes is handed over with the facts
// one look at it finds out.

import { fits, keepThrown, kind, numberOf, parse, plain, stringify } from "./glue.js";

const ignore = () => {};

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
      states = (jsonrpc === "2.0" ? 3 : jsonrpc === undefined ? 0 : 2) | ((numberOf(method) + 1 || 0) << 6);
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

// Whether the other end of a port is still there. Ports do not say so everywhere, but a lock does: each
// end holds one for as long as it lives and names it to the other; who is granted the other's lock knows
// that its holder is gone. Locks of another origin cannot be seen, and then nothing is concluded. The
// names are in the `_meta` of what opens the conversation and of its answer; once both know each other
// so, an end also says when its lock is granted, and when it leaves. Others never hear of it.
const LOCK = "modelport/lock";
const NOTICE = "notifications/modelport/lock";

// Watches for one port until `end`; `gone` is called once, if the other end goes first.
const attend = (port, gone) => {
  const locks = globalThis.navigator?.locks;
  // Only a secure context has them.
  if (!locks?.query) return undefined;
  const name = `modelport:${crypto.randomUUID()}`;
  const ended = new AbortController();
  const { signal } = ended;
  const timers = [];
  let isHeld = false;
  let isKnown = false;
  let isWatched = false;
  // The ids of what opens the conversation, as long as its answer is to come: from here, and from there.
  let answers;
  let expects;
  const tell = (params) => isKnown && port.postMessage({ jsonrpc: "2.0", method: NOTICE, params });
  const hold = () => {
    isHeld = true;
    if (signal.aborted) return undefined;
    tell({ lock: name });
    return new Promise((resolve) => signal.addEventListener("abort", resolve));
  };
  locks.request(name, hold).catch(ignore);
  const watch = async (theirs) => {
    const { held, pending } = await locks.query();
    if (signal.aborted || isWatched || ![...held, ...pending].some((lock) => lock.name === theirs)) return;
    isWatched = true;
    await locks.request(theirs, { signal }, gone);
  };
  const meet = (theirs) => {
    if (typeof theirs !== "string") return;
    if (!isKnown) {
      isKnown = true;
      if (isHeld) tell({ lock: name });
    }
    // Its name may come before its lock is known everywhere, and its end may be too busy to say more.
    timers.push(...[0, 50, 500].map((delay) => setTimeout(() => watch(theirs).catch(ignore), delay)));
  };
  const opens = ({ method }) => method === "initialize" || method === "server/discover";
  const withLock = (body) => ({ ...body, _meta: { ...body?._meta, [LOCK]: name } });
  return {
    outgoing(frame) {
      if (opens(frame)) {
        expects = frame.id;
        return { ...frame, params: withLock(frame.params) };
      }
      if (answers === undefined || frame.id !== answers || frame.method !== undefined) return frame;
      answers = undefined;
      return isKnown && kind(frame.result) === 5 ? { ...frame, result: withLock(frame.result) } : frame;
    },
    // Whether the frame was meant for this.
    incoming(frame) {
      if (frame.method === NOTICE) {
        if (frame.params?.gone) gone();
        else meet(frame.params?.lock);
        return true;
      }
      if (opens(frame)) {
        answers = frame.id;
        meet(frame.params?._meta?.[LOCK]);
      } else if (expects !== undefined && frame.id === expects && frame.method === undefined) {
        expects = undefined;
        meet(frame.result?._meta?.[LOCK]);
      }
      return false;
    },
    end() {
      timers.forEach(clearTimeout);
      ended.abort();
      tell({ gone: true });
    },
  };
};

// Listens on a port and starts it; workers and scopes have no start(), they are started already.
export const openPort = (port, arrive, limit) => {
  const gone = () => link.arrive(CLOSED);
  // Our own halves of a page live and die together.
  const life = port instanceof MessagePort || port.terminate || port.close ? attend(port, gone) : undefined;
  const heard = ({ data }) => {
    if (life && typeof data === "object" && data !== null && life.incoming(data)) return;
    read(link, data);
  };
  const broken = () => link.arrive(GARBLED);
  const link = {
    arrive,
    limit,
    send: (sent, form) => {
      const frame = life ? life.outgoing(sent) : sent;
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
      life?.end();
      port.removeEventListener("close", gone);
      port.removeEventListener("message", heard);
      port.removeEventListener("messageerror", broken);
      // A scope's own close() would end the worker; only ports are ours to close.
      if (closes && port instanceof MessagePort) port.close();
    },
  };
  port.addEventListener("message", heard);
  port.addEventListener("messageerror", broken);
  // Some browsers tell of a port's end themselves.
  port.addEventListener("close", gone);
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
    keepThrown(thrown);
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

