// Names on the wire that more than one file needs (MCP 2026-07-28, basic; extension tasks, SEP-2663).

export const PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion";
export const CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
export const TASKS = "io.modelcontextprotocol/tasks";

/** The number of an error for whoever is not let in: it lies outside the range that JSON-RPC and MCP keep for themselves. */
export const REFUSED = 403;
