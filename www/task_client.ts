// Following a task to its end (extension `io.modelcontextprotocol/tasks`, SEP-2663).

import { unwanted, type Asked } from "./asked.js";
import type { Client } from "./client.js";
import { ModelportError } from "./error.js";
import type { TaskDetail } from "./tasks.js";
import type { CallToolResult, RequestOptions } from "./types.js";
import { wait } from "./wait.js";

/** How often a server that does not say is asked, in milliseconds. */
const POLL = 1_000;

/** Asks about a task until it has ended, and answers what it asks. An aborted signal cancels it. */
export async function followTask(client: Client, created: TaskDetail, asked: Asked, { signal, progress }: RequestOptions): Promise<CallToolResult> {
  const { taskId } = created;
  const params = { taskId };
  // What is being answered, or was; a question that is gone is nobody's any more.
  const answering = new Map<string, AbortController>();
  const unask = (key: string) => {
    answering.get(key)!.abort(unwanted());
    answering.delete(key);
  };
  const failing = new AbortController();
  const stop = signal ? AbortSignal.any([signal, failing.signal]) : failing.signal;
  const answer = async (key: string, method: string, question: unknown, { signal }: AbortController) => {
    try {
      const response = await asked.ask(method, question, signal);
      if (!signal.aborted) await client.request("tasks/update", { taskId, inputResponses: { [key]: response } });
    } catch (error) {
      if (!signal.aborted) failing.abort(error);
    }
  };
  let task = created;
  let message: string | undefined;
  let steps = 0;
  try {
    for (;;) {
      stop.throwIfAborted();
      if (task.status === "completed") return task.result as unknown as CallToolResult;
      if (task.status === "failed") throw new ModelportError("remote-error", task.error?.message ?? "The task failed.", { rpcCode: task.error?.code, data: task.error?.data });
      if (task.status === "cancelled") throw new ModelportError("cancelled", "The task was cancelled.");
      if (task.statusMessage !== undefined && task.statusMessage !== message) progress?.({ progress: ++steps, message: (message = task.statusMessage) });
      const questions = task.inputRequests ?? {};
      for (const key of answering.keys()) if (!(key in questions)) unask(key);
      for (const [key, { method, params }] of Object.entries(questions)) {
        if (answering.has(key)) continue;
        const controller = new AbortController();
        answering.set(key, controller);
        void answer(key, method, params, controller);
      }
      await wait(task.pollIntervalMs ?? POLL, stop);
      stop.throwIfAborted();
      task = (await client.request("tasks/get", params)) as unknown as TaskDetail;
    }
  } catch (error) {
    if (stop.aborted) client.request("tasks/cancel", params).catch(() => {});
    throw error;
  } finally {
    for (const key of answering.keys()) unask(key);
  }
}
