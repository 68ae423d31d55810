// `Tasks`: tools that run on after their call was answered, for clients that know the extension
// `io.modelcontextprotocol/tasks` (SEP-2663). Others get the result itself, as ever.

import { ModelportError, invalidParams } from "./error.js";
import { clearTimer, on, setTimer, type Timer } from "./generated/live.js";
import type { ToolInput } from "./infer.js";
import { ToolManager } from "./tool_manager.js";
import type { AskOptions, JsonObject, ToolContext } from "./types.js";
import { CLIENT_CAPABILITIES, TASKS } from "./words.js";

type Status = "working" | "input_required" | "completed" | "failed" | "cancelled";

/** A task on the wire, with all there is to know of it. */
export interface TaskDetail {
  /** What it is asked about by. */
  taskId: string;
  /** How far it is. */
  status: Status;
  /** The same in words: the last progress, or why it failed. */
  statusMessage?: string;
  /** When it began (ISO 8601). */
  createdAt: string;
  /** When something of it changed last (ISO 8601). */
  lastUpdatedAt: string;
  /** Milliseconds, from its creation, for which it can be asked about. */
  ttlMs: number | null;
  /** Milliseconds to wait between two questions about it. */
  pollIntervalMs?: number;
  /** With `input_required`: what is asked, by keys. */
  inputRequests?: Record<string, { method: string; params: unknown }>;
  /** With `completed`: the result of the call. */
  result?: JsonObject;
  /** With `failed`: the error of the call, as JSON-RPC has it. */
  error?: { code: number; message: string; data?: unknown };
  [key: string]: unknown;
}

/** How long tasks are kept, and how many. */
export interface TasksOptions {
  /** Milliseconds a task can be asked about, from its creation; one that still works then is cancelled. Default 3,600,000. */
  ttl?: number;
  /** How often clients are told to ask, in milliseconds. Default 1,000. */
  pollInterval?: number;
  /** Tasks held at once; beyond it tools answer as if the client knew no tasks. Default 1,024. */
  limit?: number;
}

/** What becomes of a detail; a member that is undefined goes. */
type Changes = { [Name in keyof TaskDetail]?: TaskDetail[Name] | undefined };

interface Kept {
  detail: TaskDetail;
  controller: AbortController;
  waiting: Map<string, (answer: any) => void>;
  timer: Timer;
}

/** What a client must have declared to be asked. */
const CAPABILITIES: Record<string, string> = { "elicitation/create": "elicitation", "sampling/createMessage": "sampling", "roots/list": "roots" };

const ENDED: readonly Status[] = ["completed", "failed", "cancelled"];

/** Tools that run on after their call was answered. Give it to the server as `tasks`, and the tools to `defer`. */
export class Tasks {
  #options: Required<TasksOptions>;
  #kept = new Map<string, Kept>();
  #listeners = new Set<(task: TaskDetail) => void>();

  /** A place for tasks, for one or several servers. */
  constructor({ ttl = 3_600_000, pollInterval = 1_000, limit = 1_024 }: TasksOptions = {}) {
    this.#options = { ttl, pollInterval, limit };
  }

