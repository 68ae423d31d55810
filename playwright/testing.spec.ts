// `modelport/testing`: what a test sees of a page's tools, whoever registered them.

import { launchOptions, pageTools } from "../dist/testing.js";
import { expect, test } from "./fixtures.ts";

test("lists, waits for and calls tools of any script, and says what is wrong", async ({ openPage, expectNoise }) => {
  expectNoise(/hidden/);
  const page = await openPage();
  const tools = pageTools(page, { timeout: 2_000 });
  expect(await tools.list()).toEqual([]);
  const coming = tools.waitFor("hold");
  await page.evaluate(async () => {
    await document.modelContext.registerTool({ name: "plain", description: "By hand", execute: ({ n }: any) => ({ n }) });
    await document.modelContext.registerTool({ name: "text", description: "A text", execute: () => "no JSON {" });
    await document.modelContext.registerTool({ name: "nothing", description: "Nothing", execute: () => undefined });
    await document.modelContext.registerTool({ name: "thrower", description: "Throws", execute: () => { throw new Error("hidden"); } });
    await document.modelContext.registerTool({ name: "slow", description: "Never ends", execute: () => new Promise(() => {}) });
    const inputSchema = { type: "object", properties: { seat: { type: "string" } }, required: ["seat"] };
    const hold = { name: "hold", title: "Hold", description: "Holds a seat", inputSchema, annotations: { readOnlyHint: true }, execute: ({ seat }: any) => ({ held: seat }) };
    await lib.createModelContext()!.publish(new lib.ToolManager([hold]));
  });
  expect(await coming).toMatchObject({ name: "hold", title: "Hold", description: "Holds a seat", inputSchema: { required: ["seat"] }, annotations: { readOnlyHint: true }, origin: new URL(page.url()).origin });
  expect((await tools.list()).map(({ name }) => name)).toEqual(["hold", "nothing", "plain", "slow", "text", "thrower"]);
  expect(await tools.call("hold", { seat: "C4" })).toMatchObject({ structuredContent: { held: "C4" } });
  expect(await tools.call("hold", { seat: 4 })).toMatchObject({ isError: true });
  expect(await tools.call("plain", { n: 1 })).toEqual({ n: 1 });
  expect(await tools.call("text")).toBe("no JSON {");
  expect(await tools.call("nothing")).toBe(undefined);
  await expect(tools.call("thrower")).rejects.toMatchObject({ code: "tool-error" });
  await expect(tools.call("slow", {}, { timeout: 100 })).rejects.toMatchObject({ code: "timeout" });
  await expect(tools.call("absent")).rejects.toMatchObject({ code: "tool-gone", message: "There is no tool absent. There are: hold, nothing, plain, slow, text, thrower." });
  await expect(tools.waitFor("absent", { timeout: 100 })).rejects.toMatchObject({ code: "timeout", message: expect.stringContaining("hold, nothing") });
});

test("sees a frame's tools from the page and from the frame, and says where there is no registry", async ({ openPage }) => {
  const page = await openPage();
  await page.evaluate(async () => {
    const frame = document.body.appendChild(document.createElement("iframe"));
    frame.src = location.href;
    await new Promise((resolve) => (frame.onload = resolve));
    await frame.contentWindow!.document.modelContext.registerTool({ name: "inner", description: "In the frame", execute: () => 7 });
  });
  await pageTools(page).waitFor("inner");
  expect(await pageTools(page.frames()[1]!).call("inner")).toBe(7);
  expect(await pageTools(page).call("inner")).toBe(7);
  await page.evaluate(() => Object.defineProperty(document, "modelContext", { value: undefined }));
  await expect(pageTools(page).list()).rejects.toMatchObject({ code: "registry-failed", message: expect.stringContaining(launchOptions.args[0]!) });
});
