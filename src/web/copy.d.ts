// What www/ sees of copy.js.

/** A deep copy of what JSON makes of a value. Throws for what JSON has no form for. */
export function copy(value: unknown): unknown;
/** Keeps what is put in until it is opened; then `take` gets each message, in order. */
export function newInbox(take: (message: unknown) => void): { put(message: unknown): void; open(): void };
