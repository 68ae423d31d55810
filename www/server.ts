// `Server`: serves a manager's tools, and what else it was given, to any number of peers, in both eras of MCP.

import { ModelportError } from "./error.js";
import { servers as open } from "./live.js";
import { core } from "./load.js";
import { handleOf } from "./tool_manager.js";
import { takePort } from "./transport.js";
import type { ServerHandle, SessionHandle } from "./generated/modelport.js";
import { providerOf } from "./provider.js";
import type { ServerOptions, Session } from "./server_types.js";
import type { Transport } from "./types.js";
import { version } from "./version.js";

/** What the wasm side calls. Its table keeps that for as long as it keeps the server, so it must keep nobody itself. */
const faultsOf = (self: WeakRef<Server>) => (error: unknown) => self.deref()?.dispatchEvent(new FaultEvent(error));

/** Fires `error` (an `ErrorEvent`-like event with `error`) for faults that have no answer. */
export class Server extends EventTarget {
  #handle: ServerHandle;
  #sessions = new Set<Session>();
  #closed = false;
  #unfollow: (() => void) | undefined;

  constructor(options: ServerOptions) {
    super();
    const tools = handleOf(options.tools);
    const { name = "modelport", version: own = version, title, instructions, cache, limits, sealer, tasks } = options;
    const { offers, provider } = providerOf(options);
    this.#handle = new (core().ServerHandle)(tools, name, own, title, instructions, faultsOf(new WeakRef(this)), offers, cache?.ttlMs ?? 0, limits, provider, sealer);
    this.#unfollow = tasks?.follow((task) => this.#handle.taskChanged(task.taskId, task));
  }

  /** Tells clients that want to know that the list of prompts changed, once for changes made together. */
  promptsChanged(): void {
    this.#handle.promptsChanged();
  }

  /** The same of the list of resources, or of templates. */
  resourcesChanged(): void {
    this.#handle.resourcesChanged();
  }

  /** Tells the clients that subscribed to a resource that it changed. */
  resourceUpdated(uri: string): void {
    this.#handle.resourceUpdated(uri);
  }

  /**
   * Serves one peer. Resolves once the carrier is open; the peer may already be talking.
   * Rejects with `closed` after `close()`, and with the carrier's own error if it does not start.
   */
  async connect(transport: Transport): Promise<Session> {
    if (this.#closed) throw new ModelportError("closed", "The server is closed.");
    const port = takePort(transport);
    let handle: SessionHandle | undefined = port
      ? this.#handle.servePort(port)
      : await new Promise<SessionHandle>((resolve, reject) => this.#handle.serveCarrier(transport, resolve, reject));
    let tell!: () => void;
    const session: Session = { close: () => handle?.close(), closed: new Promise((resolve) => (tell = resolve)) };
    this.#sessions.add(session);
    open.add(this);
    handle.onClose(() => {
      // Its memory is given back at once: to the garbage collector a handle is small.
      const last = handle!;
      handle = undefined;
      queueMicrotask(() => last.free());
      this.#sessions.delete(session);
      if (this.#sessions.size === 0) open.delete(this);
      tell();
    });
    // The server may have been closed while the carrier was starting.
    if (this.#closed) session.close();
    return session;
  }

  /** How many peers are connected. */
  get sessions(): number {
    return this.#sessions.size;
  }

  /** Ends every session: running tools are aborted, nothing is answered any more. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#unfollow?.();
    for (const session of [...this.#sessions]) session.close();
    this.#handle.close();
  }

  [Symbol.dispose](): void {
    void this.close();
  }
}

/** A fault that has no answer on the wire. */
export class FaultEvent extends Event {
  readonly error: unknown;

  constructor(error: unknown) {
    super("error");
    this.error = error;
  }
}
