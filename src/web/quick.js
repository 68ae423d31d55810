// Tool calls that want nothing but an answer, at both ends of a link, without a trip through the wasm. Whatever
// turns out to be more than that is handed to the core, which goes on with it as if it had had it from the start.

import { kind, numberOf, now, stringify, textResult } from "./glue.js";
import { clearTimer, setTimer } from "./live.js";
import { abortContext, adopt, attempt, Context, takeOutcome } from "./run.js";

// What `arrive` is told beside what link.js tells it.
const FRAME = 0;
const CHANGED = 9;

// The facts of link.js about a request with a number, a name, arguments and no state, within the usual limits, and
// about a result under a number.
const CALL = 0o1653665325;
const RESULT = 0o1666656625;
const VERSION = 3;
const PLAIN = 1 << 2;
const COMPLETE = 1 << 4;
const wordAt = (number) => (number + 1) << 6;

// The text of frames, up to what differs.
const HEAD = '{"jsonrpc":"2.0","id":';
const CALLS = ',"method":"tools/call","params":{"name":';

// Calls that went on for longer than the next message, beyond which the core takes all from the start: it counts.
const MANY = 1_000;

// Milliseconds after which a call is the core's, which has a clock for it.
const LONG = 1_000;

// Counts how often the tools of a server have changed.
export const newTools = () => ({ changes: 0 });

export const changed = (tools) => void tools.changes++;

const isBlock = (block) => (block?.type === "text" ? typeof block.text === "string" : /^(image|audio|resource|resource_link)$/.test(block?.type));

// Whether a value is a result as it is. The core says the same of it.
export const isResult = (value) => kind(value) === 5 && Array.isArray(value.content) && value.content.every(isBlock);

// The result for the usual values, as the core makes it; undefined for all others.
const resultOf = (value, hasSchema) => {
  if (typeof value === "string") return hasSchema ? undefined : textResult(value);
  if (kind(value) !== 5) return undefined;
  try {
    if ("resultType" in value || "_meta" in value) return undefined;
    if (isResult(value)) return kind(value.structuredContent ?? {}) === 5 ? { ...value } : undefined;
    const text = stringify(value);
    const copy = JSON.parse(text);
    return kind(copy) === 5 ? { ...textResult(text), structuredContent: copy } : undefined;
  } catch {
    return undefined;
  }
};

// One run. It has a number once the core has taken it over, and is over when nothing more is to come of it here.
class Run {
  number = 0;
  isOver = false;
  status = undefined;
  value = undefined;

  constructor(end, frame, facts, known, isOld) {
    this.end = end;
    this.frame = frame;
    this.facts = facts;
    this.known = known;
    this.isOld = isOld;
    this.changes = end.tools.changes;
    this.context = new Context(this, end.hooks, known.caller, frame.params);
  }

  // Hands it over, running or with what came of it.
  adopt() {
    const { end, frame, facts } = this;
    end.run = undefined;
    adopt(frame.params, this);
    end.link.arrive(FRAME, frame, undefined, ...facts);
    // There was no room for it: it has been refused.
    if (!this.number) this.give("the call was refused");
  }

  // Nobody waits for it any more.
  give(reason) {
    this.isOver = true;
    abortContext(this.context, reason);
  }

  // The core goes on with it, and learns what came of it as far as that is known: see `invoke`.
  take(number) {
    const { end, context, status, value } = this;
    this.number = number;
    if (status !== undefined) return [status, value];
    Context.bind(context, number, end.core);
    end.many++;
    return [2, context];
  }

  settle(status, value) {
    const { end, known, number } = this;
    if (number) {
      end.many--;
      return status ? end.core.threw(number, value) : end.core.returned(number, value);
    }
    if (this.isOver) return;
    end.run = undefined;
    const result = status ? undefined : resultOf(value, known.hasSchema);
    if (result) {
      // The peer hears of what the tool changed before it acts on the answer.
      if (this.changes !== end.tools.changes) end.link.arrive(CHANGED);
      try {
        this.answer(result);
        this.isOver = true;
        return;
      } catch {
        // The core says why it cannot be sent.
      }
    }
    this.status = status;
    this.value = value;
    this.adopt();
  }

  answer(result) {
    const { link, stamp, tail } = this.end;
    const { id } = this.frame;
    const text = link.text(result);
    if (text) link.post(HEAD + id + ',"result":' + (this.isOld ? text + "}" : text.slice(0, -1) + tail));
    else link.send({ jsonrpc: "2.0", id, result: this.isOld ? result : { ...result, _meta: stamp, resultType: "complete" } });
  }
}

