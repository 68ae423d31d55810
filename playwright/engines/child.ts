// A program that is started for the tests and ended with all that it has started, whatever happens.

import { spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";

export interface Child {
  stdout: Readable;
  /** Why it is gone, once it is. */
  readonly over: string | undefined;
  /** Ends it: politely, and two seconds later in earnest. */
  stop(): Promise<void>;
}

/** Starts a program. It leads a group, of which whatever it starts is a member. */
export function start(command: string, args: string[], env: NodeJS.ProcessEnv): Child {
  const child = spawn(command, args, { detached: true, stdio: ["ignore", "pipe", "ignore"], env });
  let over: string | undefined;
  const ended = new Promise<void>((resolve) => {
    const end = (why: string) => ((over ??= why), resolve());
    child.once("error", (error) => end(error.message));
    child.once("exit", (code, signal) => end(`ended with ${code ?? signal}`));
  });
  const end = (signal: NodeJS.Signals) => {
    try {
      if (child.pid) process.kill(-child.pid, signal);
    } catch {
      // All of them have ended by themselves.
    }
  };
  const atExit = () => end("SIGKILL");
  process.on("exit", atExit);
  return {
    stdout: child.stdout,
    get over() {
      return over;
    },
    async stop() {
      end("SIGTERM");
      await Promise.race([ended, sleep(2_000)]);
      atExit();
      process.off("exit", atExit);
    },
  };
}
