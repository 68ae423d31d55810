// One more tool by hand, and one less again, while so many are registered. Nobody says when a tool is gone.

import { tools } from "../tools.js";

export async function open({ count }) {
  const context = document.modelContext;
  if (!context) throw new Error("this browser has no document.modelContext; is native WebMCP on?");
  const [more, ...others] = tools(count + 1);
  const all = new AbortController();
  await Promise.all(others.map((tool) => context.registerTool(tool, { signal: all.signal })));
  return {
    call: async () => {
      const controller = new AbortController();
      await context.registerTool(more, { signal: controller.signal });
      controller.abort();
      return more.name;
    },
    check: (answer) => {
      if (answer !== more.name) throw new Error("another tool was registered");
    },
    close: () => all.abort(),
  };
}
