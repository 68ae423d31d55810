// The browser's own registry by hand, all registrations in parallel. With a signal each, as whoever
// wants to take them back one by one must; or without, which nobody can take back.

import { insistOnTools, nameOf, tools } from "../tools.js";

export async function open({ signals, count }) {
  const context = document.modelContext;
  if (!context) throw new Error("this browser has no document.modelContext; is native WebMCP on?");
  const controllers = [];
  let list;
  const add = (tool, index) => {
    if (!signals) return context.registerTool(tool);
    controllers[index] = new AbortController();
    return context.registerTool(tool, { signal: controllers[index].signal });
  };
  return {
    prepare: () => {
      list = tools(count);
    },
    publish: () => Promise.all(list.map(add)),
    change: () => {
      controllers[0].abort();
      return add({ ...list[0], description: "Changed" }, 0);
    },
    // The registry answers when it has done what was asked before.
    release: () => {
      for (const controller of controllers.splice(0)) controller.abort();
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
