// `createScopeServer`: serves the scope it runs in, be it a worker of any kind, a page or a frame.
// How clients get in is decided here; the other half of the greeting is in `window_handshake.ts`.

import { ModelportError } from "./error.js";
import type { TypedEventTarget } from "./events.js";
import { clearTimer, on, setTimer, type Timer } from "./generated/live.js";
import { judgeOf, type Judge, type Origins } from "./origins.js";
import { Server } from "./server.js";
import type { ServerOptions, Session } from "./server_types.js";
import { followCalls, frameOf } from "./service_calls.js";
import { MessagePortTransport, type PortLike } from "./transport.js";
import { wait } from "./wait.js";
import { greeting, nonceOf } from "./window_handshake.js";
import { REFUSED } from "./words.js";

/** The server's options, and who is let in. */
export interface ScopeServerOptions extends ServerOptions {
  /**
   * Lets a client in, or not: it is shown the event by which that client came (its `data`, `origin`,
   * `source`, `ports`), after `origins` had its say. Whoever comes is kept waiting until it resolves.
   * What it throws is a refusal too.
   */
  accept?: (event: MessageEvent) => boolean | Promise<boolean>;
  /** In a window, who may come from another one. Default: this window's own origin. Whoever reaches a worker is of its origin. */
  origins?: Origins;
}

/** What `events` fires: `open`, `refused`, `close` and `error`. */
export interface ScopeEvent extends Event {
  /** Which of the four it is. */
  readonly type: "open" | "refused" | "close" | "error";
  /** How the client came; not with `error`. */
  readonly arrival?: MessageEvent;
  /** With `open` and `close`. */
  readonly session?: Session;
  /** With `error`; with `refused`, why, unless `accept` just said no. */
  readonly error?: unknown;
}

/** What `ScopeServer.events` fires. */
export interface ScopeServerEvents {
  /** A client was let in. */
  open: ScopeEvent;
  /** A client was refused. */
  refused: ScopeEvent;
  /** A client has gone. */
  close: ScopeEvent;
  /** Something went wrong that nobody else is told of. */
  error: ScopeEvent;
}

/** A scope that is served: the server, and who comes and goes. */
export interface ScopeServer {
  /** The server; `not-ready` is thrown while options that were promised have not come. */
  readonly server: Server;
  /** Where it is told who was let in, who was refused, who left, and what went wrong. */
  readonly events: TypedEventTarget<ScopeServerEvents>;
  /** Ends every session and hears nobody any more. */
  stop(): void;
  [Symbol.dispose](): void;
}

/** Clients that may be waiting for `accept` at once, and messages kept for one of them. */
const WAITING = 256;

/** Greetings that are remembered, so that one that is said again is not answered again. */
const REMEMBERED = 1_024;

/** Milliseconds in which somebody who was given a port has to use it, and in which somebody who is refused hears it. */
const FIRST_WORD = 10_000;

/**
 * Serves a dedicated worker (its own channel, and ports sent to it), a SharedWorker, a service worker
 * (ports only) or a window (ports given away by the handshake only). Call it while the script runs
 * first, or clients are missed: options that need `ready()` may be promised.
 * A `Worker` as the scope serves that worker.
 */
