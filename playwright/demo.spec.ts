// The demo as people use it: what its inspector shows, each of the three routes, a slow tool with
// progress and cancel, a failing one, a foreign one; by keyboard alone, narrow, and without WebMCP.

import { chromium, type Page } from "@playwright/test";
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { plainLaunchOptions } from "./browser.ts";
import { expect, listen, settle, test } from "./fixtures.ts";

const TOOLS = ["apply_code", "check_out", "find_best_seats", "find_seats", "hold_seats", "list_orders", "list_shows", "refund_order", "release_seats", "view_basket"];

async function openDemo(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/demo/`);
  await expect(page.locator("html[data-ready]")).toHaveAttribute("data-ready", "true", { timeout: 15_000 });
}

const row = (page: Page, tool: string) => page.locator(`[data-testid="registry-tool"][data-tool="${tool}"]`);
const logRow = (page: Page, kind: string, text: string) => page.locator(`[data-testid="log-row"][data-kind="${kind}"]`, { hasText: text });

async function choose(page: Page, route: "registry" | "page-server" | "direct", tool: string): Promise<void> {
  await page.getByTestId(`route-${route}`).check();
  await page.getByTestId("tool-picker").selectOption(tool);
}

async function call(page: Page, status: "ok" | "error" | "cancelled"): Promise<string> {
  await page.getByTestId("call").click();
  const result = page.getByTestId("result");
  await expect(result).toHaveAttribute("data-status", status);
  return result.innerText();
}

test("shows the registry, its own tools with their hints, and the frame's tool as a foreign one", async ({ page, site }) => {
  await openDemo(page, site.url);
  await expect(page.getByTestId("surface")).toHaveAttribute("data-surface", "native");
  await expect(page.getByTestId("surface")).toContainText(`published ${TOOLS.length} tools`);
  await expect(page.getByTestId("registry-tool")).toHaveCount(TOOLS.length + 1);
  await expect(row(page, "weather_tonight")).toHaveAttribute("data-owner", "iframe");
  for (const tool of TOOLS) await expect(row(page, tool)).toHaveAttribute("data-owner", "this page");
  await expect(row(page, "list_shows")).toContainText("read-only");
  await expect(row(page, "check_out")).toContainText("consequential");
  await expect(row(page, "list_orders")).toContainText("untrusted content");
  await expect(row(page, "list_shows")).toContainText(site.url);
  await expect(page.getByTestId("version")).toHaveText(/Modelport \d+\.\d+\.\d+/);
});

test("one tool gives the same by the registry, the page server and directly, and each leaves its trace", async ({ page, site }) => {
  await openDemo(page, site.url);
  await expect(row(page, "weather_tonight")).toBeVisible();
  for (const route of ["registry", "page-server", "direct"] as const) {
    await choose(page, route, "list_shows");
    expect(await call(page, "ok"), route).toContain("free_seats");
  }
  await expect(logRow(page, "toolactivated", "list_shows")).toHaveCount(1);
  await expect(logRow(page, "send", "list_shows")).toHaveCount(1);
  await expect(page.locator('[data-testid="log-row"][data-kind="toolchange"]')).not.toHaveCount(0);
  await choose(page, "registry", "weather_tonight");
  expect(await call(page, "ok")).toContain("degrees_celsius");
});

test("a failing tool's own words are shown, whichever way they came", async ({ page, site }) => {
  await openDemo(page, site.url);
  for (const route of ["registry", "page-server", "direct"] as const) {
    await choose(page, route, "refund_order");
    expect(await call(page, "error"), route).toContain("refunds in person");
  }
});

test("a slow tool shows progress, and is cancelled for good", async ({ page, site }) => {
  await openDemo(page, site.url);
  for (const route of ["page-server", "direct", "registry"] as const) {
    await choose(page, route, "find_best_seats");
    await page.getByTestId("call").click();
    await expect(page.getByTestId("result")).toHaveAttribute("data-status", "running");
    if (route !== "registry") await expect(page.getByTestId("progress")).toHaveAttribute("aria-valuenow", /^[1-9]\d?$/, { timeout: 10_000 });
    await page.getByTestId("cancel").click();
    await expect(page.getByTestId("result")).toHaveAttribute("data-status", "cancelled");
    await expect(page.getByTestId("cancel")).toBeDisabled();
  }
  await expect(logRow(page, "send", "notifications/cancelled")).toHaveCount(1);
  await expect(logRow(page, "receive", "notifications/progress").first()).toBeAttached();
  await expect(logRow(page, "toolcancel", "find_best_seats")).toHaveCount(1);
  await choose(page, "direct", "view_basket");
  await call(page, "ok");
});

test("the outside agent buys tickets, and the page shows it", async ({ page, site, openAgent }) => {
  await openDemo(page, site.url);
  const agent = await openAgent();
  await agent.tool("check_out");
  // Chromium hands the agent some texts unparsed: outside_agent.spec.ts is about that.
  const use = async (name: string, input?: object) => {
    const { output } = await agent.call(name, input);
    return typeof output === "string" ? JSON.parse(output) : output;
  };
  const { shows } = (await use("list_shows")).structuredContent;
  const [{ show_id: id }] = shows;
  const { zones } = (await use("find_seats", { show_id: id })).structuredContent;
  const seats = zones[0].seats.slice(0, 2);
  const basket = (await use("hold_seats", { show_id: id, seats })).structuredContent;
  expect(basket.total).toBeGreaterThan(0);
  await expect(page.getByTestId("total")).toContainText(String(basket.total));
  await expect(page.getByTestId("notice")).toContainText("registry");
  expect(await use("check_out", { name: "Ada Bell", confirm_total: basket.total + 1 })).toMatchObject({ isError: true });
  const order = (await use("check_out", { name: "Ada Bell", confirm_total: basket.total })).structuredContent;
  await expect(page.getByTestId("orders")).toContainText(order.order_id);
  await expect(page.getByTestId("total")).toHaveText("£0");
  expect(await use("list_shows", { night: "someday" })).toMatchObject({ isError: true });
});

test("closing the box office takes its selling tools from the registry, opening brings them back", async ({ page, site, openAgent }) => {
  await openDemo(page, site.url);
  const agent = await openAgent();
  await agent.tool("check_out");
  await expect(row(page, "weather_tonight")).toBeVisible();
  await page.getByTestId("open").uncheck({ force: true });
  await agent.gone("check_out");
  await expect(row(page, "check_out")).toHaveCount(0);
  await expect(row(page, "list_shows")).toHaveCount(1);
  await page.getByTestId("open").check({ force: true });
  await agent.tool("check_out");
  await expect(row(page, "check_out")).toHaveCount(1);
});

test("the main flow by keyboard alone", async ({ page, site }) => {
  await openDemo(page, site.url);
  await expect(row(page, "weather_tonight")).toBeVisible();
  const focused = () => page.evaluate(() => {
    const { activeElement: at } = document;
    return at instanceof HTMLElement ? `${at.id || at.dataset["testid"] || at.getAttribute("aria-label") || at.tagName}` : "";
  });
  /** Presses Tab until the focus is where it should be; nobody should need more than a hundred. */
  const tabTo = async (target: RegExp) => {
    for (let presses = 0; presses < 150; presses++) {
      if (target.test(await focused())) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`Tab never reaches ${target}`);
  };
  // Hold a seat in the map, which Space does.
  await tabTo(/seat|Row A|A1/i);
  await page.keyboard.press("Space");
  await expect(page.getByTestId("total")).not.toHaveText("£0");
  // Buy it.
  await tabTo(/^buyer$/);
  await page.keyboard.type("Grace");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("orders")).toContainText("Grace");
  // Call a tool in the inspector by its "Try" button.
  await tabTo(/^Try list_orders$/);
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("tool-picker")).toHaveValue("list_orders");
  await tabTo(/^call$/);
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("result")).toHaveAttribute("data-status", "ok");
  await expect(page.getByTestId("result")).toContainText("Grace");
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`at 360 px in ${colorScheme} nothing scrolls sideways`, async ({ page, site }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.emulateMedia({ colorScheme });
    await openDemo(page, site.url);
    await expect(row(page, "weather_tonight")).toBeVisible();
    await choose(page, "page-server", "list_shows");
    await call(page, "ok");
    const widths = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth, document.body.scrollWidth]);
    expect(widths).toEqual([360, 360, 360]);
  });
}

test("without WebMCP everything but the registry works, and the page says how to turn it on", async ({ site }) => {
  const browser = await chromium.launch(plainLaunchOptions);
  try {
    const context = await browser.newContext();
    const complaints = listen(context);
    const page = await context.newPage();
    await openDemo(page, site.url);
    await expect(page.getByTestId("surface")).toHaveAttribute("data-surface", "none");
    await expect(page.getByTestId("surface")).toContainText("--enable-features=WebMCP");
    await expect(page.getByTestId("route-registry")).toBeDisabled();
    await expect(page.getByTestId("registry-tool")).toHaveCount(0);
    for (const route of ["page-server", "direct"] as const) {
      await choose(page, route, "list_shows");
      expect(await call(page, "ok"), route).toContain("free_seats");
    }
    await settle(context);
    expect(complaints).toEqual([]);
  } finally {
    await browser.close();
  }
});

test("a page whose wasm cannot be loaded says so", async ({ page, site, expectNoise }) => {
  expectNoise(/Failed to load resource/);
  await page.route("**/modelport.wasm", (route) => route.fulfill({ status: 404, body: "" }));
  await page.goto(`${site.url}/demo/`);
  await expect(page.getByTestId("failure")).toContainText("load-failed");
});

test.describe("screenshots for the docs", () => {
  test.skip(!process.env["UPDATE_SCREENSHOTS"], "only with UPDATE_SCREENSHOTS");
  const folder = fileURLToPath(new URL("../www/docs/", import.meta.url));
  for (const [name, width, height, colorScheme] of [["light", 1280, 1240, "light"], ["dark", 1280, 1240, "dark"], ["360", 360, 740, "light"]] as const) {
    test(`demo-${name}.png`, async ({ page, site }) => {
      await mkdir(folder, { recursive: true });
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await openDemo(page, site.url);
      await expect(row(page, "weather_tonight")).toBeVisible();
      await choose(page, "page-server", "list_shows");
      await call(page, "ok");
      await page.evaluate(() => scrollTo(0, 0));
      await page.screenshot({ path: `${folder}demo-${name}.png`, animations: "disabled" });
    });
  }
});
