// A tool that returns its argument, called by the client of one of the pairs: Modelport's, an official SDK's, MCP-B's
// or an RPC library's. A string comes back as a text block and records as `structuredContent`, as MCP has it; RPC
// gives back the same result. `others` tools lie beside it.

import { echoTool, insistOnEcho } from "../echo_tool.js";
import { makePair } from "../pairs/pair.js";

export async function open({ pair, others = 0, handler = "result", ...options }) {
  const tools = [echoTool(handler)];
  for (let index = 0; index < others; index++) tools.push({ ...tools[0], name: `other_${index}`, run: () => ({ content: [] }) });
  const { call, close, about } = await makePair({ pair, ...options, tools });
  return {
    about,
    call: (value) => call("echo", { value }),
    check: (answer, payload) => insistOnEcho(answer, payload, pair),
    close,
  };
}