export function createScopeServer(options: ScopeServerOptions | PromiseLike<ScopeServerOptions>, scope: any = globalThis): ScopeServer {
  const events = new EventTarget();
  const isWindow = scope.window === scope;
  const arrives = "onconnect" in scope ? "connect" : "message";
  const remembered = new Set<string>();
  /** What keeps a service worker running while calls run, by the greeting the port was given for. */
  const busy = new Map<string, () => Promise<void>>();
  const end = new AbortController();
  /** Ports that came, as a scope of somebody's own may deliver one twice. */
  const known = new WeakSet<PortLike>();
  let waiting = 0;
  let server: Server | undefined;
  let accept: ScopeServerOptions["accept"];
  let judge: Judge;
  /** A worker's own channel: where its messages go once it is served, and those kept until then. */
  let channel: EventTarget | undefined;
  let kept: MessageEvent[] | undefined;

  const tell = (type: ScopeEvent["type"], more: Pick<ScopeEvent, "arrival" | "session" | "error">) => void events.dispatchEvent(Object.assign(new Event(type), more));
  const fault = (error: unknown) => tell("error", { error });

  const begin = ({ accept: asked, origins = scope.origin === "null" ? [] : [scope.origin], ...rest }: ScopeServerOptions) => {
    if (end.signal.aborted) return;
    accept = asked;
    if (isWindow) judge = judgeOf(origins, scope);
    server = new Server(rest);
    server.addEventListener("error", ({ error }) => fault(error));
  };

  /** Serves who is let in; `open` gives the port, `deny` may tell who is not. */
  const admit = async (arrival: MessageEvent, open: () => PortLike, deny = () => {}, nonce?: string) => {
    let error: unknown;
    let isIn = false;
    let isNamed = !isWindow;
    waiting++;
    try {
      if (waiting > WAITING) throw new ModelportError("overflow", "Too many clients wait to be accepted.");
      await started;
      isNamed ||= judge(arrival);
      if (!isNamed) throw new ModelportError("origin-refused", `${arrival.origin} is not one of the origins.`);
      isIn = !accept || (await accept(arrival));
      if (isIn && arrival === kept?.[0] && kept.length > WAITING) throw new ModelportError("overflow", "Too much was said before the client was accepted.");
    } catch (thrown) {
      isIn = false;
      error = thrown;
    }
    waiting--;
    if (end.signal.aborted) return;
    if (!isIn) {
      // A stranger is not even told that there is somebody.
      if (isNamed) deny();
      return tell("refused", { arrival, error });
    }
    try {
      await serve(arrival, open(), nonce);
    } catch (thrown) {
      fault(thrown);
    }
  };

  const serve = async (arrival: MessageEvent, port: PortLike, nonce: string | undefined) => {
    let isOpen = true;
    const idle = "waitUntil" in arrival ? followCalls(port, () => isOpen) : undefined;
    const opening = server!.connect(new MessagePortTransport(port));
    // What was kept is delivered in the same breath, before anything that comes later.
    if (port === channel) {
      kept!.forEach(deliver);
      kept = undefined;
    }
    const session = await opening;
    let timer: Timer;
    let off = () => {};
    if (nonce) {
      timer = setTimer(() => session.close(), FIRST_WORD);
      off = on(port, "message", () => (clearTimer(timer), off()));
      if (idle) busy.set(nonce, idle);
    }
    void session.closed.then(() => {
      isOpen = false;
      clearTimer(timer);
      off();
      busy.delete(nonce!);
      if (port === channel) channel = undefined;
      tell("close", { arrival, session });
    });
    tell("open", { arrival, session });
    await idle?.();
  };

  const deliver = ({ data }: MessageEvent) => void channel!.dispatchEvent(new MessageEvent("message", { data }));

  /**
   * Somebody says hello: who is let in gets a port that only its own origin can receive. An opaque
   * origin cannot be addressed: whatever is in that window is as good as who was in it before.
   */
  const greet = (event: MessageEvent, nonce: string) => {
    const source: any = isWindow ? event.source : (event.source ?? scope);
    if (!source || (isWindow && source === scope) || remembered.has(nonce)) return;
    remembered.add(nonce);
    if (remembered.size > REMEMBERED) remembered.delete(remembered.values().next().value!);
    // No tail call: WebKit would forget whose script it is, and name another source.
    const answer = (...transfer: MessagePort[]) => void source.postMessage(greeting("welcome", nonce), { targetOrigin: event.origin === "null" ? "*" : event.origin, transfer });
    const open = () => {
      const { port1, port2 } = new MessageChannel();
      answer(port2);
      return port1;
    };
    return admit(event, open, answer, nonce);
  };

  /** A message on the worker's own channel. What is not JSON-RPC is the worker's own business. */
  const hear = (event: MessageEvent) => {
    if (channel) return deliver(event);
    if (kept) return void (kept.length > WAITING || kept.push(event));
    kept = [event];
    const post = (message: unknown) => scope.postMessage(message);
    const deny = () => {
      for (const { data } of kept!) refuse(data, post);
      kept = undefined;
    };
    return admit(event, () => (channel = Object.assign(new EventTarget(), { postMessage: post })) as PortLike, deny);
  };

  /** A port that was not let in says so to whoever speaks over it, for a while. */
  const turnAway = (port: MessagePort) => {
    port.addEventListener("message", ({ data }) => refuse(data, (answer) => port.postMessage(answer)));
    port.start();
    void wait(FIRST_WORD, end.signal).then(() => port.close());
  };

  const take = (event: MessageEvent, port: MessagePort) => {
    if (known.has(port)) return;
    known.add(port);
    return admit(event, () => port, () => turnAway(port));
  };

  const arrived = (event: any) => {
    const { data, ports } = event;
    const hello = nonceOf(data, "hello");
    let work: unknown;
    if (hello) work = greet(event, hello);
    else if (isWindow) return;
    else if (ports?.length) work = take(event, ports[0]);
    else if (isFrame(data)) work = scope.postMessage && hear(event);
    else work = busy.get(nonceOf(data, "wake")!)?.();
    if (work) event.waitUntil?.(work);
  };

  const stop = () => {
    end.abort();
    off();
    void server?.close();
  };

  let started: unknown;
  if ("then" in options) {
    const begun = options.then(begin);
    // Whoever waits is refused for this reason; it is told here once.
    begun.then(undefined, fault);
    started = begun;
  } else begin(options);
  const off = on(scope, arrives, arrived);

  return {
    get server() {
      if (!server) throw new ModelportError("not-ready", "The options have not come yet.");
      return server;
    },
    events,
    stop,
    [Symbol.dispose]: stop,
  };
}

/** Answers a request, in its own form, by an error. */
const refuse = (data: unknown, post: (answer: unknown) => void): void => {
  const { id, method } = frameOf(data);
  const answer = { jsonrpc: "2.0", id, error: { code: REFUSED, message: "The server refuses this client." } };
  if (method && id !== undefined) post(typeof data === "string" ? JSON.stringify(answer) : answer);
};

/** Whether it looks like JSON-RPC, as objects or as text. */
const isFrame = (data: any): boolean => {
  try {
    return typeof data === "string" ? data.includes('"jsonrpc"') : data?.jsonrpc === "2.0" || (Array.isArray(data) && data[0]?.jsonrpc === "2.0");
  } catch {
    return false;
  }
};
