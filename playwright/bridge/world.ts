// Where the bridge's tests run: documents with the library, the helpers and a registry in them, in
// three settings. Documents are shared by the tests of a worker; each test must leave them as it
// found them, which is checked.

import { chromium, expect, type Browser, type BrowserContext, type Frame, type Page } from "@playwright/test";
import { build } from "esbuild";
import { fileURLToPath } from "node:url";
import { launchOptions, plainLaunchOptions } from "../browser.ts";
import { enter, listen, settle, type OpenOptions } from "../fixtures.ts";
import { test as withSite, type Site } from "../site.ts";

export { expect };
export type { Page, Frame };

declare global {
  var br: typeof import("./page.ts");
}

/** Where the tools live, as seen from the document that looks at them. */
export type Setting = "top" | "frame" | "origins";
export const settings: Setting[] = ["top", "frame", "origins"];

/** A page whose `owner` has tools and whose `viewer` sees them through the browser. */
export class World {
  readonly page: Page;
  readonly owner: Frame;
  readonly viewer: Frame;
  readonly complaints: string[];
  readonly setting: Setting;

  constructor(setting: Setting, page: Page, owner: Frame, complaints: string[]) {
    this.setting = setting;
    [this.page, this.owner, this.viewer, this.complaints] = [page, owner, page.mainFrame(), complaints];
  }

  /** Resolves once the viewer's registry lists exactly these names. */
  async sees(...names: string[]): Promise<void> {
    await expect.poll(() => this.viewer.evaluate(() => br.listed()), { intervals: [2, 5, 10, 20, 50], timeout: 4_000 }).toEqual(names.sort());
  }

  async reset(): Promise<void> {
    for (const frame of new Set([this.owner, this.viewer])) await frame.evaluate(() => br.reset());
    await this.sees();
    await settle(this.page.context());
  }
}

export interface PageOptions extends OpenOptions {
  /** Scripts to run before the page's own, given as text. */
  scripts?: string[];
  /** A browser without WebMCP. */
  plain?: boolean;
}

interface Fixtures {
  setting: Setting;
  /** Text of console messages and errors that are meant to happen. */
  expectNoise(pattern: RegExp): void;
  world: World;
  /** A page of this test's own. */
  open(options?: PageOptions): Promise<Page>;
  noise: { contexts: Map<BrowserContext, string[]>; announced: RegExp[] };
}

interface WorkerFixtures {
  helpers: string;
  plainBrowser: () => Promise<Browser>;
  worlds: Map<Setting, Promise<World>>;
}

/** Puts library and helpers into a frame that has been there for a while. */
export async function equip(frame: Frame): Promise<Frame> {
  await frame.evaluate("import('/dist/index.js').then((lib) => { globalThis.lib = lib; return lib.ready(); })");
  await frame.evaluate("import('/bundles/kit.js').then((kit) => { globalThis.kit = kit; })");
  return frame;
}

/** Another origin of the same site's server. */
export const elsewhere = (url: string): string => url.replace(/^http:\/\/(localhost|127\.0\.0\.1)/, (_, host) => `http://${host === "localhost" ? "127.0.0.1" : "localhost"}`);

async function openWorld(setting: Setting, browser: Browser, site: Site, helpers: string): Promise<World> {
  const context = await browser.newContext();
  await context.addInitScript(helpers);
  const complaints = listen(context);
  const page = await context.newPage();
  if (setting === "top") {
    await enter(page, site);
    return new World(setting, page, page.mainFrame(), complaints);
  }
  const inner = site.blank();
  const address = setting === "frame" ? inner : elsewhere(inner);
  await enter(page, site, { body: `<iframe allow="tools" src="${address}"></iframe>` });
  const [owner] = page.frames().slice(1);
  if (!owner) throw new Error("the frame is missing");
  await owner.waitForLoadState();
  // A registry touched at its frame's load event may stay deaf for ever (webmcp.md, 3.14).
  await page.waitForTimeout(80);
  await equip(owner);
  if (setting === "origins") {
    const [here, there] = [page.url(), address].map((url) => new URL(url).origin) as [string, string];
    await owner.evaluate((here) => Object.assign(br.setting, { publish: { origins: [here] }, adopt: { origins: [here] }, read: { fromOrigins: [here] } }), here);
    await page.evaluate((there) => Object.assign(br.setting, { publish: { origins: [there] }, adopt: { origins: [there] }, read: { fromOrigins: [there] } }), there);
  }
  await page.evaluate(() => br.records());
  await owner.evaluate(() => br.records());
  return new World(setting, page, owner, complaints);
}

export const test = withSite.extend<Fixtures, WorkerFixtures>({
  setting: ["top", { option: true }],

  helpers: [
    async ({}, use) => {
      const entry = fileURLToPath(new URL("./page.ts", import.meta.url));
      const built = await build({ entryPoints: [entry], bundle: true, write: false, format: "iife", globalName: "br", target: "es2022" });
      await use(`${built.outputFiles[0]?.text};globalThis.br = br;`);
    },
    { scope: "worker" },
  ],

  plainBrowser: [
    async ({}, use) => {
      let browser: Promise<Browser> | undefined;
      await use(() => (browser ??= chromium.launch(plainLaunchOptions)));
      await (await browser)?.close();
    },
    { scope: "worker" },
  ],

  worlds: [
    async ({}, use) => {
      const worlds = new Map<Setting, Promise<World>>();
      await use(worlds);
      for (const world of worlds.values()) await (await world.catch(() => undefined))?.page.context().close();
    },
    { scope: "worker" },
  ],

  noise: async ({}, use) => {
    await use({ contexts: new Map(), announced: [] });
  },

  expectNoise: [
    async ({ noise }, use) => {
      await use((pattern) => void noise.announced.push(pattern));
      const all = [...noise.contexts.values()].flat();
      const unexpected = all.filter((text) => !noise.announced.some((pattern) => pattern.test(text)));
      expect(unexpected, "the browser complained").toEqual([]);
    },
    { auto: true },
  ],

  world: async ({ setting, worlds, browser, site, helpers, noise, expectNoise: _ }, use, info) => {
    const opened = worlds.get(setting) ?? openWorld(setting, browser, site, helpers);
    worlds.set(setting, opened);
    const world = await opened.catch((error) => {
      worlds.delete(setting);
      throw error;
    });
    world.complaints.length = 0;
    noise.contexts.set(world.page.context(), world.complaints);
    await use(world);
    // What a failed test left behind is nobody's business.
    if (info.status === info.expectedStatus) {
      await world.reset();
      return;
    }
    worlds.delete(setting);
    await world.page.context().close();
  },

  open: async ({ browser, plainBrowser, site, helpers, noise, expectNoise: _ }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async ({ scripts = [], plain = false, ...options } = {}) => {
      const context = await (plain ? await plainBrowser() : browser).newContext();
      contexts.push(context);
      noise.contexts.set(context, listen(context));
      for (const content of [...scripts, helpers]) await context.addInitScript({ content });
      const page = await context.newPage();
      return enter(page, site, options);
    });
    for (const context of contexts) {
      await settle(context);
      await context.close();
    }
  },
});

export { launchOptions };
