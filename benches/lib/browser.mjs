// The browser: Chromium with native WebMCP on, and pages that each hold one contestant.

import { chromium } from "@playwright/test";
import { executablePath, quiet, webmcp } from "../../scripts/lib/chromium.mjs";

export const launch = () => chromium.launch({ executablePath, args: [...quiet, webmcp, "--enable-precise-memory-info"] });

/** A fresh context, whose contestants are told the port of wires.mjs: nothing cached, nothing shared with an earlier round. */
export async function newRound(browser, url, port) {
  const context = await browser.newContext();
  return { open: ({ options, ...contestant }) => openPage(context, url, { ...contestant, options: { ...options, port } }), close: () => context.close() };
}

/** A page with one contestant in it, in a renderer of its own. */
async function openPage(context, url, { id, module, options }) {
  const page = await context.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  await page.goto(`${url}/pages/bench.html`);
  await page.waitForSelector("[data-ready]", { state: "attached" });
  if (!(await page.evaluate(() => crossOriginIsolated))) throw new Error("the page is not cross-origin isolated, its clock is too coarse");
  const about = await page.evaluate(([name, given]) => bench.open(name, given), [module, options ?? {}]);
  return {
    id,
    page,
    about,
    /** Runs a measurement; whatever the page reports as an error on the way disqualifies it. */
    async measure(how, given) {
      // Chromium runs the renderers of all pages but the one in front at a lower priority, whatever its
      // flags say: on a busy machine that alone would decide who wins.
      await page.bringToFront();
      const figures = await page.evaluate(([name, details]) => bench.measure(name, details), [how, given]);
      if (faults.length > 0) throw new Error(`${id}: ${faults.splice(0).join("; ")}`);
      return figures;
    },
    close: () => page.evaluate(() => bench.close()),
  };
}
