// `ToolManager`: the tools of a page, written once, for everything that shows or runs them.

import { ModelportError } from "./error.js";
import type { TypedListener } from "./events.js";
import { clearTimer, on, setTimer, type Timer } from "./generated/live.js";
import { install, isProtected, protect, type Guard, type ToolWarningEvent } from "./guard.js";
import type { Schema, ToolInput, TypedTool } from "./infer.js";
import { core } from "./load.js";
import { markForeign } from "./schema/index.js";
import { withJsonSchemas } from "./standard_schema.js";
import type { ToolsHandle } from "./generated/modelport.js";
import type { CallOptions, CallToolResult, JsonObject, JsonSchema, Progress, Tool, ToolManagerOptions } from "./types.js";

/** Tells which names changed. A replaced tool is in both lists. */
export class ToolsChangeEvent extends Event {
  /** Names that are there now and were not, or are another tool's. */
  readonly added: readonly string[];
  /** Names that are gone, or were another tool's. */
  readonly removed: readonly string[];

  /** Fired by the manager itself. */
  constructor(added: readonly string[], removed: readonly string[]) {
    super("change");
    this.added = added;
    this.removed = removed;
  }
}

/** What a `ToolManager` fires. */
export interface ToolManagerEvents {
  /** Tools came, went or were replaced. */
  change: ToolsChangeEvent;
  /** A check found what nobody else is told. */
  warning: ToolWarningEvent;
}

/**
 * A tool as it is, with the types of `execute` read from its schemas: for tools that are written into a list, or
 * beside where they are added.
 */
export const defineTool = <const In extends Schema = JsonSchema, const Out extends Schema = JsonSchema>(tool: TypedTool<In, Out>): TypedTool<In, Out> => tool;

const handles = new WeakMap<ToolManager, ToolsHandle>();

/** The wasm side of a manager. */
export function handleOf(tools: ToolManager): ToolsHandle {
  const handle = tools instanceof ToolManager ? handles.get(tools) : undefined;
  if (!handle) throw new ModelportError("invalid-argument", "tools must be a ToolManager.");
  return handle;
}

/** What the wasm side put into a manager by itself is another document's. */
const seen = (tool: Tool): Tool => (isProtected(tool) ? tool : markForeign(tool));

/**
 * Tools by name, in the order they were added. Fires `change` after each change, and `warning` where a
 * check finds what nobody else is told: see `ToolManagerOptions`.
 */
export class ToolManager extends EventTarget implements Iterable<Tool> {
  #guard: Guard;

  /** A manager of these tools, added one after the other: see `add`. */
  constructor(tools: Iterable<ToolInput> = [], options: ToolManagerOptions = {}) {
    super();
    // The wasm side outlives this object while something follows it; it must not keep it alive.
    const self = new WeakRef(this);
    const changed = (added: string[], removed: string[]) => self.deref()?.dispatchEvent(new ToolsChangeEvent(added, removed));
    handles.set(this, new (core().ToolsHandle)(changed));
    install();
    this.#guard = { options, warn: (event) => void self.deref()?.dispatchEvent(event) };
    for (const tool of tools) this.add(tool as Tool);
  }

  /**
   * Adds a tool; one of the same name is replaced in place. Returns its remover, which takes away
   * this very addition and nothing that replaced it; so does `signal` when it aborts.
   *
   * The arguments of `execute` have the type that `inputSchema` says, if that is written out in the call, a constant
   * `as const`, or a validator: Zod, Valibot (by `toStandardJsonSchema`), ArkType, or whatever else follows Standard
   * Schema and tells its JSON Schema. Peers see that; the validator checks and converts, also asynchronously.
   *
   * Throws `invalid-argument` if the tool lacks a name or an `execute`, a member has the wrong type, or a validator
   * has no form in JSON Schema.
   */
  add<const In extends Schema = JsonSchema, const Out extends Schema = JsonSchema>(tool: TypedTool<In, Out>, options: { signal?: AbortSignal } = {}): () => void {
    const { signal } = options;
    if (signal?.aborted) return () => {};
    const handle = handleOf(this);
    const plain = withJsonSchemas(tool);
    protect(plain, this.#guard);
    const [name, addition] = handle.add(plain) as unknown as [string, number];
    const remove = () => {
      off?.();
      handle.removeAddition(name, addition);
    };
    const off = signal && on(signal, "abort", remove);
    return remove;
  }

  /** Removes a tool; whether there was one. */
  remove(name: string): boolean {
    return handleOf(this).remove(name);
  }

  /** The tool of that name. Its schemas are JSON Schema, whatever they were given as. */
  get(name: string): Tool | undefined {
    const tool = handleOf(this).get(name);
    return tool && seen(tool);
  }

  /** Whether there is a tool of that name. */
  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  /** Removes every tool. */
  clear(): void {
    handleOf(this).clear();
  }

  /** How many tools there are. */
  get size(): number {
    return handleOf(this).size;
  }

  /** The tools, in the order they were added. */
  [Symbol.iterator](): Iterator<Tool> {
    return (handleOf(this).all() as Tool[]).map(seen)[Symbol.iterator]();
  }

  /**
   * Runs a tool here, as a peer would. What it returns becomes the result, what it throws a result
   * with `isError`. Rejects with `invalid-params` for an unknown name, with `signal.reason` when
   * aborted, and with `timeout` when that many milliseconds have passed.
   */
  call(name: string, args: JsonObject = {}, options: CallOptions = {}): Promise<CallToolResult> {
    const handle = handleOf(this);
    const { signal, progress, timeout = 0 } = options;
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      let run: number | undefined;
      let timer: Timer;
      let off: (() => void) | undefined;
      const release = () => {
        clearTimer(timer);
        off?.();
      };
      const giveUp = (reason: unknown, words: string) => {
        release();
        if (run !== undefined) handle.abort(run, words);
        reject(reason);
      };
      const abort = () => giveUp(signal?.reason, "the caller gave up");
      const done = (result: CallToolResult) => {
        release();
        resolve(result);
      };
      // With a deadline the tool's signal must be able to abort without the caller's.
      const combined = timeout > 0 && signal ? undefined : signal;
      run = handle.call(name, args, combined, progress && rising(progress), done);
      if (run === undefined) return;
      if (signal) off = on(signal, "abort", abort);
      if (timeout > 0) {
        const expire = () => giveUp(new ModelportError("timeout", `${name} did not finish within ${timeout} ms.`), "timeout");
        timer = setTimer(expire, Math.min(timeout, 2 ** 31 - 1));
      }
    });
  }

  /** Hears of changes and warnings: see `ToolManagerEvents`. */
  declare addEventListener: TypedListener<ToolManagerEvents>;
  /** Hears of them no more. */
  declare removeEventListener: TypedListener<ToolManagerEvents>;
}

/** Passes on progress that rises, as a session would. */
function rising(report: (progress: Progress) => void): (progress: Progress) => void {
  let last = -Infinity;
  return (progress) => {
    if (!(progress.progress > last)) return;
    last = progress.progress;
    report(progress);
  };
}
