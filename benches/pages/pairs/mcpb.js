// MCP-B in one window: `level` is "tab" (webmcp-ts-sdk and transports, no registry) or "global" (the quick start, over
// the browser's own registry). Its transport is window.postMessage; its client is the official one. Its handlers get
// no signal and no way to report progress.

import { clientOf } from "./sdk2.js";

const info = { name: "bench", version: "1.0.0" };
const plain = ({ shape, run, ...tool }) => ({ ...tool, execute: (args) => run(args, {}) });

async function tabServer({ BrowserMcpServer, TabServerTransport }) {
  const server = new BrowserMcpServer(info);
  await server.connect(new TabServerTransport({ allowedOrigins: [location.origin] }));
  return server;
}

/** Both in one page. */
export async function inPage({ level, tools }) {
  const lib = await import(level === "tab" ? "/peers/mcpb.js" : "/peers/mcpb_global.js");
  const registry = level === "tab" ? await tabServer(lib) : document.modelContext;
  for (const tool of tools) await registry.registerTool(plain(tool));
  const client = new lib.Client(info);
  await client.connect(new lib.TabClientTransport({ targetOrigin: location.origin }));
  return { registry, ...clientOf(client) };
}

/** Serves a frame's parent, by MCP-B's own transport for frames. */
export async function inFrame({ tools }) {
  const { BrowserMcpServer, IframeChildTransport } = await import("/peers/mcpb.js");
  const server = new BrowserMcpServer(info);
  for (const tool of tools) await server.registerTool(plain(tool));
  await server.connect(new IframeChildTransport({ allowedOrigins: [location.origin] }));
}

/** A client of what is served in a frame. */
export async function toFrame(iframe) {
  const { Client, IframeParentTransport } = await import("/peers/mcpb.js");
  const client = new Client(info);
  await client.connect(new IframeParentTransport({ iframe, targetOrigin: location.origin }));
  return clientOf(client);
}
