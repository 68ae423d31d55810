// Small file chores. Whatever others may read is written beside its place and then renamed into it.

import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

export function writeAtomically(file, content) {
  mkdirSync(dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, content);
  renameSync(temporary, file);
}

/** Puts a finished folder in the place of another, which may be there or not. */
export function replaceFolder(finished, place) {
  const old = `${place}.${process.pid}.old`;
  if (existsSync(place)) renameSync(place, old);
  renameSync(finished, place);
  rmSync(old, { recursive: true, force: true });
}

export function readJson(file, otherwise) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return otherwise;
  }
}

/** Every file below a folder, or the file itself, sorted; nothing if it doesn't exist. */
export function filesBelow(place) {
  const stat = statSync(place, { throwIfNoEntry: false });
  if (!stat) return [];
  if (!stat.isDirectory()) return [place];
  return readdirSync(place).sort().flatMap((name) => filesBelow(join(place, name)));
}

export function hashOf(files, ...words) {
  const hash = createHash("sha256");
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(file)).update("\0");
  return hash.update(JSON.stringify(words)).digest("hex");
}

export function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Every place on PATH where a program of this name lies, in order. */
export const onPath = (name) =>
  (process.env.PATH ?? "").split(delimiter).filter(Boolean).map((folder) => join(folder, name)).filter(isProgram);
