// What a browser cannot do, by its own fault or by ours of driving it: tests by name, and why they are left
// out there. Each is said in the summary; one that no test bears the name of fails the run.

import type { EngineName } from "./chosen.ts";

export interface LeftOut {
  engine: EngineName;
  tests: RegExp;
  why: string;
}

export const leftOut: readonly LeftOut[] = [];

/** Spec files about the browser's registry of tools, which only Chromium has, and about pages that use it. */
export const native = ["adopt", "bridge", "demo", "outside_agent", "react", "rust_page"].map((name) => `**/${name}.spec.ts`);

/** Why a test, named with its file, is left out in a browser. */
export const whyLeftOut = (engine: EngineName, name: string): string | undefined => leftOut.find((one) => one.engine === engine && one.tests.test(name))?.why;
