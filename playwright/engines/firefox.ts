// Firefox, driven by puppeteer-core over WebDriver BiDi. Each page has a user context of its own.

import puppeteer, { type Frame, type Page } from "puppeteer-core";
import { paneOf, type Engine, type Pane, type Tab } from "./pane.ts";

const options = {
  browser: "firefox",
  headless: true,
  timeout: 30_000,
  protocolTimeout: 30_000,
  // Tests open windows without anybody's click.
  extraPrefsFirefox: { "dom.disable_open_during_load": false },
  // Whoever is interrupted ends the tests, which end the browser.
  handleSIGINT: false,
  handleSIGTERM: false,
  handleSIGHUP: false,
} as const;

const pane = (frame: Frame | Page): Pane => paneOf((expression) => frame.evaluate(expression) as Promise<string>);

export async function launch(executablePath: string): Promise<Engine> {
  const browser = await puppeteer.launch({ ...options, executablePath });
  return {
    async open() {
      const context = await browser.createBrowserContext();
      const page = await context.newPage();
      const tab: Omit<Tab, keyof Pane> = {
        goto: (url) => page.goto(url),
        async embed(src, sandbox) {
          const element = await page.evaluateHandle((src, sandbox) => kit.addFrame(src, sandbox), src, sandbox);
          return pane((await element.asElement()!.contentFrame())!);
        },
        async popup(src) {
          const opened = new Promise<Page>((resolve) => page.once("popup", (popup) => resolve(popup!)));
          await page.evaluate((src) => void window.open(src, "_blank", "popup"), src);
          const popup = await opened;
          return Object.assign(pane(popup), { close: () => popup.close() });
        },
        close: () => context.close(),
      };
      return Object.assign(pane(page), tab);
    },
    close: () => browser.close(),
  };
}
