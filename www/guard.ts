// Checks what a tool is given and what it returns against its own schemas, where a manager or the tool
// says so. The wasm side runs every tool through here: for a page's call, a session's and the registry's.

import { isResult } from "./generated/quick.js";
import { core } from "./load.js";
import { check, isForeign, schemaProblem, textOf, type Failure, type SchemaProblem } from "./schema/index.js";
import { isObject } from "./schema/values.js";
import type { CheckMode, JsonSchema, Tool, ToolContext, ToolManagerOptions } from "./types.js";

/** Something that does not fit, or a schema that cannot be used. */
export class ToolWarningEvent extends Event {
  /** The tool's name. */
  declare readonly tool: string;
  /** The JSON Pointer of the place: in the arguments, in the result, or in the schema where `keyword` is `schema`. */
  declare readonly pointer: string;
  declare readonly keyword: string;
  declare readonly message: string;

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

function guarded(tool: Tool, args: unknown, context: ToolContext): unknown {
  const guard = guards.get(tool);
  const foreign = isForeign(tool);
  const mode: CheckMode = tool.check ?? (foreign ? "off" : guard?.options.check) ?? "on";
  const run = () => tool.execute(args, context);
  if (!guard || mode === "off") return run();
  const told = (found: Failure[]) => {
    for (const one of found) guard.warn(new ToolWarningEvent(tool.name, one));
  };
  const unusable = ({ pointer, reason }: SchemaProblem, schema: string): Failure[] => [{ pointer, keyword: "schema", rule: "", message: schema + " cannot be used: " + reason }];
  const { inputSchema, outputSchema } = tool;
  if (inputSchema) {
    const { problem, judge } = judgeOf(guard, inputSchema, !foreign);
    const found = problem ? unusable(problem, "inputSchema") : judge(args);
    if (found) {
      if (problem || mode === "warn") told(found);
      if (mode !== "warn" && !problem?.unwritten) return failed("The tool did not run: its arguments do not fit.\n" + textOf(found));
    }
  }
  if (!outputSchema) return run();
  const settled = (value: any): unknown => {
    const made = isResult(value);
    if (isObject(value) && "resultType" in value && value.resultType !== "complete") return value;
    if (made && value.isError === true) {
      const { structuredContent: _, ...rest } = value;
      return mode === "warn" ? value : rest;
    }
    let data: unknown = made ? value.structuredContent : value;
    try {
      // What JSON makes of it is what the caller will see.
      if (typeof data === "object" && data) data = JSON.parse(JSON.stringify(data));
    } catch {
      // The wasm side says what JSON cannot carry.
      return value;
    }
    const { problem, judge } = judgeOf(guard, outputSchema, !foreign);
    if (problem) {
      told(unusable(problem, "outputSchema"));
      return value;
    }
    const found = data === undefined ? [{ pointer: "", keyword: "outputSchema", rule: "", message: "structuredContent is missing" }] : judge(data);
    // What was checked is what goes out: a `toJSON` may say something else the next time.
    if (!found) return made ? { ...value, structuredContent: data } : data;
    if (mode === "warn") {
      told(found);
      return value;
    }
    return failed("The tool ran, but its result does not fit.\n" + textOf(found));
  };
  const value = run() as any;
  return typeof value === "object" && value && typeof value.then === "function" ? Promise.resolve(value).then(settled) : settled(value);
}

let installed = false;

/** Puts the guard in front of every tool. */
export function install(): void {
  if (installed) return;
  core().setGuard(guarded);
  installed = true;
}