// Serves the calls that come over a link. `find` says what tool there is of a name, if it is a script's and the peer
// has said who it is; `core` are the hooks of the runs it has taken over.
export const serve = (link, tools, stamp, find, core) => {
  const tail = `,"_meta":${JSON.stringify(stamp)},"resultType":"complete"}}`;
  const passOn = (hook) => (run, ...words) => {
    if (!run.number && !run.isOver) run.adopt();
    // One that is over has no number there, and hears that it has ended.
    return core[hook](run.number, ...words);
  };
  const log = passOn("logged");
  // Without a handshake nobody hears of progress or reads a log who has not asked for it.
  const hooks = { progressed() {}, logged: (run, ...words) => run.isOld && log(run, ...words), asked: passOn("asked") };
  const end = { link, tools, stamp, tail, core, hooks, run: undefined, many: 0 };
  // Ids that rise are nobody else's. Only the core knows whether another one is free.
  let highest = 0;
  let byName;
  let changes;
  const old = VERSION | wordAt(numberOf("tools/call"));
  link.quick = (frame, ...facts) => {
    end.run?.adopt();
    const [kinds, more, id] = facts;
    if (!(id > highest)) return false;
    highest = id;
    const isOld = more === old;
    if (kinds !== CALL || (!isOld && more !== (old | PLAIN)) || !Number.isSafeInteger(id) || end.many > MANY) return false;
    if (changes !== tools.changes) {
      byName = new Map();
      changes = tools.changes;
    }
    const { name, arguments: args } = frame.params;
    let known = byName.get(name);
    if (!known || (isOld && !known.isOld)) {
      known = find(name);
      if (!known || (isOld && !known.isOld)) return false;
      byName.set(name, known);
    }
    const run = new Run(end, frame, facts, known, isOld);
    end.run = run;
    const status = attempt(known.tool, args, run.context);
    const value = takeOutcome();
    if (status < 2) run.settle(status, value);
    else
      Promise.resolve(value).then(
        (settled) => run.settle(0, settled),
        (thrown) => run.settle(1, thrown),
      );
    return true;
  };
  link.held = () => (end.run ? 1 : 0);
  link.leave = (reason) => {
    end.run?.give(reason);
    end.run = undefined;
  };
};

// Ids that are taken from the core at once.
const BLOCK = 100;

// What a session knows of a tool; `isOld` is that there was a handshake.
export const tool = (tool, hasSchema, caller, isOld) => (caller.client ? { tool, hasSchema, caller, isOld } : undefined);

// Calls tools over a link: `call(name, args)` resolves to the result. `meta` is there without a handshake. `ids` gives
// the first of so many ids in a row; `hand` gives the core a call that was sent, and whoever waits for it under the
// number `enter` gives.
export const callOver = (link, meta, ids, hand, enter) => {
  if (!link.isQuick) return undefined;
  const tail = meta ? `,"_meta":${JSON.stringify(meta)}}}` : "}}";
  const waiting = new Map();
  let last = 0;
  let end = 0;
  let timer;
  const handOver = (id, waiter) => {
    waiting.delete(id);
    hand(id, waiter.name, waiter.args, enter(waiter), waiter.sent);
  };
  const look = () => {
    const due = now() - LONG / 2;
    for (const [id, waiter] of waiting) if (waiter.sent < due) handOver(id, waiter);
    timer = waiting.size ? setTimer(look, LONG) : undefined;
  };
  link.quick = (frame, kinds, states) => {
    if (!waiting.size || kind(frame) !== 5 || frame.method !== undefined) return false;
    const { id } = frame;
    const waiter = waiting.get(id);
    if (!waiter) return false;
    if (kinds !== RESULT || (states | COMPLETE) !== (VERSION | COMPLETE)) {
      handOver(id, waiter);
      return false;
    }
    waiting.delete(id);
    waiter.resolve(frame.result);
    return true;
  };
  link.held = () => waiting.size;
  link.leave = () => {
    clearTimer(timer);
    for (const [id, waiter] of [...waiting]) handOver(id, waiter);
  };
  const call = (name, args) =>
    new Promise((resolve, reject) => {
      // Ids rise, whoever sends.
      if (last === end || link.isBehind) {
        link.isBehind = false;
        last = ids(BLOCK) - 1;
        end = last + BLOCK;
      }
      const id = ++last;
      const waiter = { resolve, reject, name, args, sent: now() };
      waiting.set(id, waiter);
      timer ??= setTimer(look, LONG);
      const frame = { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args, ...(meta && { _meta: meta }) } };
      try {
        const text = link.text(args);
        if (text) link.post(HEAD + id + CALLS + JSON.stringify(name) + ',"arguments":' + text + tail);
        else link.send(frame);
      } catch (thrown) {
        handOver(id, waiter);
        link.unsent(frame, thrown);
      }
    });
  return (name, args) => (link.quick && typeof name === "string" && kind(args) === 5 ? call(name, args) : undefined);
};
