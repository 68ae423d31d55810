// Regular expressions run in the host's engine, which goes back over a text as often as it takes and
// cannot be stopped. So a pattern is judged before it runs. It is read as an automaton, one state for
// each character it asks for. Where a state leads back to itself in two ways on the same text, the
// engine may try every combination: such a pattern is refused. Where one loop can hand over to
// another anywhere within a text, the time is a power of the text's length: long texts are refused.
// And no pattern may leave too many choices open one after the other.

import { limits } from "./limits.js";

export const tooCostly = "pattern too costly";

let spent = 0;
const spend = (count: number) => {
  if ((spent += count) > limits.judging) throw tooCostly;
};

/** Allows the patterns of one more schema what they may cost together. */
export const allow = () => void (spent = 0);

/** The states a piece may begin with, those it may end with, and in how many ways it matches nothing. */
type Piece = [first: number[], last: number[], empty: number];

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
    spend(from.length * to.length);
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
    return [states, states, 0];
  };
  const loop = (piece: Piece) => (link(piece[1], piece[0]), piece);
  const joined = ([first, last, empty]: Piece, [next, end, none]: Piece): Piece => {
    link(last, next);
    return [empty ? [...first, ...next] : first, none ? [...end, ...last] : end, empty * none];
  };

  const token = (expression: RegExp): string | undefined => {
    expression.lastIndex = at;
    const found = expression.exec(pattern)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };

  const atom = (): Piece => {
    // What stands before `^` cannot be followed by anything.
    if (token(/\^/y)) return [[], [], 0];
    if (token(/\$|\\[bB]/y)) return [[], [], 1];
    const group = token(/\((?:\?(?:<?[=!]|<[^>]*>|:))?/y);
    if (group) {
      if (pattern[at] === "?") throw tooCostly;
      const inner = branches();
      at++;
      return /[=!]$/.test(group) ? [inner[0], [], 1] : inner;
    }
    const source = token(/\\(?:[1-9]\d*|k<[^>]*>)/y);
    if (source) {
      if (!trusted) throw tooCostly;
      const [first, last] = loop(state("[^]"));
      return [first, last, 1];
    }
    return state(token(/\[(?:\\[^]|[^\]\\])*\]|\\(?:u\{\w+\}|u\w{4}|x\w\w|c\w|[pP]\{[^}]*\}|[^])|[\ud800-\udbff][\udc00-\udfff]|[^]/y)!);
  };

  const sequence = (): Piece => {
    let piece: Piece = [[], [], 1];
    while (at < pattern.length && pattern[at] !== "|" && pattern[at] !== ")") {
      const next = atom();
      const quantifier = token(/[*+?]|\{\d+(?:,\d*)?\}/y);
      if (quantifier) {
        token(/\?/y);
        const [least, most = least] = /\d/.test(quantifier) ? quantifier.slice(1, -1).split(",").map((digits) => (digits ? +digits : Infinity)) as [number, number?] : quantifier === "?" ? [0, 1] : [+(quantifier === "+"), Infinity];
        // A number of single characters leaves no choice; only their states begin and end alike.
        if (most > 1 && (least < most || next[0] !== next[1] || next[2])) loop(next);
        // Iterations that must be may each be empty, in many orders.
        if (least > 1 && next[2]) loop(next);
        if (!least) next[2] = 1;
      }
      piece = joined(piece, next);
    }
    return piece;
  };

  const branches = (): Piece => {
    const all = [sequence()];
    while (token(/\|/y)) all.push(sequence());
    return [all.flatMap(([first]) => first), all.flatMap(([, last]) => last), all.reduce((sum, [, , empty]) => sum + empty, 0)];
  };

  const [first] = branches();
  if (at < pattern.length) throw tooCostly;

  /** How many choices follow a state one after the other, as a power of two. */
  const choices = new Map<number, number>();
  const open = (one: number): number => {
    if (!choices.has(one)) {
      choices.set(one, 0);
      const next = [...follow[one]!.keys()];
      spend(next.length ** 2);
      const rivals = next.map((x) => next.filter((y) => sets[x]! & sets[y]!).length);
      choices.set(one, Math.log2(Math.max(1, ...rivals)) + Math.max(0, ...next.map(open)));
    }
    return choices.get(one)!;
  };
  if (sets.some((_, one) => open(one) > limits.choices)) return Infinity;

  const pair = (a: number, b: number, split: boolean) => (a * sets.length + b) * 2 + +split;
  /** The pairs of states that two readings of one text may be in after the pair (a, b), with whether they ever differed. */
  const readings = (a: number, b: number): Set<number> => {
    const seen = new Set<number>();
    const left: [number, number, boolean][] = [[a, b, false]];
    for (let next; (next = left.pop()); ) {
      const [p, q, split] = next;
      for (const [x, times] of follow[p]!) {
        for (const y of follow[q]!.keys()) {
          spend(1);
          if (!(sets[x]! & sets[y]!)) continue;
          const differ = split || x !== y || (p === q && times > 1);
          const key = pair(x, y, differ);
          if (!seen.has(key)) seen.add(key), left.push([x, y, differ]);
        }
      }
    }
    return seen;
  };
  const alone = sets.map((_, one) => readings(one, one));
  const meets = (seen: Set<number>, a: number, b: number) => seen.has(pair(a, b, true));
  const loops = [...alone.keys()].filter((one) => meets(alone[one]!, one, one) || alone[one]!.has(pair(one, one, false)));
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
