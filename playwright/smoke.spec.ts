import { test, expect } from "./fixtures.ts";
test("x", async ({ openPage, openAgent, expectNoise }) => {
  const page = await openPage();
  await page.evaluate(async () => { await document.modelContext.registerTool({ name: "a", description: "d", execute: () => "hi" });
   await document.modelContext.registerTool({ name: "b", description: "d", execute: () => { throw new Error("boom"); } }); });
  const agent = await openAgent();
  expectNoise(/WebMCP tool execution failed/);
  console.log(await agent.call("a"), await agent.call("b"), [...agent.tools.values()]);
});
