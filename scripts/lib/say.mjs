// Plain lines for people, and the one kind of error that is meant for them.

import { constants } from "node:os";

/** Something that can't be had or done: says the cause and what to do about it, and needs no stack trace. */
export class Trouble extends Error {
  constructor(cause, remedy) {
    super(cause);
    this.remedy = remedy;
  }
}

export const say = (line) => process.stdout.write(`${line}\n`);
export const step = (line) => say(`• ${line}`);
export const detail = (line) => say(`    ${line}`);

/** `4.2 s` since a `performance.now()`. */
export const since = (start) => seconds(performance.now() - start);
export const seconds = (ms) => (ms < 9950 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`);

export function explain(error) {
  if (!(error instanceof Trouble)) return process.stderr.write(`${error?.stack ?? error}\n`);
  process.stderr.write(`\n✗ ${error.message}\n`);
  if (error.remedy) process.stderr.write(`  What to do: ${error.remedy}\n`);
}

/** Runs a command's main function: a Trouble becomes plain words, and the exit code tells. */
export async function main(work) {
  try {
    process.exitCode = (await work(process.argv.slice(2))) ?? 0;
  } catch (error) {
    explain(error);
    process.exitCode = 1;
  }
}

/** The exit code a shell expects of a program that a signal ended. */
export const signalCode = (signal) => 128 + (constants.signals[signal] ?? 0);
