// The examples in Rust, as people open them and as an outside agent sees them: what it does is on the page, what
// people do it hears of, and what leaves the page leaves the registry. `npm test` builds them (scripts/rust_pages.mjs).

import type { Page } from "@playwright/test";
import { mkdirSync } from "node:fs";
import { exampleHeaders, exampleRoots } from "../scripts/rust_pages.mjs";
import { serve } from "../scripts/serve.mjs";
import { Agent, expect, test } from "./fixtures.ts";

let site: { url: string; close(): Promise<unknown> };
test.beforeAll(async () => {
  site = await serve({ roots: exampleRoots, headers: exampleHeaders });
});
test.afterAll(() => site.close());

/** What a call gave: Chromium hands the agent some texts unparsed. */
async function use(agent: Agent, name: string, input: object = {}): Promise<any> {
  const { output } = await agent.call(name, input);
  return typeof output === "string" ? JSON.parse(output) : output;
}

const textOf = (result: any): string => result.content[0].text;

/** Opens an example and waits for the tools it begins with. */
async function open(page: Page, name: string, tools: string[]): Promise<Agent> {
  await page.goto(`${site.url}/${name}/`);
  const agent = await Agent.open(page);
  for (const tool of tools) await agent.tool(tool);
  expect(agent.names).toEqual([...tools].sort());
  return agent;
}

/** A picture of the page, where somebody wants to look. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env["MODELPORT_PICTURES"];
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png` });
}

test("wasm-bindgen: timers are started, shown, waited for and stopped, and tools come and go with them", async ({ page }) => {
  const agent = await open(page, "wasm_bindgen", ["list_timers", "start_timer"]);
  expect(agent.tools.get("start_timer")?.inputSchema.properties.label.description).toBe('What the timer is for, such as "pasta".');
  expect(agent.tools.get("list_timers")?.annotations).toMatchObject({ readOnly: true });

  expect(textOf(await use(agent, "start_timer", { label: "pasta", seconds: 540 }))).toBe('"pasta" runs for 540 s.');
  const rows = page.getByRole("listitem");
  await expect(rows).toHaveText([/^pasta(9:00|8:5\d)Stop$/]);
  await agent.tool("stop_timer");
  expect(await use(agent, "start_timer", { label: "egg", seconds: 0.5 })).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("/seconds") }] });

  await page.getByLabel("For").fill("egg");
  await page.getByLabel("Seconds").fill("1");
  await page.getByRole("button", { name: "Start" }).click();
  await expect(rows).toHaveCount(2);
  expect(textOf(await use(agent, "wait_for_timer", { label: "egg" }))).toBe('"egg" rings.');
  await expect(page.getByRole("status")).toHaveText("Ready: egg");
  expect((await use(agent, "list_timers")).structuredContent.timers).toMatchObject([
    { label: "pasta", ringing: false },
    { label: "egg", seconds_left: 0, ringing: true },
  ]);
  await picture(page, "wasm_bindgen");

  await page.getByRole("button", { name: "Stop egg" }).click();
  await expect(rows).toHaveCount(1);
  expect(await use(agent, "stop_timer", { label: "egg" })).toMatchObject({ isError: true, content: [{ text: 'There is no timer "egg".' }] });
  await use(agent, "stop_timer", { label: "pasta" });
  await expect(rows).toHaveCount(0);
  await agent.gone("stop_timer");
  await agent.gone("wait_for_timer");

  const agents = page.getByLabel("Agents may use this page");
  await agents.uncheck();
  await agent.gone("start_timer");
  await agent.gone("list_timers");
  await agents.check();
  await agent.tool("start_timer");
});

test("Leptos: the list is shared, and the budget's tool is there as long as its component", async ({ page }) => {
  const agent = await open(page, "leptos", ["add_items", "list_items", "tick_off"]);
  expect(textOf(await use(agent, "add_items", { items: [{ name: "oat milk", quantity: 2, price: 1.5 }, { name: "apples" }] }))).toBe("2 added; 2 on the list.");
  const rows = page.getByRole("listitem");
  await expect(rows).toHaveText(["oat milk× 2", "apples× 1"]);

  await page.getByLabel("Item", { exact: true }).fill("rice");
  await page.getByLabel("Price of each").fill("3");
  await page.getByRole("button", { name: "Add" }).click();
  await expect(page.getByRole("status")).toHaveText("3 to buy.");
  await use(agent, "tick_off", { name: "apples" });
  await expect(page.getByLabel("apples bought")).toBeChecked();
  expect(await use(agent, "tick_off", { name: "caviar" })).toMatchObject({ isError: true, content: [{ text: '"caviar" is not on the list' }] });
  await page.getByLabel("rice bought").check();
  expect((await use(agent, "list_items")).structuredContent.items).toEqual([
    { name: "oat milk", quantity: 2, price: 1.5, done: false },
    { name: "apples", quantity: 1, price: 0, done: true },
    { name: "rice", quantity: 1, price: 3, done: true },
  ]);

  const budget = page.getByLabel("Keep to a budget");
  for (const _ of ["once", "and again"]) {
    await budget.check();
    await agent.tool("set_budget");
    expect((await use(agent, "set_budget", { amount: 5 })).structuredContent).toEqual({ total: 6, left: -1 });
    await expect(page.getByTestId("budget")).toHaveText("6.00 of 5.00: too much");
    await picture(page, "leptos");
    await budget.uncheck();
    await agent.gone("set_budget");
  }
  expect(agent.names).toEqual(["add_items", "list_items", "tick_off"]);
});

test("Yew: seats are picked by both, and the tool that books goes with the checkout that it empties", async ({ page }) => {
  const agent = await open(page, "yew", ["find_seats", "pick_seats", "release_seats"]);
  const { seats } = (await use(agent, "find_seats", { count: 3 })).structuredContent;
  expect(seats).toEqual(["A5", "A6", "A7"]);
  await use(agent, "pick_seats", { seats });
  const seat = (name: string) => page.getByRole("button", { name, exact: true });
  await expect(seat("A6")).toHaveAttribute("aria-pressed", "true");
  await agent.tool("book");
  expect(await use(agent, "pick_seats", { seats: ["E1", "B7"] })).toMatchObject({ isError: true, content: [{ text: "Seat B7 is taken." }] });
  await seat("E8").click();
  expect((await use(agent, "release_seats", { seats: ["A5"] })).structuredContent).toEqual({ seats: ["A6", "A7", "E8"] });
  await expect(page.getByLabel("Name for A6, A7, E8")).toBeVisible();
  await picture(page, "yew");

  // The call is answered although its tool goes while it runs.
  expect((await use(agent, "book", { name: "Ada" })).structuredContent).toEqual({ seats: ["A6", "A7", "E8"] });
  await expect(page.getByRole("status")).toHaveText("A6, A7, E8 for Ada.");
  await expect(seat("A6")).toBeDisabled();
  await agent.gone("book");

  await seat("C4").click();
  await agent.tool("book");
  await page.getByLabel("Name for C4").fill("Grace");
  await page.getByRole("button", { name: "Book" }).click();
  await expect(page.getByRole("status")).toHaveText("C4 for Grace.");
  await agent.gone("book");
  expect(agent.names).toEqual(["find_seats", "pick_seats", "release_seats"]);
});
