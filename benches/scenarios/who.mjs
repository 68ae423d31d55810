// Who takes part: each contestant by its name, with what its page is told. Peers are the versions of
// peers/package.json; `mayLack` marks those of whom a scenario asks what they may not offer, which the report then
// says instead of a figure.

const modelport = (level, title, more) => ({ title: `Modelport, ${title}`, options: { pair: "modelport", level, ...more } });
const forms = { clone: "", text: ", as JSON text", memory: ", in memory: nothing is copied" };
const sdk = (major, level, title, form = "clone") => ({ title: `SDK ${major}.x, ${title}${forms[form]}`, options: { pair: `sdk${major}`, level, form } });

export const pairs = {
  modelport: modelport("page", "client and server of one page"),
  "modelport-port": modelport("port", "the ports of a channel in one page"),
  "modelport-posted": modelport("posted", "made to post over the port"),
  "modelport-2025": modelport("port", "ports in one page, revision 2025-11-25", { protocol: "2025-11-25" }),
  "modelport-rust": modelport("rust", "server and tool in Rust"),
  sdk1: sdk(1, "high", "McpServer and zod"),
  "sdk1-text": sdk(1, "high", "McpServer and zod", "text"),
  "sdk1-memory": sdk(1, "high", "McpServer and zod", "memory"),
  "sdk1-low": sdk(1, "low", "low-level Server"),
  sdk2: sdk(2, "high", "McpServer and zod"),
  "sdk2-text": sdk(2, "high", "McpServer and zod", "text"),
  "sdk2-json": sdk(2, "json", "McpServer and JSON Schema"),
  "sdk2-memory": sdk(2, "high", "McpServer and zod", "memory"),
  "sdk2-low": sdk(2, "low", "low-level Server"),
  "mcpb-tab": { title: "MCP-B, webmcp-ts-sdk and transports", options: { pair: "mcpb", level: "tab" } },
  "mcpb-global": { title: "MCP-B, global", options: { pair: "mcpb", level: "global" } },
  comlink: { title: "Comlink", options: { pair: "rpc", level: "comlink" } },
  capnweb: { title: "Cap'n Web", options: { pair: "rpc", level: "capnweb" } },
};

/** Contestants of these names, whose page opens `module`. */
export const entrants = (module, names, options = {}, more = {}) =>
  names.map((id) => ({ id, title: pairs[id].title, module, options: { ...pairs[id].options, ...options }, ...more }));

export const officials = ["sdk1", "sdk1-text", "sdk1-low", "sdk2", "sdk2-text", "sdk2-json", "sdk2-low"];
export const mcpb = ["mcpb-tab", "mcpb-global"];
export const rpc = ["comlink", "capnweb"];
export const peers = [...officials, ...mcpb, ...rpc];

/** How long the page could do nothing else at most, while this is measured. Tracing takes its time: two rounds do. */
export const blocking = (of, options) => ({ name: "blocking", title: "longest task on the main thread", how: "tasks", of, options, rounds: 2 });
