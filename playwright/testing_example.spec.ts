// What the documentation shows about testing with Playwright, as a stranger would have it in a file.

import { createServer } from "node:http";
import { expect, test } from "@playwright/test";
import { launchOptions as own } from "./browser.ts";
import { launchOptions as theirs, pageTools } from "../dist/testing.js";

// Here the browser is the machine's own, which needs more words.
const launchOptions = { ...own, args: [...(own.args ?? []).filter((word) => !word.includes("WebMCP")), ...theirs.args] };

let address: string;
const server = createServer((_request, response) => {
  response.setHeader("Content-Type", "text/html").end(`<!doctype html><link rel="icon" href="data:,"><script>
    document.modelContext.registerTool({ name: "hold_seat", description: "Holds a seat", execute: ({ seat }) => typeof seat === "string"
      ? { content: [], structuredContent: { held: seat } } : { content: [{ type: "text", text: "no seat" }], isError: true } });
  </script>`);
});
test.beforeAll(() => new Promise<void>((resolve) => server.listen(0, "localhost", () => {
  address = `http://localhost:${(server.address() as { port: number }).port}/`;
  resolve();
})));
test.afterAll(() => void server.close());

test.use({ launchOptions });

test("holds a seat", async ({ page }) => {
  await page.goto(address);
  const tools = pageTools(page);
  await tools.waitFor("hold_seat");
  expect(await tools.call("hold_seat", { seat: "C4" })).toMatchObject({ structuredContent: { held: "C4" } });
  expect(await tools.call("hold_seat", { seat: 4 })).toMatchObject({ isError: true });
});
