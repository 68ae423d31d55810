// What every browser test starts from: a loopback site, a page with the library in it, the outside
// agent, and a watch that fails the test on any noise it did not announce.

import { expect, type BrowserContext, type Page } from "@playwright/test";
import { Agent } from "./agent.ts";
import type { Pane, Tab } from "./engines/pane.ts";
import { test as withSite, type Blank, type Site } from "./site.ts";

export { expect, Agent };
export type { Page };

declare global {
  /** The library, in pages that `openPage` opened. */
  var lib: typeof import("../dist/index.js");
  /** The tests' own helpers, likewise. */
  var kit: typeof import("./kit/kit.ts");
  /** The official SDKs, once `loadSdks` has loaded them. */
  var sdk1: typeof import("./kit/sdk1.ts");
  var sdk2: typeof import("./kit/sdk2.ts");
  /** Errors that nobody caught, in pages of browsers that tell the tests of none. */
  var complaints: string[] | undefined;
  /** What the page's policy forbade. */
  var violations: string[];
  interface Document {
    /** The browser's own registry. */
    readonly modelContext?: any;
  }
}

export interface OpenOptions extends Blank {
  /** Whether to await `ready()`. Default true. */
  ready?: boolean;
  /** Another name of this machine, which is another origin. */
  host?: "127.0.0.1";
}

interface Fixtures {
  /** Opens a blank page with the library imported as `lib` and, unless told otherwise, ready. */
  openPage(options?: OpenOptions): Promise<Page>;
  /** Attaches the outside agent to the page. */
  openAgent(): Promise<Agent>;
  /** Announces console errors, warnings and page errors that are meant to happen. */
  expectNoise(pattern: RegExp): void;
}

/** Collects what a browser complains about. */
export function listen(context: BrowserContext): string[] {
  const complaints: string[] = [];
  context.on("console", (message) => {
    const type = message.type();
    if (type === "error" || type === "warning") complaints.push(`console ${type}: ${message.text()} (${message.location().url})`);
  });
  context.on("weberror", (error) => complaints.push(`uncaught: ${String(error.error())}`));
  const watch = (page: Page) => page.on("crash", () => complaints.push("the renderer crashed"));
  context.pages().forEach(watch);
  context.on("page", watch);
  return complaints;
}

/** Lets the pages report what they still have to: an unhandled rejection comes a task late. */
export async function settle(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) {
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 0))).catch(() => {});
  }
}

/** Puts the library and the helpers into a document. Strings, so that the runner's own compiler leaves import() alone. */
export async function importInto(pane: Pick<Pane, "evaluate">): Promise<void> {
  await pane.evaluate("Promise.all([import('/dist/index.js'), import('/bundles/kit.js')]).then(([lib, kit]) => { Object.assign(globalThis, { lib, kit }); })");
}

/** Opens a blank page and puts the library into it. */
export async function enter<T extends Pick<Page, "goto" | "evaluate"> | Tab>(page: T, site: Site, { ready = true, host, ...blank }: OpenOptions = {}): Promise<T> {
  const address = site.blank(blank);
  await page.goto(host ? address.replace("localhost", host) : address);
  await page.evaluate(() => {
    const complaints: string[] = (globalThis.complaints = []);
    addEventListener("error", ({ message }) => complaints.push(`uncaught: ${message}`));
    addEventListener("unhandledrejection", ({ reason }) => complaints.push(`unhandled: ${reason}`));
    globalThis.violations = [];
    addEventListener("securitypolicyviolation", ({ violatedDirective }) => globalThis.violations.push(violatedDirective));
  });
  await importInto(page);
  if (ready) await page.evaluate(() => lib.ready());
  return page;
}

/** Puts the official SDKs into a page. */
export async function loadSdks(page: Pick<Pane, "evaluate">): Promise<void> {
  await page.evaluate("import('/bundles/sdk1.js').then((sdk) => { globalThis.sdk1 = sdk; })");
  await page.evaluate("import('/bundles/sdk2.js').then((sdk) => { globalThis.sdk2 = sdk; })");
}

export const test = withSite.extend<Fixtures>({
  expectNoise: [
    async ({ page: _, context }, use) => {
      // Depending on the page makes this end before the page is closed.
      const complaints = listen(context);
      const announced: RegExp[] = [];
      await use((pattern) => void announced.push(pattern));
      await settle(context);
      const unexpected = complaints.filter((text) => !announced.some((pattern) => pattern.test(text)));
      expect(unexpected, "the browser complained").toEqual([]);
    },
    { auto: true },
  ],

  openPage: async ({ page, site }, use) => {
    await use((options) => enter(page, site, options));
  },

  openAgent: async ({ page }, use) => {
    await use(() => Agent.open(page));
  },
});
