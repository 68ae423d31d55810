// Child processes: quiet ones with a heartbeat and a deadline, and loud ones that share our terminal.

import { spawn } from "node:child_process";
import { detail, seconds, signalCode } from "./say.mjs";
import { root } from "./paths.mjs";

const running = new Set();
const heartbeatEvery = process.stdout.isTTY ? 5_000 : 15_000;

// A child with a deadline leads its own process group, so neither Ctrl-C nor our end would reach it by itself.
process.on("exit", () => running.forEach((child) => end(child)));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => process.exit(signalCode(signal)));
}

function end(child, signal = "SIGTERM") {
  try {
    process.kill(child.ownGroup ? -child.pid : child.pid, signal);
  } catch {
    // It has ended by itself.
  }
}

function start(command, args, { cwd = root, env = {}, stdio, ownGroup = false }) {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio, detached: ownGroup });
  child.ownGroup = ownGroup;
  running.add(child);
  child.once("close", () => running.delete(child));
  return child;
}

const finished = (child) =>
  new Promise((resolve) => {
    child.once("error", (error) => (running.delete(child), resolve({ code: 127, failure: error.message })));
    child.once("close", (code, signal) => resolve({ code: code ?? signalCode(signal) }));
  });

/**
 * Runs a command and keeps what it prints. Resolves to `{ ok, code, output, why }` and never rejects.
 * `doing` asks for a heartbeat line; `count` is a pattern whose matching lines are counted in it, as `unit`.
 * `deadline` is a limit for the whole, `idle` one for silence, both in seconds.
 */
export async function quiet(command, args, options = {}) {
  const { doing, count, unit, deadline, idle } = options;
  const limited = Boolean(deadline || idle) && process.platform !== "win32";
  const child = start(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"], ownGroup: limited });
  const started = performance.now();
  const chunks = [];
  let counted = 0;
  let lastWord = started;
  let why;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      chunks.push(text);
      lastWord = performance.now();
      if (count) counted += text.match(count)?.length ?? 0;
    });
  }
  const giveUp = (reason) => {
    why ??= reason;
    end(child);
    setTimeout(() => end(child, "SIGKILL"), 1_000).unref();
  };
  const watch = setInterval(() => {
    const now = performance.now();
    if (deadline && now - started > deadline * 1000) giveUp(`gave no answer within ${deadline} s`);
    if (idle && now - lastWord > idle * 1000) giveUp(`said nothing for ${idle} s`);
  }, 250);
  const beat = setInterval(() => {
    const sofar = count ? `, ${counted} ${unit} so far` : "";
    if (doing) detail(`… still ${doing}, ${Math.round((performance.now() - started) / 1000)} s${sofar}`);
  }, heartbeatEvery);
  const { code, failure } = await finished(child);
  clearInterval(watch);
  clearInterval(beat);
  why ??= failure ?? `ended with code ${code} after ${seconds(performance.now() - started)}`;
  return { ok: code === 0, code, output: chunks.join(""), why };
}

/** Runs a command on our own terminal and resolves to its exit code. `tee` also hands over each piece of its output. */
export async function loud(command, args, { tee, ...options } = {}) {
  const child = start(command, args, { ...options, stdio: tee ? ["inherit", "pipe", "pipe"] : "inherit" });
  if (tee) {
    for (const [from, to] of [[child.stdout, process.stdout], [child.stderr, process.stderr]]) {
      from.setEncoding("utf8").on("data", (text) => (to.write(text), tee(text)));
    }
  }
  const { code, failure } = await finished(child);
  if (failure) process.stderr.write(`${command}: ${failure}\n`);
  return code;
}

/** A server that runs until `stop()`, or until we end; `output()` is what it has printed so far. */
export function background(command, args, options = {}) {
  const child = start(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"], ownGroup: process.platform !== "win32" });
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => chunks.push(text));
  const ended = finished(child);
  return { output: () => chunks.join(""), ended, stop: () => (end(child), ended) };
}

/** The last lines of an output, for an explanation. */
export const tail = (output, lines = 20) => output.trimEnd().split("\n").slice(-lines).join("\n");
