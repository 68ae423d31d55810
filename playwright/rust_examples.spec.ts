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
