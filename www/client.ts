// `Client`: what can be asked of an MCP server, and heard from it.

import type { ListenFilter, ListenOptions, Notice } from "./client_types.js";
import { Connection, manner, STATELESS } from "./connection.js";
import { ModelportError } from "./error.js";
import type { TypedListener } from "./events.js";
import { on } from "./generated/live.js";
import { Subscription } from "./listen.js";
import type { FaultEvent } from "./server.js";
import { checkResult, markForeign } from "./schema/index.js";
import type { PromptInfo, PromptMessage, ResourceContents, ResourceInfo, ResourceTemplateInfo } from "./server_types.js";
import { followTask } from "./task_client.js";
import type { CallToolResult, JsonObject, JsonSchema, RequestOptions, Tool, ToolContext } from "./types.js";

const SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId";

/** A notification from the server that is not about a call. */
export class NotificationEvent extends Event {
  /** The method, such as `notifications/tools/list_changed`. */
  readonly method: string;
  /** Its parameters, as they came. */
  readonly params: unknown;

  /** Fired by the client itself. */
  constructor(method: string, params: unknown) {
    super("notification");
    this.method = method;
    this.params = params;
  }
}

/** What a `Client` fires. */
export interface ClientEvents {
  /** The server said something that belongs to no call. */
  notification: NotificationEvent;
  /** A fault that concerns no call. */
  error: FaultEvent;
  /** The client is closed, from whichever side. */
  close: Event;
  /** A carrier was lost, or replaced. */
  disconnect: Event;
  /** The next carrier is in use. */
  reconnect: Event;
}

/**
 * Fires `notification`, `error` (faults that concern no call) and `close`; and, where carriers are replaced,
 * `disconnect` when one is lost and `reconnect` when the next one is in use.
 */
export class Client extends Connection {
  #tasks: boolean;
  #checks: boolean;
  /** The output schemas that `tools()` has read. */
  #outputs = new Map<string, JsonSchema>();
  #heard = new Map<unknown, (notice: Notice) => void>();
  /** Who hears what comes while its subscription is still being sent. */
  #opening: ((notice: Notice) => void) | undefined;
  /** How many subscriptions follow a resource, in the handshake era. */
  #followed = new Map<string, number>();

  /** A client that talks to nobody before `connect()`. Throws `not-ready` before `ready()` has settled. */
  constructor(options: ConstructorParameters<typeof Connection>[0] = {}) {
    super(options);
    this.#tasks = options.tasks ?? false;
    this.#checks = options.checkResults ?? true;
  }

  /**
   * The server's tools, all pages of them, as ordinary tools: add them to a `ToolManager`, publish
   * them, or call them. `execute` resolves to the server's `CallToolResult`.
   */
  async tools(options?: { fresh?: boolean }): Promise<Tool[]> {
    const listing = await this.#list<Omit<Tool, "execute">>("tools/list", options);
    this.#outputs = new Map(listing.flatMap(({ name, outputSchema }) => (outputSchema ? [[name, outputSchema]] : [])));
    return listing.map((tool) =>
      markForeign({
        ...tool,
        execute: (args: JsonObject, context: ToolContext) =>
          this.callTool(tool.name, args, { signal: context?.signal, progress: (step) => context?.progress(step), timeout: 0 }),
      }),
    );
  }

  /**
   * Calls a tool. A tool that failed is a result with `isError`; an error is the protocol's
   * (`invalid-params` for an unknown tool, `timeout`, `closed` …). An aborted `signal` rejects
   * with its reason, and the server is told. A result that does not fit the output schema `tools()`
   * has read is `invalid-response`, with what is wrong, the result's text, and the result as `data`.
   */
  callTool(name: string, args: JsonObject = {}, options?: RequestOptions): Promise<CallToolResult> {
    const quick = !options && !this.extra && !this.closed && this.handle.call?.(name, args);
    return this.#finished(name, quick || this.#called(name, args, options), options);
  }

