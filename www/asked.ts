// What a client answers when its server asks: for a person's input, a model's, or the roots.

import type { ClientOptions } from "./client_types.js";
import { ModelportError } from "./error.js";
import type { JsonObject } from "./types.js";
import { TASKS } from "./words.js";

type Handler = (params: any, context: { signal: AbortSignal }) => unknown;

/** Why the signal of a handler aborts. */
export const unwanted = () => new DOMException("Nobody waits for the answer any more.", "AbortError");

/** The handlers of a client, and the questions that are open. */
export class Asked {
  /** What they let the client declare. */
  readonly capabilities: JsonObject;
  #handlers: Record<string, Handler | undefined>;
  #open = new Map<number, AbortController>();

  constructor({ elicit, sample, roots, tasks, capabilities }: ClientOptions) {
    this.capabilities = {
      ...(elicit && { elicitation: { form: {} } }),
      ...(sample && { sampling: {} }),
      ...(roots && { roots: { listChanged: true } }),
      ...(tasks && { extensions: { [TASKS]: {} } }),
      ...capabilities,
    };
    this.#handlers = {
      "elicitation/create": elicit as Handler | undefined,
      "sampling/createMessage": sample as Handler | undefined,
      "roots/list": roots && (async (_, context) => ({ roots: typeof roots === "function" ? await roots(context) : roots })),
    };
  }

  /** Asks a handler. */
  async ask(method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
    const handler = this.#handlers[method];
    if (!handler) throw new ModelportError("method-not-found", `This client answers no ${method}.`, { rpcCode: -32601 });
    const answer = await handler(params, { signal });
    if (typeof answer !== "object" || answer === null) throw new ModelportError("internal-error", `The handler of ${method} gave no answer.`, { rpcCode: -32603 });
    return answer;
  }

  /** Asks a handler for the wasm side. */
  answer(method: string, ask: number, params: unknown, reply: (ask: number, wentWell: boolean, value: unknown) => void): void {
    const controller = new AbortController();
    this.#open.set(ask, controller);
    const settle = (wentWell: boolean) => (value: unknown) => {
      if (this.#open.delete(ask)) reply(ask, wentWell, value);
    };
    this.ask(method, params, controller.signal).then(settle(true), settle(false));
  }

  /** Nobody waits for the answer any more. */
  forget(ask: number): void {
    const controller = this.#open.get(ask);
    this.#open.delete(ask);
    controller?.abort(unwanted());
  }
}
