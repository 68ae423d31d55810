// Validators as schemas: those that follow Standard Schema and can tell their JSON Schema, as Zod, Valibot
// (by `toStandardJsonSchema`) and ArkType do. What a peer sees is the JSON Schema; what checks is the validator.

import { ModelportError } from "./error.js";
import type { ToolInput } from "./infer.js";
import type { Failure } from "./schema/index.js";
import type { JsonSchema, Tool } from "./types.js";

/** A validator by the interface that its library shares with others (Standard Schema 1, with its JSON Schema part). */
export interface StandardSchema<Input = unknown, Output = Input> {
  /** Everything there is to know of it. */
  readonly "~standard": {
    /** Of the interface. */
    readonly version: 1;
    /** The library's name. */
    readonly vendor: string;
    /** What a value becomes, or what is wrong with it. */
    readonly validate: (value: any, ...rest: any[]) => Verdict<Output> | Promise<Verdict<Output>>;
    /** Types only: what goes in and what comes out. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    /** Its JSON Schema, on the side that goes in and on the one that comes out. */
    readonly jsonSchema?: { readonly input: Describe; readonly output: Describe } | undefined;
  };
}

type Describe = (options: { readonly target: any }) => Record<string, unknown>;

/** What a validator says of a value. */
export type Verdict<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined }[] };

/** The validators that tools were given, by the JSON Schema that stands for each. */
const validators = new WeakMap<object, StandardSchema>();

/** The validator behind a tool's schema, if it was given as one. */
export const validatorOf = (schema: object): StandardSchema | undefined => validators.get(schema);

type Member = "inputSchema" | "outputSchema";

/** The validator in a schema's place. What throws when it is looked at is the wasm side's to refuse. */
function validatorIn(tool: ToolInput, member: Member): StandardSchema | undefined {
  try {
    const schema: unknown = tool[member];
    return schema && (typeof schema === "function" || typeof schema === "object") && "~standard" in schema ? (schema as StandardSchema) : undefined;
  } catch {
    return undefined;
  }
}

/** Revisions of JSON Schema to ask for, in this order: ArkType and Zod know both, older ones may know the second only. */
const TARGETS = ["draft-2020-12", "draft-07"];

function described(name: string, member: Member, schema: StandardSchema): JsonSchema {
  const { vendor, jsonSchema } = schema["~standard"];
  const side = member === "inputSchema" ? "input" : "output";
  let cause: unknown;
  for (const target of jsonSchema ? TARGETS : []) {
    try {
      const made = jsonSchema![side]({ target });
      validators.set(made, schema);
      return made;
    } catch (thrown) {
      cause ??= thrown;
    }
  }
  const why = jsonSchema ? `has no form in JSON Schema: ${(cause as Error)?.message ?? cause}` : "does not tell its JSON Schema. Valibot: wrap it in toStandardJsonSchema; else take a newer version, or write the JSON Schema";
  throw new ModelportError("invalid-argument", `${member} of ${name}: this schema of ${vendor} ${why}.`, { cause });
}

/** The tool as everybody else takes it; the same object where no schema of it is a validator. */
export function withJsonSchemas(tool: ToolInput): Tool {
  const found: PropertyDescriptorMap = {};
  if (tool && typeof tool === "object") {
    for (const member of ["inputSchema", "outputSchema"] as const) {
      const schema = validatorIn(tool, member);
      if (schema) found[member] = { value: described(String(tool.name), member, schema), enumerable: true };
    }
  }
  // Behind it stays the author's own object, whatever its members are.
  return (Object.keys(found).length ? Object.create(tool, found) : tool) as Tool;
}

/** The JSON Pointer of an issue. */
const pointerOf = (path: readonly (PropertyKey | { readonly key: PropertyKey })[] = []) =>
  path.map((step) => "/" + String(typeof step === "object" ? step.key : step).replaceAll("~", "~0").replaceAll("/", "~1")).join("");

/** What a validator makes of a value, or the failures it finds. */
export function judged(schema: StandardSchema, value: unknown): Judged | Promise<Judged> {
  const { vendor, validate } = schema["~standard"];
  const read = (verdict: Verdict<unknown>): Judged =>
    verdict.issues ? { found: verdict.issues.map(({ message, path }) => ({ pointer: pointerOf(path), keyword: vendor, rule: "", message })) } : { value: verdict.value };
  const verdict = validate(value);
  return verdict instanceof Promise ? verdict.then(read) : read(verdict);
}

/** A value that fits, as the validator gives it back, or what is wrong with it. */
export type Judged = { value: unknown; found?: undefined } | { found: Failure[] };
