// Regular expressions run in the host's engine, which goes back over a text as often as it takes and
// cannot be stopped. So a pattern is judged before it runs. It is read as an automaton, one state for
// each character it asks for. Where a state leads back to itself in two ways on the same text, the
// engine may try every combination: such a pattern is refused. Where one loop can hand over to
// another anywhere within a text, the time is a power of the text's length: long texts are refused.

import { limits } from "./limits.js";

export const tooCostly = "pattern too costly";

let spent = 0;
const spend = (count: number) => {
  if ((spent += count) > limits.judging) throw tooCostly;
};

/** Allows the patterns of one more schema what they may cost together. */
export const allow = () => void (spent = 0);

/** States are numbers; `empty` is in how many ways a piece matches nothing. */
interface Piece {
  first: number[];
  last: number[];
  empty: number;
}

/** Characters that tell apart what patterns tell apart, beside those a pattern names itself; what matches none may match any. */
const samples = [...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)), ..."\u2028\u00a0éßαя中😀"];

/** The exponent of the time a pattern takes; Infinity if it may double with each character. */
export const exponentOf = (pattern: string, flags: string, trusted: boolean): number => {
  // All ends of ranges are among them, so that no two ranges overlap unnoticed.
  const coded = [...pattern.matchAll(/\\(?:x|u\{?)([\da-f]{2,5})/gi)].map(([, code]) => String.fromCodePoint(parseInt(code!, 16)));
  const texts = [...new Set([...samples, ...pattern, ...coded])];
  const sets: bigint[] = [];
  /** How often one state follows another. */
  const follow: Map<number, number>[] = [];
  let at = 0;

  const link = (from: number[], to: number[]) => {
    for (const a of from) for (const b of to) follow[a]!.set(b, (follow[a]!.get(b) ?? 0) + 1);
  };
  const known = new Map<string, bigint>();
  const state = (source: string): Piece => {
    let set = known.get(source);
    if (set === undefined) {
      spend(texts.length);
      const one = new RegExp("^(?:" + source + ")$", flags);
      set = texts.reduce((bits, text, index) => (one.test(text) ? bits | (1n << BigInt(index)) : bits), 0n) || -1n;
      known.set(source, set);
    }
    follow.push(new Map());
    const states = [sets.push(set) - 1];
    return { first: states, last: states, empty: 0 };
  };
  const loop = (piece: Piece) => (link(piece.last, piece.first), piece);
  const joined = (a: Piece, b: Piece): Piece => {
    link(a.last, b.first);
    return {
      first: a.empty ? [...a.first, ...b.first] : a.first,
      last: b.empty ? [...b.last, ...a.last] : b.last,
      empty: a.empty * b.empty,
    };
  };
  const nothing = (): Piece => ({ first: [], last: [], empty: 1 });

  const token = (expression: RegExp): string | undefined => {
    expression.lastIndex = at;
    const found = expression.exec(pattern)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };

  const atom = (): Piece => {
    // What stands before `^` cannot be followed by anything.
    if (token(/\^/y)) return { first: [], last: [], empty: 0 };
    if (token(/\$|\\[bB]/y)) return nothing();
    const group = token(/\((?:\?(?:<?[=!]|<[^>]*>|:))?/y);
    if (group) {
      if (pattern[at] === "?") throw tooCostly;
      const inner = branches();
      at++;
      return /[=!]$/.test(group) ? { first: inner.first, last: [], empty: 1 } : inner;
    }
    const source = token(/\\(?:[1-9]\d*|k<[^>]*>)/y);
    if (source) {
      if (!trusted) throw tooCostly;
      return { ...loop(state("[^]")), empty: 1 };
    }
    return state(token(/\[(?:\\[^]|[^\]\\])*\]|\\(?:u\{\w+\}|u\w{4}|x\w\w|c\w|[pP]\{[^}]*\}|[^])|[\ud800-\udbff][\udc00-\udfff]|[^]/y)!);
  };

  const sequence = (): Piece => {
    let piece = nothing();
    while (at < pattern.length && pattern[at] !== "|" && pattern[at] !== ")") {
      const states = sets.length;
      let next = atom();
      const quantifier = token(/[*+?]|\{\d+(?:,\d*)?\}/y);
      if (quantifier) {
        token(/\?/y);
        const [least, most = least] = /\d/.test(quantifier) ? quantifier.slice(1, -1).split(",").map((digits) => (digits ? +digits : Infinity)) as [number, number?] : quantifier === "?" ? [0, 1] : [+(quantifier === "+"), Infinity];
        // A number of single characters leaves no choice.
        if (most > 1 && (least < most || sets.length > states + 1)) loop(next);
        if (!least) next = { ...next, empty: 1 };
      }
      piece = joined(piece, next);
    }
    return piece;
  };

  const branches = (): Piece => {
    const all = [sequence()];
    while (token(/\|/y)) all.push(sequence());
    return {
      first: all.flatMap(({ first }) => first),
      last: all.flatMap(({ last }) => last),
      empty: all.reduce((sum, { empty }) => sum + empty, 0),
    };
  };

  const { first } = branches();
  if (at < pattern.length) throw tooCostly;

  /** The pairs of states that two readings of one text may be in after the pair (a, b), with whether they ever differed. */
  const readings = (a: number, b: number): Set<string> => {
    const seen = new Set<string>();
    const left: [number, number, boolean][] = [[a, b, false]];
    for (let next; (next = left.pop()); ) {
      const [p, q, split] = next;
      for (const [x, times] of follow[p]!) {
        for (const y of follow[q]!.keys()) {
          spend(1);
          if (!(sets[x]! & sets[y]!)) continue;
          const differ = split || x !== y || (p === q && times > 1);
          const key = [x, y, differ].join();
          if (!seen.has(key)) seen.add(key), left.push([x, y, differ]);
        }
      }
    }
    return seen;
  };
  const alone = sets.map((_, one) => readings(one, one));
  const meets = (seen: Set<string>, a: number, b: number) => seen.has([a, b, true].join());
  const loops = [...alone.keys()].filter((one) => meets(alone[one]!, one, one) || alone[one]!.has([one, one, false].join()));
  if (loops.some((one) => meets(alone[one]!, one, one))) return Infinity;
  /** How many loops in a row: one hands over to another on a text that leads back to each of them. */
  const rows = new Map<number, number>();
  const row = (one: number): number => {
    if (!rows.has(one)) rows.set(one, 1 + Math.max(0, ...loops.filter((two) => meets(alone[one]!, one, two) && meets(readings(one, two), two, two)).map(row)));
    return rows.get(one)!;
  };
  // Where no `^` comes first, all that is tried from every place in the text.
  return loops.length ? Math.max(...loops.map(row)) + +(first.length > 0) : 1;
};

/** Compiles a pattern. The error thrown is a text that says why it cannot be used. */
export const compilePattern = (pattern: string, trusted: boolean): ((text: string) => boolean) => {
  if (pattern.length > limits.pattern) throw tooCostly;
  let flags = "u";
  let expression: RegExp;
  try {
    expression = new RegExp(pattern, flags);
  } catch {
    try {
      expression = new RegExp(pattern, (flags = ""));
    } catch {
      throw "no regular expression: " + pattern;
    }
  }
  const exponent = exponentOf(pattern, flags, trusted);
  if (exponent > 9) throw tooCostly;
  const longest = Math.min(limits.text, limits.matching ** (1 / exponent));
  return (text) => {
    if (text.length > longest) throw tooCostly;
    return expression.test(text);
  };
};
