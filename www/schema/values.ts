// What JSON Schema says of values as such: their types, when two are equal, and multiples of decimals.

import { limits } from "./limits.js";
import { tick, tooDeep } from "./run.js";

export const typeNames = ["boolean", "integer", "number", "string", "array", "object", "null"];

/** The types a value has, as bits in the order of their names. What JSON cannot carry has none. */
export const typesOf = (value: unknown): number => {
  switch (typeof value) {
    case "string": return 8;
    case "number": return Number.isInteger(value) ? 6 : Number.isFinite(value) ? 4 : 0;
    case "boolean": return 1;
    case "object": return value === null ? 64 : Array.isArray(value) ? 16 : 32;
    default: return 0;
  }
};

export const isObject = (value: any): boolean => typeof value === "object" && value !== null && !Array.isArray(value);

/** The members JSON would write. */
export const namesOf = (value: any): string[] => {
  const names = Object.keys(value);
  tick(names.length);
  return names.filter((name) => value[name] !== undefined);
};

/** Whether JSON would write this member: `odd` names are those that every object answers to. */
export const has = (value: any, name: string, odd = name in Object.prototype): boolean => value[name] !== undefined && (!odd || Object.hasOwn(value, name));

/** The length in code points, or any that is on the same side of the bound and cheaper to find. */
export const lengthOf = (text: string, bound: number): number => {
  const units = text.length;
  if (units < bound || units > bound * 2) return units;
  tick(units >> 6);
  let length = 0;
  for (const _ of text) length++;
  return length;
};

/** What equal values share and no others have. */
export const identity = (value: any, level = 0): unknown => {
  if (typeof value !== "object" || value === null) return typeof value === "string" ? "\"" + value : value;
  if (level > limits.depth) throw tooDeep;
  const text = (inner: any): string => {
    if (typeof inner !== "string") return String(identity(inner, level + 1));
    tick(inner.length >> 6);
    return JSON.stringify(inner);
  };
  if (Array.isArray(value)) return tick(value.length + 1), "[" + value.map(text).join() + "]";
  return "{" + namesOf(value).sort().map((name) => text(name) + text(value[name])).join() + "}";
};

/** A number as digits and the power of ten they are multiplied with. */
const decimal = (number: number): [bigint, number] => {
  const [digits, power] = Math.abs(number).toExponential().split("e") as [string, string];
  const [whole, fraction = ""] = digits.split(".") as [string, string?];
  return [BigInt(whole + fraction), +power - fraction.length];
};

/** Whether a number is a multiple of a positive one, both meant as they are written: 0.3 is one of 0.1. */
export const isMultiple = (number: number, factor: number): boolean => {
  if (Number.isSafeInteger(number) && Number.isSafeInteger(factor)) return number % factor === 0;
  if (!Number.isFinite(number)) return false;
  const [a, above] = decimal(number);
  const [b, below] = decimal(factor);
  const least = Math.min(above, below);
  const scaled = (digits: bigint, power: number) => digits * 10n ** BigInt(power - least);
  return scaled(a, above) % scaled(b, below) === 0n;
};

/** A value in a sentence. */
export const show = (value: any): string => {
  if (typeof value === "string") return JSON.stringify(value.length > 80 ? value.slice(0, 80) + "…" : value);
  if (Array.isArray(value)) return "an array of " + value.length;
  return typeof value === "object" && value ? "an object" : String(value);
};
