// The browser's own list of what is registered.

import { insistOnTools, tools } from "../tools.js";

export async function open({ count }) {
  const context = document.modelContext;
  await Promise.all(tools(count).map((tool) => context.registerTool(tool)));
  return { list: () => context.getTools(), check: (answer) => insistOnTools(answer, count) };
}
