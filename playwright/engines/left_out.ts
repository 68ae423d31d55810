// All that does not run in every browser, and why. The summary says it (summary.ts), test by test.

import type { EngineName } from "./chosen.ts";

/** Why a test is `native` to Chromium. */
export const reasons = {
  registry: "only Chromium has a registry of tools",
  network: "only Chromium's driver takes a page off the network",
  extension: "it is about Chromium's extensions",
  heap: "only Chromium's driver collects the garbage and measures the heap",
  node: "it is about Node",
} as const;

/** Whole files that need the registry, or are about pages that use it. */
export const native = ["adopt", "bridge", "demo", "outside_agent", "react", "rust_page", "rust_examples", "bridge/*"].map((name) => `**/playwright/${name}.spec.ts`);

interface LeftOut {
  engine: EngineName;
  tests: RegExp;
  why: string;
}

const leaves = "Firefox keeps no page that has a socket or holds a lock, and closes the socket itself (1001) before the page hears that it is left";

/** What a browser does differently, measured with the versions in Debian 12: a test, named with its file, that cannot hold there. */
export const leftOut: readonly LeftOut[] = [
  { engine: "firefox", tests: /^reconnecting\.spec\.ts › a page that is kept for Back/, why: leaves },
  { engine: "firefox", tests: /^serving_socket\.spec\.ts › a serving page that is kept for Back/, why: leaves },
  { engine: "webkit", tests: /^policy\.spec\.ts › a worker names/, why: "WebKit tells a worker of no violation of its policy" },
];

/** A test's name as it is matched: its file and its titles. */
export const nameOf = (file: string, titles: readonly string[]): string => [file.replace(/.*[/\\]playwright[/\\]/, ""), ...titles].join(" › ");

export const whyLeftOut = (engine: EngineName, name: string): string | undefined => leftOut.find((one) => one.engine === engine && one.tests.test(name))?.why;
