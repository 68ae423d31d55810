// A port as a carrier: a `MessagePort`, a `Worker`, or a worker's own scope. What is said over it is JSON-RPC
// as structured clones or as text; two ends that know each other as Modelport's choose message by message,
// watch each other's life (liveness.js), and may agree on more: on bytes that are moved, and on a window.

import { copy, newInbox } from "./copy.js";
import { kind, parse } from "./glue.js";
import { attend } from "./liveness.js";
import { live, on } from "./live.js";
import { BINARY, buffersOf, jsonOf, noForm, survey } from "./survey.js";

// In the `_meta` of what opens the conversation and of its answer: what one end tells the other of itself.
const FACTS = "modelport/port";
// What an end says later on.
const NOTICE = "notifications/modelport/port";

// What may be sent: nothing that honest use would want more of.
const DEPTH = 1_000;
// Characters for each value beyond which a clone is quicker than text: short values cost a clone more than
// they cost JSON, and long strings less. Measured in Chromium 156.
const LONG = 300;

// The ends of this realm that want nothing special, by what they call themselves. Two that turn out to belong
// together need no port between them.
const ends = new Map();

const opens = ({ method }) => method === "initialize" || method === "server/discover";

const withFacts = (body, facts) => ({ ...body, _meta: { ...body?._meta, [FACTS]: facts } });

// JSON has no form for a part of what came: the answer that the sender of a request gets, or that whoever waits
// gets in place of the one that came; nothing, if there is nobody to tell.
export const refusalOf = ({ id, method, result }, odd) => {
  const isAnswer = kind(result) === 5;
  const message = noForm(`${isAnswer ? "result" : "params"}.${odd}`);
  const answer = isAnswer || (id !== undefined && method !== undefined) ? { jsonrpc: "2.0", id, error: { code: isAnswer ? -32603 : -32602, message } } : undefined;
  return { isAnswer, answer, message };
};

