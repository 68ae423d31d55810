// Which Chromium the tests drive, and with which switches.

import type { LaunchOptions } from "@playwright/test";

const quiet = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export const executablePath = process.env["CHROME_PATH"] || "/usr/bin/chromium";

/** Chromium as it comes, where `document.modelContext` is not there. */
export const plainLaunchOptions: LaunchOptions = { executablePath, args: quiet };

/** Chromium with its WebMCP registry switched on. */
export const launchOptions: LaunchOptions = { executablePath, args: [...quiet, "--enable-features=WebMCP"] };
