// The browser's own registry by hand, all registrations in parallel. With a signal each, as whoever
// wants to take them back one by one must; or without, which nobody can take back.

import { insistOnTools, tools } from "../tools.js";

export async function open({ signals, count }) {
  const context = document.modelContext;
  if (!context) throw new Error("this browser has no document.modelContext; is native WebMCP on?");
  const controllers = [];
  let list;
  return {
    prepare: () => {
      list = tools(count);
    },
    publish: () =>
      Promise.all(
        list.map((tool) => {
          if (!signals) return context.registerTool(tool);
          const controller = new AbortController();
          controllers.push(controller);
          return context.registerTool(tool, { signal: controller.signal });
        }),
      ),
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
      if (step === "release" && (await context.getTools()).length > 0) throw new Error("tools are left in the registry");
    },
  };
}
