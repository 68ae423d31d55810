// One more tool, and one less again, while so many are published: until the bridge has said that each was done.

import { tools } from "../tools.js";

export async function open({ dist, count }) {
  const { ToolManager, createModelContext, ready } = await import(`${dist}index.js`);
  await ready();
  const bridge = createModelContext();
  if (!bridge) throw new Error("createModelContext() found no registry; is native WebMCP on?");
  const [more, ...others] = tools(count + 1);
  const manager = new ToolManager(others);
  await bridge.publish(manager);
  const heard = () => new Promise((resolve) => bridge.addEventListener("report", ({ report }) => resolve(report), { once: true }));
  return {
    call: async () => {
      const added = heard();
      manager.add(more);
      const { registered } = await added;
      const removed = heard();
      manager.remove(more.name);
      return [registered, (await removed).released];
    },
    check: (answer) => {
      if (JSON.stringify(answer) !== JSON.stringify([[more.name], [more.name]])) throw new Error(`the reports say ${JSON.stringify(answer)}`);
    },
    close: () => bridge.destroy(),
  };
}
