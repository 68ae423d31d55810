// Three ways to the same tools. Each lists what it can reach and calls one of them.

/** `note` says what the route does; `hasProgress` whether the carrier brings progress back. */
export function createRoutes({ tools, client, bridge }) {
  return {
    registry: {
      label: "Registry",
      isAvailable: bridge !== undefined,
      hasProgress: false,
      note: bridge
        ? "Adopts the tool from the browser and runs it by executeTool, as an agent would. The browser carries no progress."
        : "Needs the browser’s registry, which this page cannot use.",
      list: () => bridge.adopt(),
      call: (tool, args, { signal }) => tool.execute(args, { signal }),
    },
    "page-server": {
      label: "Page server",
      isAvailable: true,
      hasProgress: true,
      note: "An MCP client in this page calls an MCP server in this page: tools/call over a message channel. See the log.",
      list: () => client.tools(),
      call: (tool, args, options) => client.callTool(tool.name, args, options),
    },
    direct: {
      label: "Direct",
      isAvailable: true,
      hasProgress: true,
      note: "Calls the page’s own ToolManager, as the buttons of the box office do.",
      list: async () => [...tools],
      call: (tool, args, options) => tools.call(tool.name, args, options),
    },
  };
}
