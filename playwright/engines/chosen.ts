// Which browser this run is about, as scripts/test.mjs says; Chromium unless told.

export const engines = ["chromium", "firefox", "webkit"] as const;
export type EngineName = (typeof engines)[number];

const named = process.env["MODELPORT_ENGINE"] ?? "chromium";

export const chosen: EngineName = engines.find((name) => name === named) ?? fail(`MODELPORT_ENGINE is ${named}, which is none of ${engines.join(", ")}`);

function fail(why: string): never {
  throw new Error(why);
}
