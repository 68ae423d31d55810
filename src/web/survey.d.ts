// What www/ sees of survey.js.

/** JSON text of a message, with bytes as Base64; throws for what would be lost. */
export function jsonText(message: unknown): string;
/** What is in a value: `odd` is a path and something there for which JSON has no form. */
export function survey(value: unknown, depth: number, values: number, isOurs: boolean, takesBytes: boolean): { odd: string | undefined };