// Listens and starts the port; what it queued before arrives in order. Messages are given to `hear.frame`;
// `hear.garbled`, `hear.oversized` and `hear.closed` tell of the rest.
// The other half of a page server lives and dies with this one and takes objects only: `isPage`. What passes over
// a port that `isFollowed` is looked at by somebody else.
export const openPort = (port, options, limit, hear) => {
  const { form, transfer = false, window: room = 0, heartbeat } = options ?? {};
  const { isPage, isFollowed } = port;
  let answersInText = false;
  let isKnown = false;
  let takesBytes = false;
  let isOpen = true;
  // The ids of what opens the conversation, as long as its answer is to come: from here, and from there.
  let answers;
  let expects;
  // Messages sent and acknowledged, of this end and of the other one, which wants to know every so many.
  let sent = 0;
  let acknowledged = 0;
  let heard = 0;
  let theirRoom = 0;
  const queue = [];
  // The other end, if it is in this realm, and whether this one hands its messages over to it.
  let other;
  let isDirect = false;
  const isBare = !isPage && !isFollowed && !form && !transfer && !room && heartbeat === undefined;
  const name = isBare ? crypto.getRandomValues(new Uint32Array(4)).join() : undefined;
  const inbox = newInbox((frame) => isOpen && (incoming(frame) || hear.frame(frame)));

  // Who was told of this end with the opening has to hear of its end, even if it has not answered yet.
  const tell = (params) => (isKnown || (params.gone && expects !== undefined)) && port.postMessage({ jsonrpc: "2.0", method: NOTICE, params });
  const gone = () => isOpen && hear.closed();
  const life = isPage ? undefined : attend(tell, gone, heartbeat, heartbeat > 0);

  const meet = (facts) => {
    if (kind(facts) !== 5) return;
    const isFirst = !isKnown;
    isKnown = true;
    takesBytes = transfer && facts.bytes === true;
    if (isFirst && room) {
      sent = 0;
      tell({ window: room });
    }
    // Somebody may send one's own words back.
    if (isBare && facts.end !== name) other = ends.get(facts.end);
    life.meet(facts, isFirst);
  };
  const facts = () => ({ ...life.facts, ...(transfer && { bytes: true }), ...(isBare && { end: name }) });
  // What was posted before this arrives before it; only then the other end looks into its inbox.
  const goDirect = () => {
    tell({ direct: true });
    isDirect = true;
  };

  const outgoing = (frame) => {
    if (opens(frame)) {
      expects = frame.id;
      return { ...frame, params: withFacts(frame.params, facts()) };
    }
    if (answers === undefined || frame.id !== answers || frame.method !== undefined) return frame;
    answers = undefined;
    return isKnown && kind(frame.result) === 5 ? { ...frame, result: withFacts(frame.result, facts()) } : frame;
  };

  const goesAsText = ({ length, count }, moved) => (form ? form === "text" : isKnown ? !moved && length < LONG * count : answersInText);

  const put = (frame) => {
    if (room && isKnown) sent++;
    if (isDirect) return other.put(copy(frame));
    if (isPage) return port.postMessage(frame);
    const seen = survey(frame, DEPTH, Infinity, false, true);
    const { odd, isBeyond, marks } = seen;
    if (odd || isBeyond) throw new TypeError(odd ? noForm(odd) : "It nests without end, or cannot be read.");
    const moved = marks & BINARY && takesBytes ? buffersOf(frame) : undefined;
    if (goesAsText(seen, moved)) port.postMessage(jsonOf(frame, marks));
    else if (moved) port.postMessage(frame, moved);
    else if (marks) port.postMessage(JSON.parse(jsonOf(frame, marks)));
    else cloned(frame);
  };

  const cloned = (frame) => {
    try {
      port.postMessage(frame);
    } catch {
      // A proxy, as of a framework that watches its data, looks plain and cannot be cloned.
      port.postMessage(JSON.parse(JSON.stringify(frame)));
    }
  };

  // Room was made: those that wait are sent, in order.
  const drain = () => {
    while (queue.length && sent - acknowledged < room) {
      const { frame, resolve, reject } = queue.shift();
      try {
        resolve(put(frame));
      } catch (thrown) {
        reject(thrown);
      }
    }
  };

  const noticed = ({ lock, gone: isGone, beat, window: wanted, ack, direct }) => {
    if (isGone) gone();
    if (lock) life.meet({ lock });
    if (beat) tell({ beat: false });
    if (direct && other) {
      inbox.open();
      if (!isDirect) goDirect();
    }
    if (wanted > 0) {
      theirRoom = wanted;
      heard = 0;
    }
    if (ack > acknowledged) {
      acknowledged = ack;
      drain();
    }
  };

  // Whether the frame was meant for this.
  const incoming = (frame) => {
    if (frame.method === NOTICE) {
      if (kind(frame.params) === 5) noticed(frame.params);
      return true;
    }
    if (opens(frame)) {
      answers = frame.id;
      meet(frame.params?._meta?.[FACTS]);
    } else if (expects !== undefined && frame.id === expects && frame.method === undefined) {
      expects = undefined;
      meet(frame.result?._meta?.[FACTS]);
      if (other && !isDirect) goDirect();
    }
    if (theirRoom && ++heard % Math.ceil(theirRoom / 2) === 0) tell({ ack: heard });
    return false;
  };

  const took = ({ data }) => {
    if (isPage) return hear.frame(data);
    life.heard();
    let frame = data;
    if (typeof data === "string") {
      if (data.length > limit) return hear.oversized();
      frame = parse(data);
      if (frame === undefined) return hear.garbled();
      answersInText = true;
    }
    if (kind(frame) !== 5 || !incoming(frame)) hear.frame(frame, frame === data ? undefined : data.length);
  };

  // Some browsers tell of a port's end themselves.
  const offs = [on(port, "message", took), on(port, "messageerror", hear.garbled), on(port, "close", gone)];
  live.ports++;
  if (isBare) ends.set(name, inbox);
  port.start?.();

  return {
    takesBytes: transfer,
    isPage,
    // Throws what could not be sent; a promise, if it has to wait for room.
    send(frame) {
      const given = life ? outgoing(frame) : frame;
      if (!room || !isKnown || (!queue.length && sent - acknowledged < room)) return put(given);
      return new Promise((resolve, reject) => queue.push({ frame: given, resolve, reject }));
    },
    // JSON text of a part of a frame, if the frame would travel as text; then `post` takes the whole.
    text(part) {
      if (isDirect || isPage || room) return undefined;
      const seen = survey(part, DEPTH - 2, Infinity, false, true);
      const { odd, isBeyond, marks } = seen;
      return odd || isBeyond || !goesAsText(seen, marks & BINARY && takesBytes) ? undefined : jsonOf(part, marks);
    },
    post: (text) => port.postMessage(text),
    end(closes) {
      if (!isOpen) return;
      isOpen = false;
      live.ports--;
      ends.delete(name);
      life?.end();
      offs.forEach((off) => off());
      for (const { reject } of queue.splice(0)) reject(new Error("The port was closed."));
      // A scope's own close() would end the worker; only ports are ours to close.
      if (closes && port instanceof MessagePort) port.close();
    },
  };
};
