// Keywords that look at a value alone: each takes what the schema says and gives a test, and the words
// that complete "must …".

import type { Site } from "./applicators.js";
import { tick, type Test } from "./run.js";
import { identity, isMultiple, isObject, lengthOf, namesOf, show, typeNames, typesOf } from "./values.js";

export type Rule = [test: Test, words: string | ((value: any) => string)];

/** What a keyword of a schema may be, by a word that ends a refusal. */
export const is = {
  "a number": (value: unknown) => typeof value === "number",
  "a whole number that is not negative": (value: any) => Number.isInteger(value) && value >= 0,
  "a string": (value: unknown) => typeof value === "string",
  "a boolean": (value: unknown) => typeof value === "boolean",
  "an array": Array.isArray,
  "an array of strings": (value: any) => Array.isArray(value) && value.every(is["a string"]),
  "an array of schemas": (value: any) => Array.isArray(value) && value.length > 0,
  "an object": isObject,
  "more than 0": (value: any) => value > 0 && is["a number"](value),
  "a type or a list of types": (value: any) => [value].flat().every((name) => typeNames.includes(name)) && value.length > 0,
};

export type Form = keyof typeof is;

const brief = (value: unknown) => {
  const text = JSON.stringify(value);
  return text.length > 400 ? text.slice(0, 400) + "…" : text;
};

/** Of other types than it is for, a size is `undefined`, which no comparison holds for. */
const sizes = {
  Length: ["characters", (value: any, bound: number) => (typeof value === "string" ? lengthOf(value, bound) : undefined)],
  Items: ["items", (value: any) => (Array.isArray(value) ? value.length : undefined)],
  Properties: ["members", (value: any) => (isObject(value) ? namesOf(value).length : undefined)],
} as const;

const number = (words: string, holds: (value: number, bound: number) => boolean): [Form, (bound: number) => Rule] => [
  "a number",
  (bound) => [(value) => typeof value !== "number" || holds(value, bound), "be " + words + bound],
];

const among = (list: unknown[]): Test => {
  const plain = new Set(list);
  const others = new Set(list.map((value) => identity(value)));
  return (value) => (typeof value === "object" && value !== null ? others.has(identity(value)) : plain.has(value));
};

const mask = (names: string[]) => names.reduce((bits, name) => bits | (1 << typeNames.indexOf(name)), 0);

export const assertions: Record<string, [Form | undefined, (value: any, site: Site) => Rule]> = {
  type: ["a type or a list of types", (names) => {
    const wanted = mask([names].flat());
    return [(value) => (typesOf(value) & wanted) > 0, "be " + [names].flat().join(" or ")];
  }],
  const: [undefined, (wanted) => [among([wanted]), "be " + brief(wanted)]],
  enum: ["an array", (list) => [among(list), "be one of " + brief(list)]],
  minimum: number("at least ", (value, bound) => value >= bound),
  maximum: number("at most ", (value, bound) => value <= bound),
  exclusiveMinimum: number("more than ", (value, bound) => value > bound),
  exclusiveMaximum: number("less than ", (value, bound) => value < bound),
  multipleOf: ["more than 0", (factor) => [(value) => typeof value !== "number" || isMultiple(value, factor), "be a multiple of " + factor]],
  pattern: ["a string", (pattern, site) => {
    const matches = site.pattern(pattern, "pattern");
    return [(value) => typeof value !== "string" || matches(value), "match the pattern " + pattern];
  }],
  uniqueItems: ["a boolean", (asked) => {
    const test: Test = (value) => {
      if (!asked || !Array.isArray(value)) return true;
      tick(value.length);
      return new Set(value.map((item) => identity(item))).size === value.length;
    };
    return [test, "have no two equal items"];
  }],
};

for (const [name, [noun, size]] of Object.entries(sizes)) {
  const words = (amount: string, bound: number) => (value: any) => "have " + amount + bound + " " + noun + (noun[0] === "c" ? "" : ", but has " + size(value, bound));
  assertions["min" + name] = ["a whole number that is not negative", (bound) => [(value) => !(size(value, bound)! < bound), words("at least ", bound)]];
  assertions["max" + name] = ["a whole number that is not negative", (bound) => [(value) => !(size(value, bound)! > bound), words("at most ", bound)]];
}

/** The whole sentence for a value that fails. */
export const sentence = (words: Rule[1], value: unknown) => "must " + (typeof words === "string" ? words + ", but is " + show(value) : words(value));
