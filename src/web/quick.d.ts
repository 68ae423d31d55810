// What www/ sees of quick.js.

/** Whether a value is a tool's result as it is. */
export function isResult(value: unknown): boolean;
