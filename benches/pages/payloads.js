// What is sent: one string, or an array of small records, of about so many bytes of JSON.
// Text is pseudo-random, so that no engine finds a short form for it, and the same in every run.

function* numbers(seed) {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state;
  }
}

const letters = "abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

export function text(length, seed = 7) {
  const source = numbers(seed);
  const parts = new Array(length);
  for (let index = 0; index < length; index++) parts[index] = letters[(source.next().value >>> 8) % letters.length];
  return parts.join("");
}

function records(bytes) {
  const list = [];
  for (let size = 2, index = 0; size < bytes; index++) {
    const record = {
      id: index,
      name: text(12, index + 1),
      email: `${text(8, index + 2).replaceAll(" ", "_")}@example.org`,
      active: index % 3 === 0,
      score: index * 1.25,
      tags: [text(5, index + 3), text(5, index + 4)],
    };
    size += JSON.stringify(record).length + 1;
    list.push(record);
  }
  return list;
}

const make = {
  "text-100": () => text(100),
  "text-10k": () => text(10_000),
  "text-1m": () => text(1_000_000),
  "records-10k": () => records(10_000),
  "records-1m": () => records(1_000_000),
  /** Arguments for a tool of tools.js, with every member there is. */
  "ten-properties": () => ({
    query: text(20), category: "music", limit: 20, offset: 0, from: "2026-01-01", until: "2026-02-01", price: 12.5, inStock: true,
    tags: ["live", "jazz"], sort: { by: "price", descending: true },
  }),
};

const made = new Map();

export function payloadOf(kind) {
  if (!made.has(kind)) made.set(kind, make[kind]());
  return made.get(kind);
}

const textOf = new WeakMap();

/** Whether a value is the payload. Records are compared as JSON text. */
export function same(value, payload) {
  if (typeof payload === "string") return value === payload;
  if (!textOf.has(payload)) textOf.set(payload, JSON.stringify(payload));
  return JSON.stringify(value) === textOf.get(payload);
}

export function insist(value, payload, who) {
  if (!same(value, payload)) throw new Error(`${who} gave a wrong answer: ${JSON.stringify(value)?.slice(0, 200)}`);
}
