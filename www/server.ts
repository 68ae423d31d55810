// `Server`: serves a manager's tools, and what else it was given, to any number of peers, in both eras of MCP.

import { ModelportError } from "./error.js";
import type { TypedListener } from "./events.js";
import { setTimer } from "./generated/live.js";
import { servers as open } from "./live.js";
import { core } from "./load.js";
import { handleOf } from "./tool_manager.js";
import { takePort } from "./transport.js";
import type { ServerHandle, SessionHandle } from "./generated/modelport.js";
import { providerOf } from "./provider.js";
import type { Carrier, Held, ReconnectOptions } from "./reconnecting.js";
import type { ServerOptions, Session } from "./server_types.js";
import { sessionOf } from "./session.js";
import type { Transport } from "./types.js";
import { version } from "./version.js";

/** What the wasm side calls. Its table keeps that for as long as it keeps the server, so it must keep nobody itself. */
const faultsOf = (self: WeakRef<Server>) => (error: unknown) => self.deref()?.dispatchEvent(new FaultEvent(error));

/** What a `Server` fires. */
export interface ServerEvents {
  /** A fault that has no answer on the wire. */
  error: FaultEvent;
}

/** Serves tools, and what else it is given, to any number of peers. Fires `error` for faults that have no answer. */
export class Server extends EventTarget {
  #handle: ServerHandle;
  #sessions = new Set<Session>();
  #carriers = 0;
  #closed = false;
  #unfollow: (() => void) | undefined;

  /** A server of these tools. It serves nobody before `connect()`. Throws `not-ready` before `ready()` has settled, `invalid-argument` for options that do not fit. */
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
   *
   * A function that makes carriers lets the server replace one that is lost; what ran for it is aborted.
   */
  async connect(carrier: Carrier, options?: ReconnectOptions): Promise<Session> {
    if (this.#closed) throw new ModelportError("closed", "The server is closed.");
    const over = () => {
      this.#sessions.delete(session);
      if (this.#sessions.size === 0) open.delete(this);
    };
    const session = sessionOf((transport, gone) => this.#serve(transport, gone), (error) => this.dispatchEvent(new FaultEvent(error)), over);
    this.#sessions.add(session);
    open.add(this);
    try {
      await session.switchTo(carrier, options);
    } catch (error) {
      session.close();
      throw error;
    }
    return session;
  }

  /** How many carriers are open, each of which is a session to its peer. */
  get sessions(): number {
    return this.#carriers;
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

  #serve(transport: Transport, gone: () => void): Held | Promise<Held> {
    const opened = (handle: SessionHandle): Held => {
      let own: SessionHandle | undefined = handle;
      this.#carriers++;
      handle.onClose(() => {
        own = undefined;
        this.#carriers--;
        // Its memory is given back soon, by a task, as a connection's is.
        setTimer(() => handle.free(), 0);
        gone();
      });
      return { close: () => own?.close(), get inFlight() { return own?.inFlight ?? 0; } };
    };
    const held = takePort(transport);
    if (held) return opened(this.#handle.servePort(...held));
    return new Promise((resolve, reject) => this.#handle.serveCarrier(transport, (handle: SessionHandle) => resolve(opened(handle)), reject));
  }

  /** Hears of faults: see `ServerEvents`. */
  declare addEventListener: TypedListener<ServerEvents>;
  /** Hears of them no more. */
  declare removeEventListener: TypedListener<ServerEvents>;
}

/** A fault that has no answer on the wire. */
export class FaultEvent extends Event {
  /** What went wrong: a `ModelportError`, or what a callback of yours threw. */
  readonly error: unknown;

  /** Fired by servers and clients themselves. */
  constructor(error: unknown) {
    super("error");
    this.error = error;
  }
}
