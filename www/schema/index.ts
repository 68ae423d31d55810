// The validator for JSON Schema on JavaScript values: 2020-12 unless a schema says otherwise, draft-07,
// and 2019-09 loosely. Nothing is fetched, nothing is evaluated as code, and everything is bounded.
// `format` and `content…` are notes to the reader, as 2020-12 has it.

import { compiled, type Compiled } from "./compile.js";
import type { SchemaProblem } from "./resources.js";
import { checked, type Failure } from "./run.js";
import { isObject } from "./values.js";

export type { Failure, SchemaProblem };

/** What a strange schema must not do: `trusted` is one of this page's own, which may go back to what it matched. */
export interface Trust {
  trusted?: boolean;
}

const failures = (known: Compiled, value: unknown): Failure[] | undefined =>
  known.problem ? [{ pointer: "", keyword: "schema", rule: known.problem.pointer, message: "could not be checked: " + known.problem.reason }] : checked(known.node, value);

/** What is wrong with a value; never nothing if that could not be found out. */
export const check = (schema: object, value: unknown, { trusted = true }: Trust = {}): Failure[] | undefined => failures(compiled(schema, trusted), value);

/** What is wrong with a schema. */
export const schemaProblem = (schema: object, { trusted = true }: Trust = {}): SchemaProblem | undefined => compiled(schema, trusted).problem;

/** Failures as one text that a model can act on. */
export const textOf = (found: Failure[]): string => found.map(({ pointer, keyword, message }) => (pointer && pointer + ": ") + message + " (" + keyword + ")").join("\n");

/**
 * For a client: what is wrong with a result by the tool's output schema, with the text the result has
 * all the same. A failure is not checked, nor is what is no final result, nor anything by a schema that
 * is itself unusable: `schemaProblem` tells that.
 */
export function checkResult(schema: object, result: any, { trusted = false }: Trust = {}): string | undefined {
  if (!isObject(result) || result.isError === true || (result.resultType ?? "complete") !== "complete" || schemaProblem(schema, { trusted })) return undefined;
  const found = result.structuredContent === undefined ? "structuredContent is missing" : textOf(check(schema, result.structuredContent, { trusted }) ?? []);
  const said = () => (Array.isArray(result.content) ? result.content : []).flatMap((block: any) => (block?.type === "text" ? [block.text] : []));
  return found ? ["The result does not fit the tool's outputSchema.", found, ...said()].join("\n") : undefined;
}

const foreign = new WeakSet<object>();

/** Marks a tool as somebody else's: it is not checked unless it says so, and its schemas are not trusted. */
export const markForeign = <T extends object>(tool: T): T => (foreign.add(tool), tool);

export const isForeign = (tool: object): boolean => foreign.has(tool);
