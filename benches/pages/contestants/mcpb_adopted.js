// A tool that somebody else registered, adopted by MCP-B's server and called by the official client. `patched` hands
// the browser an object where MCP-B gives it a string, which Chromium from 155 on refuses.

import { insist } from "../payloads.js";
import { registerEcho } from "../registered_echo.js";

const patch = (native) =>
  new Proxy(native, {
    get(target, name) {
      if (name === "executeTool") return (tool, input, options) => target.executeTool(tool, typeof input === "string" ? JSON.parse(input) : input, options);
      const value = target[name];
      return typeof value === "function" ? value.bind(target) : value;
    },
  });

export async function open({ patched }) {
  const { BrowserMcpServer, Client, TabClientTransport, TabServerTransport } = await import("/peers/mcpb.js");
  await registerEcho(document.modelContext);
  const info = { name: "bench", version: "1.0.0" };
  const server = new BrowserMcpServer(info, { native: patched ? patch(document.modelContext) : document.modelContext });
  await server.syncNativeTools();
  await server.connect(new TabServerTransport({ allowedOrigins: [location.origin] }));
  const client = new Client(info);
  await client.connect(new TabClientTransport({ targetOrigin: location.origin }));
  const call = (value) => client.callTool({ name: "echo", arguments: { value } });
  const { isError, content } = await call("x");
  if (isError) throw new Error(content[0].text);
  return { call, check: (answer, payload) => insist(answer.content[0].text, payload, "MCP-B's adopted tool"), close: () => client.close() };
}
