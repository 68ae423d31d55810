// When a lost carrier is replaced, when one that says nothing is asked whether it is still there, and
// when one that was replaced is let go of. How that is done is the business of a client or a session.

import type { Transport } from "./types.js";

/** A carrier, or what makes one each time it is needed. */
export type Carrier = Transport | (() => Transport | Promise<Transport>);

import { clearTimer, on, setTimer, type Timer } from "./generated/live.js";

/** How a lost carrier is replaced, and how one that is silent is found out. */
export interface ReconnectOptions {
  /** Milliseconds before the first attempt, doubled for each further one; each wait is shortened by chance, by up to a half. Default 500. */
  delay?: number;
  /** The longest wait, which also is that of a page that is offline. A connection that held for so long begins anew. Default 30,000. */
  maxDelay?: number;
  /** Attempts in a row until the client, or the session, is closed. Default: without end. */
  attempts?: number;
  /** Milliseconds between two questions of a client whether the server is there: `ping`, or `server/discover`. Default 0: never. */
  ping?: number;
  /** Milliseconds to answer that until the carrier is taken for lost; and those in which what is under way on a carrier has to end after `switchTo`. Default 10,000. */
  patience?: number;
}

/** One connection, or session, over one carrier. */
export interface Held {
  readonly inFlight: number;
  close(): void;
}

const PATIENCE = 10_000;
/** Milliseconds between two looks whether something is still under way. */
const LOOK = 50;

/** Tells that a carrier is lost, or replaced. */
export const fire = (target: EventTarget, type: "disconnect" | "reconnect" | "close") => void target.dispatchEvent(new Event(type));

/** What `patience` is. */
export const patienceOf = ({ patience = PATIENCE }: ReconnectOptions = {}): number => patience;

/** Lets it go as soon as nothing is under way on it, or when its time is up; until then it is one of those. */
export async function leave(one: Held, among: Set<Held>, patience: number): Promise<void> {
  const { performance } = globalThis;
  const end = performance.now() + patience;
  among.add(one);
  while (one.inFlight && performance.now() < end) await new Promise<void>((resolve) => setTimer(resolve, LOOK));
  among.delete(one);
  one.close();
}

export interface Keeper {
  /** The carrier is lost; whether there will be another one. */
  lost(): boolean;
  stop(): void;
}

/**
 * `dial` makes a new connection, `ask` asks the present one and ends it if there is no answer, `give` hears
 * that no further attempt is made. A page that is left makes none until it is shown again.
 */
export function keep(dial: () => Promise<unknown>, ask: () => Promise<unknown>, give: (error: unknown) => void, { delay = 500, maxDelay = 30_000, attempts = Infinity, ping = 0 }: ReconnectOptions): Keeper {
  const { navigator, performance } = globalThis;
  const end = new AbortController();
  let timer: Timer;
  let since = performance.now();
  let tried = 0;
  let losses = 0;
  let up = true;
  let dialling = false;
  let away = false;
  const plan = (wait: number, act: () => void) => {
    clearTimer(timer);
    if (!end.signal.aborted && !away) timer = setTimer(act, wait);
  };
  const check = () => ask().then(rest);
  const rest = () => {
    if (up && ping) plan(ping, check);
  };
  const retry = () => plan((navigator?.onLine === false ? maxDelay : Math.min(maxDelay, delay * 2 ** tried)) * (1 - Math.random() / 2), attempt);
  const attempt = async () => {
    if (dialling || away) return;
    clearTimer(timer);
    dialling = true;
    tried++;
    const before = losses;
    try {
      await dial();
      // It may be lost already.
      if (losses > before) return;
      since = performance.now();
      up = true;
      rest();
    } catch (error) {
      if (end.signal.aborted) return;
      if (tried < attempts) retry();
      else give(error);
    } finally {
      dialling = false;
    }
  };
  // Node tells of none of these.
  const when = (type: string, act: () => void) => "addEventListener" in globalThis && on(globalThis, type, act, end.signal);
  when("online", () => (up ? check() : attempt()));
  when("offline", () => up && check());
  when("pagehide", () => {
    away = true;
    clearTimer(timer);
  });
  when("pageshow", () => {
    away = false;
    up ? rest() : attempt();
  });
  rest();
  return {
    lost() {
      losses++;
      up = false;
      if (performance.now() - since > maxDelay) tried = 0;
      if (tried >= attempts) return false;
      retry();
      return true;
    },
    stop() {
      end.abort();
      clearTimer(timer);
    },
  };
}
