// What compiling a schema and checking a value may cost, so that neither can hang a page or end its stack.

export const limits = {
  /** Subschemas within each other, in a schema as it is written. */
  nesting: 128,
  /** Subschemas at work within each other during a check, references included; also levels of values that are compared. */
  depth: 512,
  /** Rules, items and members looked at in one check. */
  steps: 2_000_000,
  /** Failures that are told. */
  failures: 20,
  /** Characters of a `pattern`. */
  pattern: 2_000,
  /** Steps for judging all that are in one schema. */
  judging: 300_000,
  /** Choices that a `pattern` may leave open one after the other, as a power of two. */
  choices: 20,
  /** Steps a `pattern` may take on one text, by its judgement. */
  matching: 100_000_000,
  /** Characters of a text that any `pattern` is tried on. */
  text: 100_000,
};
