// A tool of somebody else's, registered by plain means.

export const registerEcho = (context) =>
  context.registerTool({
    name: "echo",
    description: "Returns its argument",
    inputSchema: { type: "object", properties: { value: { type: "string" } }, required: ["value"] },
    execute: ({ value }) => value,
  });