  /**
   * The same tool, run as a task for clients that know tasks. Within it, `progress` becomes the task's
   * message, asking waits for the client's `tasks/update`, and the signal aborts on `tasks/cancel`.
   */
  defer<T extends ToolInput>(tool: T): T {
    return {
      ...tool,
      execute: (args: any, context: ToolContext) => {
        // Only a stateless request can be answered by a task, and it says so itself.
        const { extensions } = (context.meta?.[CLIENT_CAPABILITIES] ?? {}) as { extensions?: JsonObject };
        if (!extensions?.[TASKS] || this.#kept.size >= this.#options.limit) return tool.execute(args, context);
        return this.#begin(tool, args, context);
      },
    };
  }

  /** How many tasks are kept. */
  get size(): number {
    return this.#kept.size;
  }

  /** Hears of every change; gives the way to stop that. @internal */
  follow(listener: (task: TaskDetail) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Answers `tasks/get`, `tasks/update` and `tasks/cancel`. @internal */
  answer(method: string, params: any): JsonObject {
    const kept = this.#kept.get(params.taskId);
    if (!kept) throw invalidParams("No task is available for that taskId");
    if (method === "tasks/get") return { ...kept.detail };
    if (method === "tasks/cancel") this.#end(kept, "cancelled");
    else {
      const { inputResponses } = params;
      if (typeof inputResponses !== "object" || inputResponses === null) throw invalidParams("Invalid params: inputResponses must be an object");
      for (const [key, answer] of Object.entries(inputResponses)) kept.waiting.get(key)?.(answer);
    }
    return {};
  }

  #begin({ inputSchema: _, ...tool }: ToolInput, args: unknown, context: ToolContext): JsonObject {
    const { ttl, pollInterval } = this.#options;
    const now = new Date().toISOString();
    const detail: TaskDetail = { taskId: crypto.randomUUID(), status: "working", createdAt: now, lastUpdatedAt: now, ttlMs: ttl, pollIntervalMs: pollInterval };
    const kept: Kept = { detail, controller: new AbortController(), waiting: new Map(), timer: setTimer(() => this.#expire(kept), Math.min(ttl, 2 ** 31 - 1)) };
    this.#kept.set(detail.taskId, kept);
    const created = { resultType: "task", ...detail };
    let failure: TaskDetail["error"];
    const { signal } = kept.controller;
    // The tool's answer becomes a result in the same way as anywhere. Its arguments were looked at before.
    const alone = new ToolManager([
      {
        ...tool,
        execute: async () => {
          try {
            return await tool.execute(args, this.#context(kept, context));
          } catch (thrown: any) {
            const code = thrown?.rpcCode ?? thrown?.code;
            // The protocol's codes are negative; those of a DOMException are not.
            if (code < 0) failure = { code, message: String(thrown.message), ...(thrown.data !== undefined && { data: thrown.data }) };
            throw thrown;
          }
        },
      },
    ]);
    alone.call(tool.name, args as JsonObject, { signal }).then(
      (result) => this.#end(kept, failure ? "failed" : "completed", failure ? { error: failure } : { result }),
      () => this.#end(kept, "cancelled"),
    );
    return created;
  }

  /** What the tool is given: its caller's context, but for what the call's end would have taken away. */
  #context(kept: Kept, context: ToolContext): ToolContext {
    let keys = 0;
    const ask = (method: string) => (params: unknown, { key = String(++keys) }: AskOptions = {}) =>
      new Promise<any>((resolve, reject) => {
        const { signal } = kept.controller;
        const capability = CAPABILITIES[method]!;
        if (!context.capabilities?.[capability]) return reject(new ModelportError("missing-capability", `The client has not declared what ${method} needs`, { rpcCode: -32021, data: { requiredCapabilities: { [capability]: {} } } }));
        if (signal.aborted || ENDED.includes(kept.detail.status)) return reject(signal.reason ?? new ModelportError("closed", "The task has ended."));
        const settle = (act: () => void) => {
          off();
          kept.waiting.delete(key);
          const { [key]: _, ...rest } = kept.detail.inputRequests ?? {};
          this.#change(kept, kept.waiting.size ? { inputRequests: rest } : { status: "working", inputRequests: undefined });
          act();
        };
        const abort = () => settle(() => reject(signal.reason));
        kept.waiting.set(key, (answer) => settle(() => resolve(answer)));
        const off = on(signal, "abort", abort);
        this.#change(kept, { status: "input_required", inputRequests: { ...kept.detail.inputRequests, [key]: { method, params } } });
      });
    return {
      signal: kept.controller.signal,
      progress: ({ message }) => {
        if (message !== undefined) this.#change(kept, { statusMessage: message });
      },
      elicit: ask("elicitation/create"),
      sample: ask("sampling/createMessage"),
      roots: (options) => ask("roots/list")({}, options),
      log: () => {},
      ...(context.caller && { caller: context.caller }),
      ...(context.capabilities && { capabilities: context.capabilities }),
      ...(context.meta && { meta: context.meta }),
    };
  }

  #change(kept: Kept, changes: Changes): void {
    if (ENDED.includes(kept.detail.status)) return;
    const detail = { ...kept.detail, ...changes, lastUpdatedAt: new Date().toISOString() };
    kept.detail = Object.fromEntries(Object.entries(detail).filter(([, value]) => value !== undefined)) as unknown as TaskDetail;
    for (const listener of this.#listeners) listener(kept.detail);
  }

  #end(kept: Kept, status: Status, outcome: Changes = {}): void {
    this.#change(kept, { status, inputRequests: undefined, ...outcome });
    kept.controller.abort(new DOMException(`The task is ${status}.`, "AbortError"));
  }

  #expire(kept: Kept): void {
    this.#end(kept, "cancelled");
    this.#kept.delete(kept.detail.taskId);
  }

  /** Cancels and forgets every task. */
  clear(): void {
    for (const kept of this.#kept.values()) {
      clearTimer(kept.timer);
      this.#end(kept, "cancelled");
    }
    this.#kept.clear();
  }
}
