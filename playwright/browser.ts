// Which Chromium the tests drive, and with which switches.

import type { LaunchOptions } from "@playwright/test";
import { executablePath, quiet, webmcp } from "../scripts/lib/chromium.mjs";

export { executablePath };

/** Chromium as it comes, where `document.modelContext` is not there. */
export const plainLaunchOptions: LaunchOptions = { executablePath, args: quiet };

/** Chromium with its WebMCP registry switched on. */
export const launchOptions: LaunchOptions = { executablePath, args: [...quiet, webmcp] };
