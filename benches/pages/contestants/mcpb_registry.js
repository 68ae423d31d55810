// MCP-B's registries, filled as its documentation shows: `level` is "global" (over the browser's own registry) or
// "polyfill" (in a page that has none).

import { insistOnTools, nameOf, tools } from "../tools.js";

const registries = {
  async global() {
    await import("/peers/mcpb_global.js");
    return document.modelContext;
  },
  async polyfill() {
    delete Document.prototype.modelContext;
    (await import("/peers/mcpb_polyfill.js")).initializeWebMCPPolyfill();
    return document.modelContext;
  },
};

const readable = (list) => list.map((tool) => ({ ...tool, name: tool.name, description: tool.description, inputSchema: typeof tool.inputSchema === "string" ? JSON.parse(tool.inputSchema) : tool.inputSchema }));

export async function open({ level, count, atOnce = false }) {
  const registry = await registries[level]();
  const controllers = new Map();
  let list;
  const add = (tool) => {
    const controller = new AbortController();
    controllers.set(tool.name, controller);
    return registry.registerTool(tool, { signal: controller.signal });
  };
  const read = async () => readable(await registry.getTools());
  return {
    prepare: () => {
      list = tools(count);
    },
    async publish() {
      if (atOnce) await Promise.all(list.map(add));
      else for (const tool of list) await add(tool);
    },
    async change() {
      controllers.get(nameOf(0)).abort();
      await add({ ...list[0], description: "Changed" });
    },
    release: () => {
      for (const controller of controllers.values()) controller.abort();
      return registry.getTools();
    },
    forget: () => {
      list = undefined;
    },
    async verify(step) {
      if (step === "publish") insistOnTools(await read(), count);
      if (step === "change" && (await read()).find(({ name }) => name === nameOf(0))?.description !== "Changed") throw new Error("the change is not to be seen");
      if (step === "release" && (await read()).length > 0) throw new Error("tools are left in the registry");
    },
  };
}
