// What a test starts from that runs in every browser: a page that does what `Tab` lists. In Chromium that
// is Playwright's own, with all its fixtures; elsewhere one of our drivers', and what the browser lacks is left out.

import { chromium as program, type BrowserContext, type Page, type TestType } from "@playwright/test";
import { launchOptions } from "./browser.ts";
import { chosen } from "./engines/chosen.ts";
import { nameOf, reasons, whyLeftOut } from "./engines/left_out.ts";
import { arrived, type Engine, type Pane, type Tab, type Window } from "./engines/pane.ts";
import { enter, expect, importInto, loadSdks, test as chromium, type OpenOptions } from "./fixtures.ts";
import { test as withSite, type Site, type Traffic } from "./site.ts";

export { arrived, expect, loadSdks };
export type { Pane, Tab };

interface Everywhere {
  /** Opens a blank page with the library imported as `lib` and, unless told otherwise, ready. */
  openPage(options?: OpenOptions): Promise<Tab>;
  /** Announces errors, and in Chromium whatever else it remarks on, that are meant to happen. */
  expectNoise(pattern: RegExp): void;
  /** What the site is asked for, and may be answered in its stead. */
  traffic: Traffic;
}

async function launch(): Promise<Engine> {
  if (chosen === "firefox") return (await import("./engines/firefox.ts")).launch(process.env["FIREFOX_PATH"]!);
  return (await import("./engines/webkit.ts")).launch(JSON.parse(process.env["WEBKIT_PROGRAMS"]!));
}

const inChromium = chromium.extend({
  openPage: async ({ page, context, site }, use) => {
    await use(async (options) => tabOf(await enter(page, site, options), context));
  },
});

const tabOf = (page: Page, context: BrowserContext) =>
  Object.assign(page, {
    async embed(src: string, sandbox?: string) {
      const element = await page.evaluateHandle(([src, sandbox]) => kit.addFrame(src!, sandbox), [src, sandbox]);
      return (await element.contentFrame())!;
    },
    async popup(src: string) {
      const opened = context.waitForEvent("page");
      await page.evaluate((src) => void window.open(src, "_blank", "popup"), src);
      const popup = await opened;
      return Object.assign(popup.mainFrame(), { close: () => popup.close() });
    },
  });

const elsewhere = withSite.extend<Omit<Everywhere, "traffic"> & { leftOut: void; tab: Tab }, { engine: Engine }>({
  engine: [
    async ({}, use) => {
      const engine = await launch();
      await use(engine);
      await engine.close();
    },
    { scope: "worker", timeout: 60_000 },
  ],

  leftOut: [
    async ({}, use, info) => {
      const why = whyLeftOut(chosen, nameOf(info.file, [info.title]));
      info.skip(why !== undefined, why);
      await use();
    },
    { auto: true },
  ],

  tab: async ({ engine }, use) => {
    const tab = await engine.open();
    await use(tab);
    await tab.close();
  },

  openPage: async ({ tab, site }, use) => {
    await use((options) => enter(tab, site, options));
  },

  expectNoise: [
    async ({ leftOut: _, tab }, use) => {
      const announced: RegExp[] = [];
      await use((pattern) => void announced.push(pattern));
      // An unhandled rejection comes a task late.
      const complaints = await tab.evaluate(() => new Promise<string[]>((resolve) => setTimeout(() => resolve(globalThis.complaints ?? []), 0)));
      expect(complaints.filter((text) => !announced.some((pattern) => pattern.test(text))), "the page complained").toEqual([]);
    },
    { auto: true },
  ],
});

/** A test's fixtures are those of the browser that this run is about; what all of them have is typed. */
export const test = (chosen === "chromium" ? inChromium : elsewhere) as unknown as TestType<Everywhere, { site: Site }>;

/** Tests that only Chromium can run, and why; `kind` has more fixtures than its own. */
export const native = <T = typeof chromium>(why: keyof typeof reasons, kind: T = chromium as T): T =>
  chosen === "chromium" ? kind : (((title: string) => test.skip(title, { annotation: { type: "skip", description: reasons[why] } }, () => {})) as any);

const inhabit = async <T extends Pane>(pane: T): Promise<T> => {
  await arrived(pane);
  await importInto(pane);
  await pane.evaluate(() => lib.ready());
  return pane;
};

/** A frame in the page, with the library in it. */
export const embed = async (tab: Tab, src: string, sandbox?: string): Promise<Pane> => inhabit(await tab.embed(src, sandbox));

/** A window that the page opens, likewise. */
export const popup = async (tab: Tab, src: string): Promise<Window> => inhabit(await tab.popup(src));

/** A page in a browser that keeps pages for "Back", which the tests' own Chromium does not. */
export async function keepingPage(openPage: () => Promise<Tab>, site: Site): Promise<Pick<Tab, "evaluate" | "goto"> & { done(): Promise<unknown> }> {
  if (chosen !== "chromium") return Object.assign(await openPage(), { done: async () => {} });
  const browser = await program.launch({ ...launchOptions, ignoreDefaultArgs: ["--disable-back-forward-cache"] });
  return Object.assign(await enter(await browser.newPage(), site), { done: () => browser.close() });
}

/** The network goes and comes back; a browser whose driver cannot do that is only told so. */
export async function blink(tab: Tab): Promise<void> {
  if (chosen !== "chromium") return tab.evaluate(() => ["offline", "online"].forEach((type) => dispatchEvent(new Event(type))));
  const context = (tab as unknown as Page).context();
  await context.setOffline(true);
  await context.setOffline(false);
}
