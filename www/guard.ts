// Checks what a tool is given and what it returns against its own schemas, where a manager or the tool
// says so. The wasm side runs every tool through here: for a page's call, a session's and the registry's.

import { isResult } from "./generated/quick.js";
import { core } from "./load.js";
import { check, isForeign, schemaProblem, textOf, type Failure, type SchemaProblem } from "./schema/index.js";
import { isObject } from "./schema/values.js";
import { judged, validatorOf } from "./standard_schema.js";
import type { CheckMode, JsonSchema, Tool, ToolContext, ToolManagerOptions } from "./types.js";

/** Something that does not fit, or a schema that cannot be used. */
export class ToolWarningEvent extends Event {
  /** The tool's name. */
  declare readonly tool: string;
  /** The JSON Pointer of the place: in the arguments, in the result, or in the schema where `keyword` is `schema`. */
  declare readonly pointer: string;
  /** The keyword of JSON Schema that does not hold, a validator's vendor, or `schema`. */
  declare readonly keyword: string;
  /** What is wrong, in a sentence. */
  declare readonly message: string;

  /** Fired by the manager itself. */
  constructor(tool: string, { pointer, keyword, message }: Failure) {
    super("warning");
    Object.assign(this, { tool, pointer, keyword, message });
  }
}

/** How the tools of one manager are checked, and who is told. */
export interface Guard {
  options: ToolManagerOptions;
  warn(event: ToolWarningEvent): void;
}

const guards = new WeakMap<object, Guard>();

/** From now on this tool is run under this guard; one that is in several managers under the last one's. */
export function protect(tool: Tool, guard: Guard): void {
  if (typeof tool === "object" && tool) guards.set(tool, guard);
}

/** Whether the tool came by `ToolManager.add`. */
export const isProtected = (tool: Tool): boolean => guards.has(tool);

type Judge = { problem?: SchemaProblem | undefined; judge(value: unknown): Failure[] | undefined };
const judges = new WeakMap<Guard, WeakMap<object, Judge>>();

/** A schema as the guard's own validator takes it, or ours. */
function judgeOf(guard: Guard, schema: JsonSchema, trusted: boolean): Judge {
  const { validator } = guard.options;
  if (!validator) return { problem: schemaProblem(schema, { trusted }), judge: (value) => check(schema, value, { trusted }) };
  let own = judges.get(guard);
  if (!own) judges.set(guard, (own = new WeakMap()));
  let known = own.get(schema);
  if (!known) {
    try {
      known = { judge: validator(schema) };
    } catch (thrown) {
      known = { problem: { pointer: "", reason: String((thrown as Error)?.message ?? thrown) }, judge: () => undefined };
    }
    own.set(schema, known);
  }
  return known;
}

const failed = (text: string) => ({ content: [{ type: "text", text }], isError: true });

/** Goes on with a value at once, or with what a promise comes to. */
const after = <T>(value: T | PromiseLike<T>, next: (value: T) => unknown): unknown =>
  typeof value === "object" && value && typeof (value as any).then === "function" ? Promise.resolve(value).then(next) : next(value as T);

function guarded(tool: Tool, args: unknown, context: ToolContext): unknown {
  const guard = guards.get(tool);
  const foreign = isForeign(tool);
  const mode: CheckMode = tool.check ?? (foreign ? "off" : guard?.options.check) ?? "on";
  if (!guard || mode === "off") return tool.execute(args, context);
  const told = (found: Failure[]) => {
    for (const one of found) guard.warn(new ToolWarningEvent(tool.name, one));
  };
  const unusable = ({ pointer, reason }: SchemaProblem, schema: string): Failure[] => [{ pointer, keyword: "schema", rule: "", message: schema + " cannot be used: " + reason }];
  const { inputSchema, outputSchema } = tool;
  const run = (read: unknown): unknown => (outputSchema ? after(tool.execute(read, context), settled) : tool.execute(read, context));
  /** Arguments that do not fit, or cannot be judged; they are let through where that is only worth a warning. */
  const unfit = (found: Failure[], problem?: SchemaProblem): unknown => {
    if (problem || mode === "warn") told(found);
    return mode === "warn" || problem?.unwritten ? run(args) : failed("The tool did not run: its arguments do not fit.\n" + textOf(found));
  };
  const settled = (value: any): unknown => {
    const made = isResult(value);
    if (isObject(value) && "resultType" in value && value.resultType !== "complete") return value;
    if (made && value.isError === true) {
      const { structuredContent: _, ...rest } = value;
      return mode === "warn" ? value : rest;
    }
    /** What was checked is what goes out: a `toJSON` may say something else the next time. */
    const fits = (data: unknown) => (made ? { ...value, structuredContent: data } : data);
    const misfit = (found: Failure[]): unknown => {
      if (mode !== "warn") return failed("The tool ran, but its result does not fit.\n" + textOf(found));
      told(found);
      return value;
    };
    let data: unknown = made ? value.structuredContent : value;
    const validator = validatorOf(outputSchema!);
    if (validator) return after(judged(validator, data), (verdict) => (verdict.found ? misfit(verdict.found) : fits(verdict.value)));
    try {
      // What JSON makes of it is what the caller will see.
      if (typeof data === "object" && data) data = JSON.parse(JSON.stringify(data));
    } catch {
      // The wasm side says what JSON cannot carry.
      return value;
    }
    const { problem, judge } = judgeOf(guard, outputSchema!, !foreign);
    if (problem) {
      told(unusable(problem, "outputSchema"));
      return value;
    }
    const found = data === undefined ? [{ pointer: "", keyword: "outputSchema", rule: "", message: "structuredContent is missing" }] : judge(data);
    return found ? misfit(found) : fits(data);
  };
  if (!inputSchema) return run(args);
  const validator = validatorOf(inputSchema);
  if (validator) {
    return after(judged(validator, args), (verdict) => {
      if (verdict.found) return unfit(verdict.found);
      // Whoever gave up while a validator took its time does not want it to run any more.
      return context.signal.aborted ? failed("The tool did not run: its caller gave up.") : run(verdict.value);
    });
  }
  const { problem, judge } = judgeOf(guard, inputSchema, !foreign);
  const found = problem ? unusable(problem, "inputSchema") : judge(args);
  return found ? unfit(found, problem) : run(args);
}

let installed = false;

/** Puts the guard in front of every tool. */
export function install(): void {
  if (installed) return;
  core().setGuard(guarded);
  installed = true;
}
