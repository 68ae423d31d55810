// A page whose tools are written in Rust, without a line of JavaScript of its own: seen and called
// by the outside agent like any other. `npm test` builds it (scripts/rust_pages.mjs).

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";

const folder = new URL("../.tools/rust_pages/rust_page/", import.meta.url).pathname;

/** Opens a page with the Rust page's module as `rust`. */
async function openRust(page: Page, openPage: (options: { ready: boolean }) => Promise<Page>): Promise<void> {
  await openPage({ ready: false });
  await page.route("**/rust_page/**", (route) => {
    const path = new URL(route.request().url()).pathname.split("/rust_page/")[1] ?? "";
    const contentType = path.endsWith(".wasm") ? "application/wasm" : "text/javascript";
    return route.fulfill({ body: readFileSync(join(folder, path)), contentType });
  });
  await page.evaluate(`(async () => {
    globalThis.rust = await import("/rust_page/rust_page.js");
    await rust.default({ module_or_path: "/rust_page/rust_page_bg.wasm" });
  })()`);
}

for (const revision of ["2026-07-28", "2025-11-25"]) {
  test(`${revision}: a server and a client in Rust offer, ask, log and answer over a MessageChannel`, async ({ openPage, page }) => {
    await openRust(page, openPage as never);
    const seen = JSON.parse(await page.evaluate(`rust.talk("${revision}")`));
    expect(seen).toEqual({
      revision,
      schema: expect.objectContaining({ type: "integer", description: "How many." }),
      seats: { held: 2 },
      adopted: { held: 3 },
      nothing: [],
      greeting: "Hello, Who?",
      fits: "fits",
      unfit: expect.stringMatching(/^The tool did not run.*\n\/code .*pattern/),
      resources: 1,
      text: "first",
      missing: "invalid-params",
      prompt: '{"x":"y"}',
      values: ["a!"],
      steps: [[1, null], [2, "done"]],
      // A stateless request wants a log only if it says so.
      logged: revision === "2026-07-28" ? [] : ["notifications/message"],
    });
  });
}

test("tools written in Rust are published, called, fail with their words, and go with the bridge", async ({ openPage, openAgent, page }) => {
  await openRust(page, openPage as never);
  const agent = await openAgent();
  await page.evaluate("rust.publish()");

  await agent.tool("refuse");
  expect(agent.names.sort()).toEqual(["add", "refuse"]);
  const sum = await agent.call("add", { a: 2, b: 3 });
  expect(sum.output).toMatchObject({ structuredContent: { sum: 5 } });
  const wrong = await agent.call("add", { a: "two" });
  expect(wrong.output).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("invalid arguments") }] });
  const refused = await agent.call("refuse", {});
  expect(refused.output).toMatchObject({ isError: true, content: [{ text: "the box office is closed" }] });

  await page.evaluate("rust.hold()");
  await agent.tool("held");
  await page.evaluate("rust.let_go()");
  await agent.gone("held");

  await page.evaluate("rust.leave()");
  await agent.gone("add");
  await agent.gone("refuse");
});

test("a tool that does not fit is refused where it is added, and errors of any kind keep their words", async ({ openPage, page }) => {
  await openRust(page, openPage as never);
  expect(JSON.parse(await page.evaluate("rust.mistakes()"))).toEqual({
    handlerless: "invalid-argument",
    nameless: "invalid-argument",
    schema: "invalid-argument",
    parsed: 7,
    unparsed: ["tool-error", "invalid digit found in string"],
    thrown: true,
    unknown: "invalid-params",
    names: ["parse", "thrown"],
  });
});

test("the registry's tools are tools of Rust's too: once, and live", async ({ openPage, page, expectNoise }) => {
  expectNoise(/WebMCP tool execution failed/);
  await openRust(page, openPage as never);
  await page.evaluate(async () => {
    const shout = { name: "shout", description: "Shouts", execute: async ({ text }: { text?: string }) => text!.toUpperCase() };
    await document.modelContext.registerTool(shout);
  });
  const seen = JSON.parse(await page.evaluate("rust.adopt()"));
  expect(seen).toEqual({ ready: true, names: ["shout"], shouted: "HELLO", refused: true, live: ["shout"], activated: ["shout", "shout"] });
  const live = () => page.evaluate("rust.adopted()").then((names) => JSON.parse(names as string));
  await page.evaluate(() => void ((globalThis as any).late = new AbortController()));
  await page.evaluate(() => document.modelContext.registerTool({ name: "late", description: "Comes late", execute: () => "" }, { signal: (globalThis as any).late.signal }));
  await expect.poll(live).toEqual(["shout", "late"]);
  await page.evaluate(() => (globalThis as any).late.abort());
  await expect.poll(live).toEqual(["shout"]);
});

test("a call whose future is dropped drops the tool's, and a script's tool is called from Rust", async ({ openPage, page }) => {
  await openRust(page, openPage as never);
  expect(await page.evaluate("rust.give_up()")).toBe(true);
  expect(await page.evaluate("rust.call_script({ name: 'double', execute: ({ n }) => ({ twice: n * 2 }) })")).toBe('{"twice":4}');
});
