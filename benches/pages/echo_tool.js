// The tool that returns its argument, wherever it runs. A string comes back as a text block, records as
// `structuredContent`, as MCP has it, so that they travel once.

import { insist } from "./payloads.js";

const runs = {
  result: ({ value }) => (typeof value === "string" ? { content: [{ type: "text", text: value }] } : { content: [], structuredContent: { value } }),
  /** An object as it is, for which MCP wants the same as text too. */
  object: ({ value }) => ({ value }),
};

export const echoTool = (handler = "result") => ({
  name: "echo",
  description: "Returns its argument",
  inputSchema: { type: "object", properties: { value: {} }, required: ["value"] },
  shape: (z) => ({ value: z.any() }),
  run: runs[handler],
});

export const insistOnEcho = (answer, payload, who) =>
  insist(typeof payload === "string" ? answer.content?.[0]?.text : answer.structuredContent?.value, payload, who);
