// What one of the pairs keeps: for its tools, or of calls that are over. A first pair has come and gone before, so
// that code and what is made once is not counted.

import { makePair } from "../pairs/pair.js";
import { insist } from "../payloads.js";
import { insistOnTools, pairTools } from "../tools.js";

export async function open({ pair, count, ...options }) {
  const make = (tools) => makePair({ pair, ...options, tools });
  const isOne = pair === "mcpb";
  // MCP-B's transports share the window: a second pair would answer the first one's client.
  if (!isOne) (await make(pairTools(1))).close();
  let opened = isOne ? await make([]) : undefined;
  return {
    async fill() {
      if (isOne) for (const { run, shape, ...tool } of pairTools(count)) await opened.registry.registerTool({ ...tool, execute: (args) => run(args) });
      else opened = await make(pairTools(count));
    },
    async calls() {
      for (let index = 0; index < 10_000; index++) {
        const { content } = await opened.call("search_collection_0", { query: String(index) });
        insist(content[0].text, `0: ${index}`, pair);
      }
    },
    list: async () => insistOnTools(await opened.list(), count),
    close: () => opened?.close(),
  };
}
