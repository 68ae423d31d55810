// The published package that `modelport/mcp-b` has to get on with, as pages load it.

export * from "@mcp-b/transports";
