// The type of what a schema lets through, read from the schema's own type: a JSON Schema written out as a literal,
// or a validator that follows Standard Schema. Types only.

import type { StandardSchema } from "./standard_schema.js";
import type { CallToolResult, JsonSchema, Tool, ToolContext } from "./types.js";
import type { InputRequired } from "./server_types.js";

/** What may stand for a schema: JSON Schema, or a validator that can tell its JSON Schema. */
export type Schema = JsonSchema | StandardSchema;

/** Shows an intersection as the one object that it is. */
type Flat<T> = { [K in keyof T]: T[K] };

/** A literal as it would have been written without `as const`. */
type Loose<T> = T extends object ? { -readonly [K in keyof T]: Loose<T[K]> } : T;

/** Words of `type`; anything where the schema's own type does not say which. */
type OfType<S, Name> = string extends Name ? any
  : Name extends "string" ? string
  : Name extends "number" | "integer" ? number
  : Name extends "boolean" ? boolean
  : Name extends "null" ? null
  : Name extends "array" ? OfArray<S>
  : Name extends "object" ? OfObject<S>
  : unknown;

type OfArray<S> = S extends { prefixItems: infer P extends readonly unknown[] } ? [...{ -readonly [K in keyof P]: FromSchema<P[K]> }, ...OfRest<S>]
  : S extends { items: infer I } ? FromSchema<I>[]
  : unknown[];

type OfRest<S> = S extends { items: infer I } ? (I extends false ? [] : FromSchema<I>[]) : unknown[];

type RequiredOf<S> = S extends { required: readonly (infer Name)[] } ? (string extends Name ? never : Name) : never;

type OfObject<S> = S extends { properties: infer P }
  ? Flat<{ -readonly [K in keyof P as K extends RequiredOf<S> ? K : never]: FromSchema<P[K]> } & { -readonly [K in keyof P as K extends RequiredOf<S> ? never : K]?: FromSchema<P[K]> }>
  : S extends { additionalProperties: infer A } ? (A extends boolean ? OfAny<A> : Record<string, FromSchema<A>>)
  : Record<string, unknown>;

type OfAny<A> = A extends false ? Record<string, never> : Record<string, unknown>;

type OfBase<S> = S extends { const: infer Value } ? Loose<Value>
  : S extends { enum: readonly (infer Value)[] } ? Loose<Value>
  : S extends { type: readonly (infer Name)[] } ? OfType<S, Name>
  : S extends { type: infer Name } ? OfType<S, Name>
  : S extends { properties: unknown } ? OfObject<S>
  : unknown;

type OfChoice<S> = (S extends { anyOf: readonly (infer Member)[] } ? FromSchema<Member> : unknown) & (S extends { oneOf: readonly (infer Member)[] } ? FromSchema<Member> : unknown);

/** What fits every member at once. */
type OfAll<S> = S extends { allOf: readonly (infer Member)[] } ? ((Member extends unknown ? (fits: FromSchema<Member>) => void : never) extends (fits: infer All) => void ? All : unknown) : unknown;

/**
 * What fits a JSON Schema whose own type is a literal. Understood are `const`, `enum`, `type`, `properties`, `required`,
 * `additionalProperties` (alone), `items`, `prefixItems`, `anyOf`, `oneOf` and `allOf`; everything else, such as `$ref`,
 * counts as `unknown`.
 */
export type FromSchema<S> = S extends { "~standard": unknown } ? unknown : OfBase<S> & OfChoice<S> & OfAll<S>;

/** Whether a schema's own type says nothing; `never` is what the compiler tries while it does not know yet. */
type IsWide<S> = [S] extends [never] ? true : string extends keyof S ? true : false;

/** What a tool's `execute` is given: what its `inputSchema` lets through, and what a validator makes of it. */
export type ArgsOf<S> = IsWide<S> extends true ? any
  : S extends StandardSchema ? NonNullable<S["~standard"]["types"]>["output"]
  : unknown extends FromSchema<S> ? any
  : FromSchema<S>;

/** The value that an `outputSchema` lets through. */
type ValueOf<S> = IsWide<S> extends true ? unknown : S extends StandardSchema ? NonNullable<S["~standard"]["types"]>["input"] : FromSchema<S>;

/** What a tool of this `outputSchema` may return: the value itself, or a whole result. */
export type ReturnOf<S> = ValueOf<S> | CallToolResult | InputRequired;

/** A tool whose arguments and result have the types that its schemas say. */
export interface TypedTool<In extends Schema = JsonSchema, Out extends Schema = JsonSchema> extends Omit<Tool, "inputSchema" | "outputSchema" | "execute"> {
  /** What it takes: JSON Schema, or a validator (Zod, Valibot, ArkType and others that follow Standard Schema). */
  inputSchema?: In;
  /** What its `structuredContent` looks like, likewise. */
  outputSchema?: Out;
  /** Runs the tool. What it returns becomes the result; what it throws becomes a result with `isError`. */
  execute(args: ArgsOf<In>, context: ToolContext): ReturnOf<Out> | Promise<ReturnOf<Out>>;
}

/** A tool as an author may write it, where nothing infers the types of its arguments. */
export interface ToolInput extends Omit<Tool, "inputSchema" | "outputSchema"> {
  /** What it takes: JSON Schema, or a validator (Zod, Valibot, ArkType and others that follow Standard Schema). */
  inputSchema?: Schema;
  /** What its `structuredContent` looks like, likewise. */
  outputSchema?: Schema;
}
