// The state of the one check under way: what is told about it, how deep it is and what it has cost.
// A check first runs quietly, where every rule ends at its first failure; only a value that fails is
// looked at again, aloud.

import { limits } from "./limits.js";

/** One thing wrong with a value, told so that a language model can put it right. */
export interface Failure {
  /** The JSON Pointer of the place in the value. */
  pointer: string;
  /** The keyword that was not met; `false schema` where the schema is `false`, `limit` where a limit ended the check. */
  keyword: string;
  /** The JSON Pointer of that keyword in the schema, behind all references. */
  rule: string;
  /** What to do, such as `must be string, but is 3`. */
  message: string;
}

export type Key = string | number;
export type Test = (value: any) => boolean;

/** A compiled subschema. Its test is put in once all nodes are known, so whoever asks holds the node. */
export interface Node {
  test: Test;
  /** Nodes asked about the very same value. */
  same: Node[];
  at: string;
}

let told: Failure[] | undefined;
let path: Key[] = [];
let depth = 0;
let steps = 0;
/** Members or items evaluated so far, where anybody will ask. */
let marks: Set<Key> | undefined;
/** The resources entered, the outermost first. */
let entered: object[] = [];

export const tooDeep = "it is nested too deeply";

export const escaped = (key: Key) => "/" + String(key).replaceAll("~", "~0").replaceAll("/", "~1");

export const tick = (count: number) => {
  if ((steps += count) > limits.steps) throw "it takes too many steps";
};

/** Notes a failure if anybody listens; always false. */
export const fail = (rule: string, keyword: string, message: () => string): false => {
  if (told) {
    told.push({ pointer: path.map(escaped).join(""), keyword, rule: rule + (keyword === never ? "" : "/" + keyword), message: message() });
    if (told.length >= limits.failures) throw "there is more";
  }
  return false;
};

export const never = "false schema";

/** Whether a rule that failed may as well end: nobody listens. */
export const quiet = () => !told;

/** A test that asks others: counted, and stopped when too many are at work within each other. */
export const counted = (test: Test, cost: number): Test => (value) => {
  if (++depth > limits.depth) throw tooDeep;
  tick(cost);
  const valid = test(value);
  depth--;
  return valid;
};

/** The same in a schema that asks what has been evaluated, or refers to what is being entered. */
export const scoped = (test: Test, resource: object): Test => (value) => {
  const outer = marks;
  const own = (marks = new Set());
  entered.push(resource);
  const valid = test(value);
  entered.pop();
  marks = outer;
  if (valid && outer) for (const key of own) outer.add(key);
  return valid;
};

export const mark = (key: Key) => marks?.add(key);
export const isMarked = (key: Key) => marks?.has(key);
export const within = () => entered;

/** Asks about a member or an item. */
export const part = (node: Node, value: unknown, key: Key): boolean => {
  const outer = marks;
  outer?.add(key);
  marks = undefined;
  told && path.push(key);
  const valid = node.test(value);
  told && path.pop();
  marks = outer;
  return valid;
};

/** Asks only to know. */
export const quietly = (node: Node, value: unknown): boolean => {
  const outer = told;
  told = undefined;
  const valid = node.test(value);
  told = outer;
  return valid;
};

/** The same, and what it evaluates does not count. */
export const aside = (node: Node, value: unknown): boolean => {
  const outer = marks;
  marks = undefined;
  const valid = quietly(node, value);
  marks = outer;
  return valid;
};

let explaining = false;

/** Where no branch matches: tells the failures of the one that comes closest, if one does. */
export const explain = (branches: Node[], value: unknown): false => {
  if (!told || explaining) return false;
  const outer = told;
  const here = path.length;
  explaining = true;
  const heard = branches.map((branch) => {
    const own: Failure[] = (told = []);
    branch.test(value);
    // How far the value is from what a branch is for: its type, and the words that tell branches apart.
    const weigh = ({ pointer, keyword }: Failure) => {
      const below = pointer.split("/").length - 1 - here;
      if (/^(type|false schema)$/.test(keyword)) return below ? 0 : 4;
      if (/^(const|enum)$/.test(keyword)) return below > 1 ? 0 : 2;
      return !below && /^(required|additionalProperties)$/.test(keyword) ? 1 : 0;
    };
    return { own, far: own.reduce((sum, one) => sum + weigh(one), 0) };
  });
  explaining = false;
  told = outer;
  heard.sort((a, b) => a.far - b.far);
  if (heard[0]!.far < (heard[1]?.far ?? Infinity)) {
    for (const one of heard[0]!.own) if (outer.push(one) >= limits.failures) throw "there is more";
  }
  return false;
};

const begin = (list?: Failure[]) => {
  told = list;
  path = [];
  entered = [];
  marks = undefined;
  depth = steps = 0;
  explaining = false;
};

/** Whether a value passes. What is wrong otherwise, or which limit came first, which is never a pass. */
export const checked = (node: Node, value: unknown): Failure[] | undefined => {
  // A getter within the value may start a check of its own.
  const before = [told, path, entered, marks, depth, steps, explaining] as const;
  const found: Failure[] = [];
  try {
    begin();
    if (node.test(value)) return undefined;
    begin(found);
    node.test(value);
  } catch (stop) {
    if (!found.length) found.push({ pointer: "", keyword: "limit", rule: "", message: "could not be checked: " + (typeof stop === "string" ? stop : stop instanceof RangeError ? tooDeep : "it cannot be read") });
  } finally {
    [told, path, entered, marks, depth, steps, explaining] = before;
  }
  return found;
};