  #called(name: string, args: JsonObject, options: RequestOptions = {}): Promise<unknown> {
    const send = (waiter: number) => this.handle.callTool(name, args, this.extra, waiter, ...manner(options));
    // It did not run: what its headers have to repeat is in the list of tools (MCP 2026-07-28, basic/transports/streamable-http).
    const again = () => this.tools({ fresh: true }).then(() => this.send(send, options));
    return this.send(send, options, again);
  }

  #finished(name: string, sent: Promise<unknown>, options: RequestOptions = {}): Promise<CallToolResult> {
    const followed = this.#tasks ? sent.then((result: any) => (result.resultType === "task" ? followTask(this, result, this.asked, options) : result)) : sent;
    const schema = this.#checks && this.#outputs.get(name);
    return (schema ? followed.then((result) => fitting(schema, result)) : followed) as Promise<CallToolResult>;
  }

  /** Every resource of the server (MCP, server/resources). */
  listResources(options?: { fresh?: boolean }): Promise<ResourceInfo[]> {
    return this.#list("resources/list", options);
  }

  /** Every template of resources. */
  listResourceTemplates(options?: { fresh?: boolean }): Promise<ResourceTemplateInfo[]> {
    return this.#list("resources/templates/list", options);
  }

  /** Reads a resource; rejects with code `invalid-params`, or `remote-error` -32002 of older servers, if there is none. */
  readResource(uri: string, options?: RequestOptions): Promise<{ contents: ResourceContents[] } & JsonObject> {
    return this.request("resources/read", { uri }, options) as never;
  }

  /** Every prompt of the server (MCP, server/prompts). */
  listPrompts(options?: { fresh?: boolean }): Promise<PromptInfo[]> {
    return this.#list("prompts/list", options);
  }

  /** A prompt's messages. */
  getPrompt(name: string, args?: Record<string, string>, options?: RequestOptions): Promise<{ messages: PromptMessage[]; description?: string } & JsonObject> {
    return this.request("prompts/get", { name, ...(args && { arguments: args }) }, options) as never;
  }

  /** Completes an argument of a prompt or of a resource template; `known` are those that are filled in already. */
  async complete(
    ref: { type: "ref/prompt"; name: string } | { type: "ref/resource"; uri: string },
    argument: { name: string; value: string },
    known?: Record<string, string>,
    options?: RequestOptions,
  ): Promise<{ values: string[]; total?: number; hasMore?: boolean }> {
    const { completion } = await this.request("completion/complete", { ref, argument, ...(known && { context: { arguments: known } }) }, options);
    return completion as never;
  }

  /**
   * Hears of changes, as an async iterator, over one carrier after the other. In the handshake era
   * resources are subscribed to one by one, and lists are what the server announces by itself.
   */
  listen(filter: ListenFilter, options?: ListenOptions): Subscription {
    const open = async (filter: ListenFilter, hear: (notice: Notice) => void, signal: AbortSignal) => {
      for (;;) {
        const handle = this.handle;
        // A carrier that is left is not listened to any more, though it may be open for a while.
        const until = new AbortController();
        const stop = () => until.abort(signal.reason);
        signal.addEventListener("abort", stop);
        this.addEventListener("disconnect", stop);
        try {
          // Without a connection the request is what says so.
          const isOld = !this.closed && this.protocol && this.protocol !== STATELESS;
          await (isOld ? this.#subscribe(filter, hear, until.signal) : this.#listen(filter, hear, until.signal));
          if (handle === this.handle) return;
        } catch (error) {
          if (handle === this.handle || this.closed) throw error;
        } finally {
          signal.removeEventListener("abort", stop);
          this.removeEventListener("disconnect", stop);
        }
        await this.back;
        if (this.closed || signal.aborted) return;
      }
    };
    return new Subscription(open, filter, options);
  }

  #list<Entry>(method: string, options: { fresh?: boolean } = {}): Promise<Entry[]> {
    return new Promise((resolve, reject) => this.handle.list(method, options.fresh ?? false, resolve, reject));
  }

  async #listen(notifications: ListenFilter, hear: (notice: Notice) => void, signal: AbortSignal): Promise<void> {
    let id: unknown;
    try {
      const params = { notifications };
      await this.send(
        (waiter) => {
          this.#opening = hear;
          const call = this.handle.request("subscriptions/listen", params, true, waiter, false, 0, false, 0);
          this.#opening = undefined;
          this.#heard.set((id = call), hear);
          return call;
        },
        { signal },
      );
    } finally {
      this.#heard.delete(id);
    }
  }

  async #subscribe(filter: ListenFilter, hear: (notice: Notice) => void, signal: AbortSignal): Promise<void> {
    const { taskIds: _, ...granted } = filter;
    const { resourceSubscriptions: uris = [], ...lists } = granted;
    const wanted = Object.entries(lists).flatMap(([name, flag]) => (flag ? [`notifications/${name.replace("ListChanged", "")}/list_changed`] : []));
    this.#heard.set(hear, ({ method, params }) => {
      if (wanted.includes(method) || (method === "notifications/resources/updated" && uris.includes(params?.["uri"] as string))) hear({ method, params: params ?? {} });
    });
    const handle = this.handle;
    const each = (method: string, uris: string[]) => Promise.all(uris.map((uri) => this.request(method, { uri })));
    // The server knows one subscription to a resource, however many there are here.
    const count = (step: number) => uris.filter((uri) => {
      const left = (this.#followed.get(uri) ?? 0) + step;
      return left ? void this.#followed.set(uri, left) : this.#followed.delete(uri);
    });
    count(1);
    try {
      await each("resources/subscribe", uris);
      hear({ method: "notifications/subscriptions/acknowledged", params: { notifications: granted as JsonObject } });
      await new Promise<void>((resolve) => {
        if (signal.aborted) return resolve();
        const offs = [on(signal, "abort", end), on(this, "close", end)];
        function end() {
          offs.forEach((off) => off());
          resolve();
        }
      });
    } finally {
      this.#heard.delete(hear);
      const left = count(-1);
      if (handle === this.handle && !this.closed) each("resources/unsubscribe", left).catch(() => {});
    }
  }

  /** Hears of its events: see `ClientEvents`. */
  declare addEventListener: TypedListener<ClientEvents>;
  /** Hears of them no more. */
  declare removeEventListener: TypedListener<ClientEvents>;

  protected notified(method: string, params: any): void {
    const id = params?._meta?.[SUBSCRIPTION_ID];
    // What belongs to a subscription that is gone is late, and nobody's.
    if (id !== undefined) return (this.#heard.get(id) ?? this.#opening)?.({ method, params });
    for (const hear of [...this.#heard.values()]) hear({ method, params });
    this.dispatchEvent(new NotificationEvent(method, params));
  }
}

/** A result, if it is what its tool's output schema promises. */
function fitting(schema: JsonSchema, result: unknown): unknown {
  const wrong = checkResult(schema, result);
  if (wrong) throw new ModelportError("invalid-response", wrong, { data: result });
  return result;
}
