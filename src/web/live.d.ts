// What www/ sees of live.js.

/** How many of each are held. */
export const live: Record<"ports" | "sockets" | "requests" | "locks" | "listeners", number>;
/** Those that have neither rung nor been cleared. */
export const timers: ReadonlySet<unknown>;
export type Timer = ReturnType<typeof setTimeout> | undefined;
export function setTimer(ring: () => void, wait?: number): Timer;
export function clearTimer(timer: Timer): void;
/** Listens until what it returns is called, or the signal aborts. */
export function on(target: EventTarget, type: string, heard: (event: any) => void, signal?: AbortSignal): () => void;
