// Modelport's bridge: a manager full of tools, published to the browser's registry and released again.

import { insistOnTools, nameOf, tools } from "../tools.js";

export async function open({ dist, count }) {
  const { ToolManager, createModelContext, ready } = await import(`${dist}index.js`);
  await ready();
  const context = document.modelContext;
  const bridge = createModelContext();
  if (!bridge) throw new Error("createModelContext() found no registry; is native WebMCP on?");
  let list;
  const manager = new ToolManager();
  return {
    prepare: () => {
      list = tools(count);
    },
    fill: () => {
      for (const tool of list) manager.add(tool);
    },
    publish: () => bridge.publish(manager),
    change: async () => {
      const heard = new Promise((resolve) => bridge.addEventListener("report", resolve, { once: true }));
      manager.add({ ...list[0], description: "Changed" });
      await heard;
    },
    release: () => {
      bridge.destroy();
      return context.getTools();
    },
    forget: () => {
      list = undefined;
    },
    verify: async (step) => {
      if (step === "publish") insistOnTools(await context.getTools(), count);
      if (step === "change" && (await context.getTools()).find(({ name }) => name === nameOf(0))?.description !== "Changed") throw new Error("the change is not to be seen");
      if (step === "release" && (await context.getTools()).length > 0) throw new Error("tools are left in the registry");
    },
  };
}
