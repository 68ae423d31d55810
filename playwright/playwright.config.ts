// How the browser tests run: real Chromium with native WebMCP on, or another browser without (engines/),
// two workers, no retries.

import { defineConfig } from "@playwright/test";
import { launchOptions } from "./browser.ts";
import { chosen } from "./engines/chosen.ts";
import { native } from "./engines/left_out.ts";

export default defineConfig({
  testDir: ".",
  testMatch: "*.spec.ts",
  testIgnore: chosen === "chromium" ? [] : native,
  globalSetup: "./bundles.ts",
  outputDir: "../test-results",
  fullyParallel: true,
  globalTimeout: chosen === "chromium" ? 0 : 1_200_000,
  forbidOnly: !!process.env["CI"],
  workers: 2,
  // Once in some thousand tests Firefox loses a nested worker or its driver a page; the report then says "flaky".
  retries: chosen === "chromium" ? 0 : 1,
  timeout: 30_000,
  expect: { timeout: 5_000 },
  reporter: chosen === "chromium" ? [["list"]] : [["list"], ["./engines/summary.ts"]],
  use: { launchOptions, trace: "off", screenshot: "off", video: "off" },
});
