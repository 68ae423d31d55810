// What the outside agent gets of a document that is not the page itself: a frame of the same origin, and one of another.

import { Agent } from "../agent.ts";
import { expect, test } from "./world.ts";

for (const setting of ["frame", "origins"] as const) {
  test.describe(setting, () => {
    test.use({ setting });

    test("the outside agent reads the envelope and the tool's own error, and its cancellation reaches the handler", async ({ world }) => {
      // First the agent: Chromium tells a late one of the tools in its session's own document only.
      const agent = await Agent.open(world.page, world.owner);
      await world.owner.evaluate(async () => {
        const aborted = kit.deferred();
        br.keep["aborted"] = aborted.promise;
        const tools = new lib.ToolManager([
          br.tool("greet", ({ who }: any) => ({ hello: who })),
          br.tool("fails", () => { throw new TypeError("the cellar is flooded"); }),
          br.tool("waits", (_: any, { signal }: any) => new Promise(() => {
            br.keep["running"] = true;
            signal.addEventListener("abort", () => aborted.resolve(signal.aborted));
          })),
        ]);
        await br.bridge().publish(tools, br.setting.publish);
      });
      await agent.until(() => agent.names.length === 3, "three tools");
      expect(await agent.call("greet", { who: "Ada" })).toMatchObject({
        status: "Completed",
        output: { content: [{ type: "text", text: '{"hello":"Ada"}' }], structuredContent: { hello: "Ada" } },
      });
      expect(await agent.call("fails")).toMatchObject({ status: "Completed", output: { isError: true, content: [{ type: "text", text: expect.stringContaining("the cellar is flooded") }] } });
      const { id, done } = await agent.start("waits");
      await world.owner.evaluate(() => kit.until(() => br.keep["running"]));
      await agent.cancel(id);
      expect(await done).toMatchObject({ status: "Canceled" });
      expect(await world.owner.evaluate(() => br.keep["aborted"])).toBe(true);
      await agent.close();
    });
  });
}
