// Following a task to its end (extension `io.modelcontextprotocol/tasks`, SEP-2663).

import type { Asked } from "./asked.js";
import type { Client } from "./client.js";
import { ModelportError } from "./error.js";
import type { TaskDetail } from "./tasks.js";
import type { CallToolResult, RequestOptions } from "./types.js";

/** How often a server that does not say is asked, in milliseconds. */
const POLL = 1_000;

const wait = (ms: number, signal: AbortSignal | undefined) =>
  new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done, { once: true });
  });

/** Asks about a task until it has ended, and answers what it asks. An aborted signal cancels it. */
export async function followTask(client: Client, created: TaskDetail, asked: Asked, { signal, progress }: RequestOptions): Promise<CallToolResult> {
  const { taskId } = created;
  const params = { taskId };
  const answering = new AbortController();
  const answered = new Set<string>();
  let task = created;
  let message: string | undefined;
  let steps = 0;
  try {
    for (;;) {
      signal?.throwIfAborted();
      if (task.status === "completed") return task.result as unknown as CallToolResult;
      if (task.status === "failed") throw new ModelportError("remote-error", task.error?.message ?? "The task failed.", { rpcCode: task.error?.code, data: task.error?.data });
      if (task.status === "cancelled") throw new ModelportError("cancelled", "The task was cancelled.");
      if (task.statusMessage !== undefined && task.statusMessage !== message) progress?.({ progress: ++steps, message: (message = task.statusMessage) });
      for (const [key, { method, params: question }] of Object.entries(task.inputRequests ?? {})) {
        if (answered.has(key)) continue;
        answered.add(key);
        const answer = await asked.ask(method, question, answering.signal);
        await client.request("tasks/update", { taskId, inputResponses: { [key]: answer } });
      }
      await wait(task.pollIntervalMs ?? POLL, signal);
      signal?.throwIfAborted();
      task = (await client.request("tasks/get", params)) as unknown as TaskDetail;
    }
  } catch (error) {
    answering.abort(error);
    if (signal?.aborted) client.request("tasks/cancel", params).catch(() => {});
    throw error;
  }
}
