// How the browser tests run: real Chromium with native WebMCP on, two workers, no retries.

import { defineConfig } from "@playwright/test";
import { launchOptions } from "./browser.ts";

export default defineConfig({
  testDir: ".",
  testMatch: "*.spec.ts",
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
