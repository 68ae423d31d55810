// Deep copies of messages, and handing them over within a realm: like a MessageChannel to whoever uses it, but
// what is given comes out in a microtask, and only objects and arrays are copied.

import { inTask } from "./live.js";
import { jsonText } from "./survey.js";

// One message in so many goes by way of a task, so that a page that calls in a loop still paints.
const BREATHER = 100;

class Unusual extends Error {}

// The same as a trip through JSON text, for values that hold nothing unusual: strings are shared, as nobody
// can change them. Throws what would not look the same after such a trip.
const copyPlain = (value) => {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      // JSON has neither an infinity nor a negative zero.
      return Number.isFinite(value) ? value + 0 : null;
    case "object":
      return value === null ? null : copyObject(value);
    default:
      throw new Unusual();
  }
};

const copyObject = (value) => {
  if ("toJSON" in value) throw new Unusual();
  if (Array.isArray(value)) {
    const made = new Array(value.length);
    for (let place = 0; place < made.length; place++) made[place] = value[place] === undefined ? null : copyPlain(value[place]);
    return made;
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw new Unusual();
  const made = {};
  for (const name of Object.keys(value)) {
    const member = value[name];
    // Setting this one would not make a member.
    if (name === "__proto__") throw new Unusual();
    if (member !== undefined) made[name] = copyPlain(member);
  }
  return made;
};

// A deep copy of what JSON makes of a value. Throws for what JSON has no form for.
export const copy = (value) => {
  try {
    return copyPlain(value);
  } catch {
    // Dates, bytes, cycles, getters that throw: JSON has an answer for each, even if it is an error.
    return JSON.parse(jsonText(value));
  }
};

// Keeps what is put in until it is opened; then `take` gets each message, in order.
export const newInbox = (take) => {
  let queue = [];
  let isOpen = false;
  let isDue = false;
  let turns = 0;
  const pour = () => {
    isDue = false;
    const messages = queue;
    queue = [];
    for (const message of messages) take(message);
  };
  const schedule = () => {
    isDue = true;
    if (++turns % BREATHER) queueMicrotask(pour);
    else inTask(pour);
  };
  return {
    put(message) {
      queue.push(message);
      if (isOpen && !isDue) schedule();
    },
    open() {
      isOpen = true;
      if (queue.length && !isDue) schedule();
    },
  };
};
