// The far end in a worker or a frame: serves the echo over the port it is handed, as the contestant it is told to be;
// or, as nobody, gives back what comes. MCP-B in a frame has a transport of its own and needs no port.

import { echoTool } from "./echo_tool.js";

const isFrame = typeof document === "object";
const home = isFrame ? parent : globalThis;
const tell = (word) => (isFrame ? home.postMessage(word, location.origin) : home.postMessage(word));

async function begin({ pair, ...options }, port) {
  if (!pair) port.onmessage = ({ data }) => port.postMessage(data);
  else if (pair === "mcpb") await (await import("./pairs/mcpb.js")).inFrame({ tools: [echoTool()] });
  else await (await import(`./pairs/${pair}.js`)).serve({ ...options, tools: [echoTool()] }, port);
  tell("far end serves");
}

addEventListener("message", function first({ data, ports: [port] }) {
  if (!data?.farEnd) return;
  removeEventListener("message", first);
  begin(data.farEnd, port);
});
tell("far end is there");
