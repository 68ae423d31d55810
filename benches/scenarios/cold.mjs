// Cold starts: from the request of a page's script to its first tool and to the answer to its first call.

const contestants = [
  ["empty", "a script that does nothing", "floor"],
  ["native", "registerTool by hand", "floor"],
  ["modelport", "Modelport, published"],
  ["inline", "Modelport, published, wasm in the script"],
  ["modelport_pair", "Modelport, client and server"],
  ["rust", "Modelport, a page in Rust"],
  ["mcpb_polyfill", "MCP-B, polyfill alone"],
  ["mcpb_global", "MCP-B, global"],
  ["mcpb_pair", "MCP-B server, official client"],
  ["sdk1_server", "SDK 1.x, server alone"],
  ["sdk1_pair", "SDK 1.x, client and server"],
  ["sdk2_server", "SDK 2.x, server alone"],
  ["sdk2_pair", "SDK 2.x, client and server"],
].map(([id, title, floor]) => ({ id, title, script: id, ...(floor && { floor: true }) }));

const speeds = { plain: "", slow: ", 4 × slower processor, 10 Mbit/s, 40 ms" };
const caches = { cold: "nothing cached", warm: "warm cache" };
const moments = { tool: "first tool", call: "first answer" };

const measures = Object.entries(speeds).flatMap(([speed, how]) =>
  Object.entries(caches).flatMap(([cache, state]) => Object.entries(moments).map(([moment, what]) => ({ name: `${speed} ${cache} ${moment}`, title: `to the ${what}, ${state}${how}` }))),
);

const goal = (speed, cache, over, than, atMost) => ({
  row: true,
  name: `first tool, ${speed === "plain" ? "" : "throttled, "}${caches[cache]}`,
  measure: `${speed} ${cache} tool`,
  of: "modelport",
  over: [over],
  than,
  atMost,
});

const goals = Object.keys(speeds).flatMap((speed) => [
  goal(speed, "cold", "mcpb_global", "@mcp-b/global", 0.6),
  goal(speed, "cold", "sdk2_server", "SDK 2.x", 0.7),
  goal(speed, "warm", "mcpb_global", "@mcp-b/global", 0.4),
  goal(speed, "warm", "sdk2_server", "SDK 2.x", 0.4),
]);

export const scenarios = [{ name: "cold", title: "Cold start", cold: true, contestants, measures, goals }];
