// Modelport's `tools/list`: as tools that can be called, or as the plain answer.

import { insistOnTools, tools } from "../tools.js";

export async function open({ dist, as, count, protocol = "auto" }) {
  const { ToolManager, createPageServer, ready } = await import(`${dist}index.js`);
  await ready();
  const { client, stop } = createPageServer({ tools: new ToolManager(tools(count)), client: { protocol } });
  await client.connect();
  return {
    about: { protocol: client.protocol },
    list: as === "tools" ? () => client.tools() : async () => (await client.request("tools/list")).tools,
    check: (answer) => insistOnTools(answer, count),
    close: stop,
  };
}
