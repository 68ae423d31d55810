// Every entry that has types can be imported by a stranger, and is what it says.

import { ready as inline, ToolManager as Inline } from "modelport/inline";
import "modelport/global";
import { McpbTabTransport } from "modelport/mcp-b";
import { Client, ModelportError, ready, ToolManager, version } from "modelport";

const loaded: Promise<void>[] = [ready(), ready("modelport.wasm"), ready(async () => fetch("modelport.wasm")), inline()];
const words: string = version;
const manager: ToolManager = new Inline();

export const use = async () => {
  await Promise.all(loaded);
  const client = new Client({ name: words, protocol: "2026-07-28" });
  await client.connect(new McpbTabTransport({ role: "client" }));
  try {
    const { content, isError } = await client.callTool("x", { a: 1 }, { timeout: 100 });
    return [content[0]?.type, isError];
  } catch (error) {
    return error instanceof ModelportError ? [error.code, error.rpcCode, error.data] : manager.size;
  }
};
