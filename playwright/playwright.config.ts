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
  forbidOnly: !!process.env["CI"],
  workers: 2,
  retries: 0,
  timeout: 30_000,
  expect: { timeout: 5_000 },
  reporter: [["list"]],
  use: { launchOptions, trace: "off", screenshot: "off", video: "off" },
});
