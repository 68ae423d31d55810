// How a client gets a port to a scope server: a hello is said again until it is answered, and the
// answer brings a `MessagePort`, over which everything else goes. The answering half is in `scope_server.ts`.

import { Client } from "./client.js";
import type { ClientOptions } from "./client_types.js";
import { ModelportError } from "./error.js";
import { clearTimer, on, setTimer, type Timer } from "./generated/live.js";
import { judgeOf, windowOf, type Judge } from "./origins.js";
import { MessagePortTransport, type PortLike } from "./transport.js";

export type Greeting = "hello" | "welcome" | "wake";

/** What travels outside the port. A hello is for anybody's eyes, as its receiver's origin is not known yet. */
export const greeting = (modelport: Greeting, nonce: string) => ({ modelport, nonce });

/** The nonce of a greeting of this kind; nothing for what is none, whatever it is. */
export const nonceOf = (data: any, kind: Greeting): string | undefined => {
  try {
    const { modelport, nonce } = data;
    return modelport === kind && typeof nonce === "string" && nonce.length < 99 ? nonce : undefined;
  } catch {
    return undefined;
  }
};

/** How long another scope is tried to be reached. */
export interface ReachOptions {
  /** Gives up; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Milliseconds until it rejects with `timeout`. Default 10,000. */
  timeout?: number;
}

/** How another scope is reached, and the client for it. */
export interface ConnectOptions extends ReachOptions {
  /** The options of the client that is made. */
  client?: ClientOptions;
}

/** The origin of the document in that window: `"https://…"`, or `"null"` for a sandboxed one. */
interface OfWindow {
  origin: string;
}

/** A worker of any kind, or inside a dedicated worker its own scope, to reach who made it. */
export type WorkerLike = SharedWorker | ServiceWorker | PortLike;

type Reach = (end: AbortSignal) => Promise<MessagePort>;

/** Between two hellos, and at most. */
const [FIRST_PAUSE, LAST_PAUSE] = [20, 250];

/** No opener, no active worker, no parent: a page is its own parent, and has `createPageServer` for itself. */
const nobody = () => {
  throw new ModelportError("invalid-argument", "There is nobody to connect to.");
};

/**
 * A port to the scope server in a frame, window or worker, for whoever shall use it: it may be handed
 * on to a worker, or given to the official SDK's client by a `MessagePortTransport`. The server takes
 * it back if nothing is said over it for ten seconds.
 */
export function portTo(target: HTMLIFrameElement | Window, options: OfWindow & ReachOptions): Promise<MessagePort>;
export function portTo(target: WorkerLike, options?: ReachOptions): Promise<MessagePort>;
export function portTo(target: any, options: ReachOptions & Partial<OfWindow> = {}): Promise<MessagePort> {
  return within(options, options.origin === undefined ? workerPort(target) : windowPort(target, [options.origin]));
}

/** A client of the server in an iframe. The frame may still be loading. */
export const connectToFrame = (iframe: HTMLIFrameElement, options: OfWindow & ConnectOptions): Promise<Client> => connect(options, () => windowPort(iframe, [options.origin]));

/** A client of the server in another window: one that this page has opened, its opener, or another frame. */
export const connectToWindow = (window: Window, options: OfWindow & ConnectOptions): Promise<Client> => connect(options, () => windowPort(window, [options.origin]));

/** A client of the server in the page that embeds this one, if its origin is one of these. */
export const connectToParent = (options: { origins: "*" | readonly string[] } & ConnectOptions): Promise<Client> => connect(options, () => windowPort(parent, options.origins));

/** A client of the server in a worker. */
export const connectToWorker = (worker: WorkerLike, options: ConnectOptions = {}): Promise<Client> => connect(options, () => workerPort(worker));

const connect = async (options: ConnectOptions, reach: () => Reach): Promise<Client> => {
  const client = new Client(options.client);
  return within(options, async (end) => {
    const stop = () => void client.close();
    let off;
    try {
      const port = await reach()(end);
      off = on(end, "abort", stop);
      await client.connect(new MessagePortTransport(port));
      return client;
    } catch (thrown) {
      stop();
      throw end.aborted ? end.reason : thrown;
    } finally {
      off?.();
    }
  });
};

/** Runs a piece of work under a signal that tells of the deadline, or of the caller's own signal. */
const within = async <T>({ signal, timeout = 10_000 }: ReachOptions, work: (end: AbortSignal) => Promise<T>): Promise<T> => {
  signal?.throwIfAborted();
  const end = new AbortController();
  const abort = () => end.abort(signal!.reason);
  const timer = setTimer(() => end.abort(new ModelportError("timeout", "No server answered.")), timeout);
  const off = signal && on(signal, "abort", abort);
  try {
    return await work(end.signal);
  } finally {
    clearTimer(timer);
    off?.();
  }
};

/** Source and origin of the answer are checked; where the hello goes does not matter, as it holds no secret. */
const windowPort = (target: HTMLIFrameElement | Window, origins: "*" | readonly string[]): Reach => {
  const there = () => windowOf(target);
  if (!target || target === globalThis.window) nobody();
  const judge = judgeOf(origins, window, true);
  return (end) =>
    shake(end, window, (event) => event.source === there() && judge(event), (hello) => {
      // A frame that is not in the document yet has no window; a window that is closed never answers.
      if (there()?.closed) throw new ModelportError("closed", "The window is closed.");
      there()?.postMessage(hello, "*");
    });
};

const workerPort = (worker: any): Reach => async (end) => {
  if (!worker) nobody();
  // A SharedWorker brings its port, and the worker hears of it by `connect`.
  if (worker.port) return worker.port;
  if (!("scriptURL" in worker)) return shake(end, worker, () => true, (hello) => worker.postMessage(hello));
  navigator.serviceWorker.startMessages();
  let nonce!: string;
  const port = await shake(end, navigator.serviceWorker, () => true, (hello) => {
    nonce = hello.nonce;
    worker.postMessage(hello);
  });
  // Messages over a port do not keep a service worker running; each request is announced by an event that does.
  const post = port.postMessage.bind(port);
  port.postMessage = (message: any, more?: any) => {
    if (message?.method) worker.postMessage(greeting("wake", nonce));
    post(message, more);
  };
  return port;
};

const shake = (end: AbortSignal, from: EventTarget, fits: Judge, post: (hello: ReturnType<typeof greeting>) => void) =>
  new Promise<MessagePort>((resolve, reject) => {
    const hello = greeting("hello", crypto.getRandomValues(new Uint32Array(4)).join());
    let pause = FIRST_PAUSE;
    let timer: Timer;
    const settle = (port: MessagePort | undefined, reason?: unknown) => {
      clearTimer(timer);
      offs.forEach((off) => off());
      if (port) resolve(port);
      else reject(reason);
    };
    const give = () => settle(undefined, end.reason);
    const heard = (event: any) => {
      if (nonceOf(event.data, "welcome") === hello.nonce && fits(event)) settle(event.ports[0], new ModelportError("origin-refused", "The server refuses this client."));
    };
    const say = () => {
      try {
        post(hello);
        timer = setTimer(say, (pause = Math.min(2 * pause, LAST_PAUSE)));
      } catch (thrown) {
        settle(undefined, thrown);
      }
    };
    const offs = [on(from, "message", heard), on(end, "abort", give)];
    say();
  });
