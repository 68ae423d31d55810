// Modelport's bridge: a manager full of tools, published to the browser's registry and released again.

import { insistOnTools, tools } from "../tools.js";

export async function open({ dist, count }) {
  const { ToolManager, createModelContext, ready } = await import(`${dist}index.js`);
  await ready();
  const context = document.modelContext;
  const bridge = createModelContext();
  if (!bridge) throw new Error("createModelContext() found no registry; is native WebMCP on?");
  let list;
  let manager = new ToolManager();
  return {
    prepare: () => {
      list = tools(count);
    },
    fill: () => {
      for (const tool of list) manager.add(tool);
    },
    publish: () => bridge.publish(manager),
    release: () => {
      bridge.destroy();
      return context.getTools();
    },
    forget: () => {
      list = undefined;
    },
    verify: async (step) => {
      if (step === "publish") insistOnTools(await context.getTools(), count);
      if (step === "release" && (await context.getTools()).length > 0) throw new Error("tools are left in the registry");
    },
  };
}
