// One set-up or build at a time in a checkout: a second command waits for the first instead of racing it.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { paths } from "./paths.mjs";
import { detail } from "./say.mjs";

const file = join(paths.tools, "lock");

const alive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
};

function take() {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    return false;
  }
}

function holder() {
  try {
    return Number(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

let depth = 0;
process.on("exit", () => depth > 0 && rmSync(file, { force: true }));

export async function locked(work) {
  if (depth === 0) {
    mkdirSync(paths.tools, { recursive: true });
    let told = false;
    while (!take()) {
      const pid = holder();
      // An empty file is one being written this instant; a dead holder was interrupted.
      if (pid && !alive(pid)) rmSync(file, { force: true });
      else {
        if (!told) detail(`waiting for another command (process ${pid}) to finish setting up or building here`);
        told = true;
        await sleep(200);
      }
    }
  }
  depth++;
  try {
    return await work();
  } finally {
    if (--depth === 0) rmSync(file, { force: true });
  }
}
