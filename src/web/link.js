// The carriers of messages: a port, or somebody's `Transport`. What comes is handed over with the facts
// one look at it finds out.

import { fits, keepThrown, kind, numberOf, parse } from "./glue.js";
import { openPort as openCarrying, refusalOf } from "./port.js";
import { survey } from "./survey.js";

const ignore = () => {};

// What `arrive` is told, by the numbers that link.rs knows.
const FRAME = 0;
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
// reading them one by one from the wasm would cost more than all the rest. One that came as JSON text of so few
// characters has nothing odd in it, and cannot nest too deeply.
const hand = (link, frame, characters) => {
  const own = kind(frame);
  let kinds = own | 0o1666666660;
  let states = 0;
  let number = NaN;
  let size = 0;
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
      if (characters < 2 * DEPTH) {
        kinds |= 1 << 27;
        size = characters;
      } else {
        const { odd, isBeyond, count, length } = survey(outcome === 5 ? result : params, DEPTH, VALUES, link.isOurs, link.takesBytes);
        if (odd) return refuse(link, frame, odd);
        if (!isBeyond) kinds |= 1 << 27;
        size = length + 8 * count;
      }
      if (outcome === 5) states |= typeFact(result.resultType) << 4;
      if (typeof id === "number") number = id;
    }
  } catch {
    // Somebody's getter throws: as good as nothing that could be meant for us.
    kinds = 0o1666666667;
  }
  if (link.quick?.(frame, kinds, states, number, size)) return;
  link.arrive(FRAME, frame, undefined, kinds, states, number, size);
};

const refuse = (link, frame, odd) => {
  const { isAnswer, answer, message } = refusalOf(frame, odd);
  if (!answer) link.arrive(FAULT, new TypeError(message));
  else if (isAnswer) hand(link, answer);
  else send(link, answer);
};

const read = (link, data) => {
  if (typeof data !== "string") return hand(link, data);
  if (data.length > link.limit) return link.arrive(OVERSIZED);
  const frame = parse(data);
  if (frame === undefined) link.arrive(GARBLED);
  else hand(link, frame);
};

// Tells if a carrier that has taken a frame refuses it later.
const watched = (link, frame, sent) => {
  if (typeof sent?.then === "function") Promise.resolve(sent).catch((thrown) => link.arrive(UNSENT, frame, thrown));
};

// Listens on a port and starts it, with the options of `MessagePortTransport`.
export const openPort = (port, options, arrive, limit) => {
  const hear = {
    frame: (frame, characters) => hand(link, frame, characters),
    garbled: () => link.arrive(GARBLED),
    oversized: () => link.arrive(OVERSIZED),
    closed: () => link.arrive(CLOSED),
  };
  const link = {
    arrive,
    send: (frame) => watched(link, frame, carrier.send(frame)),
    unsent: (frame, thrown) => link.arrive(UNSENT, frame, thrown),
    release: (closes) => {
      link.leave?.("the session was closed");
      link.arrive = ignore;
      link.quick = undefined;
      carrier.end(closes);
    },
  };
  const carrier = openCarrying(port, options, limit, hear);
  // What comes as a clone is nobody else's; the other half of a page gives copies that are tidy already.
  link.isOurs = !carrier.isPage;
  link.takesBytes = carrier.takesBytes;
  link.text = carrier.text;
  link.post = carrier.post;
  // Where sending may have to wait for room, only the core follows what becomes of it.
  link.isQuick = !options?.window;
  return link;
};

// Sets our callbacks on somebody's `Transport`.
export const openCarrier = (carrier, arrive, limit) => {
  const link = {
    arrive,
    limit,
    send: (frame) => watched(link, frame, carrier.send(frame)),
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
export const send = (link, frame) => {
  link.isBehind = true;
  try {
    link.send(frame);
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

// How many calls a link deals with by itself.
export const held = (link) => link.held?.() ?? 0;
