// Builds the package a second time, from the same sources in a folder of another name, and compares every byte.

import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { filesBelow } from "../lib/files.mjs";
import { paths } from "../lib/paths.mjs";
import { quiet, tail } from "../lib/run.mjs";
import { unlessUnchanged } from "../lib/stamps.mjs";

async function must(cwd, command, args) {
  const done = await quiet(command, args, { cwd, doing: "building a second time", deadline: 900 });
  if (!done.ok) throw new Error(`${command} ${args.join(" ")} ${done.why}:\n${tail(done.output, 30)}`);
  return done.output;
}

/** Throws what is not the same. What was compared before and has not changed since is not built again. */
export async function reproduce() {
  const first = filesBelow(paths.dist);
  await unlessUnchanged("reproduced", first, [], async () => {
    const wrong = await compare(first);
    if (wrong.length) throw new Error(wrong.join("\n"));
    return [];
  });
  return [];
}

async function compare(first) {
  const elsewhere = mkdtempSync(join(tmpdir(), "modelport-built-again-in-a-longer-folder-"));
  const remove = () => rmSync(elsewhere, { recursive: true, force: true, maxRetries: 3 });
  process.on("exit", remove);
  try {
    // As git has them, and as they are now; nothing that was made.
    const sources = (await must(paths.root, "git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"])).split("\0");
    for (const file of sources) if (file && existsSync(paths.at(file))) copy(paths.at(file), join(elsewhere, file));
    // What the set-up found out about this machine.
    const known = join(paths.tools, "state.json");
    if (existsSync(known)) copy(known, join(elsewhere, ".tools", "state.json"));
    await must(elsewhere, process.execPath, [join(elsewhere, "scripts", "build.mjs")]);
    const dist = join(elsewhere, "dist");
    const names = (files, root) => files.map((file) => relative(root, file));
    const [ours, theirs] = [names(first, paths.dist), names(filesBelow(dist), dist)];
    const all = [...new Set([...ours, ...theirs])];
    return all.filter((name) => !ours.includes(name) || !theirs.includes(name) || !readFileSync(join(paths.dist, name)).equals(readFileSync(join(dist, name)))).map((name) => `${name} is not the same`);
  } finally {
    remove();
    process.off("exit", remove);
  }
}

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}
