// The stubs, as init scripts.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const read = (name: string) => readFileSync(fileURLToPath(new URL(`./stubs/${name}.js`, import.meta.url)), "utf8");

/** The scripts that give a page a registry of this shape. */
export const shaped = (name: string): string[] => [read("base"), read(name)];

declare global {
  var stub: { registry: any; other?: any; shape: any; runs: Record<string, number>; touched: { navigator: number } };
  interface Navigator {
    readonly modelContext?: any;
  }
}
