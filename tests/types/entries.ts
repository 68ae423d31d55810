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

// The hooks' types need none of React's.
import { useModelContext, useTool } from "modelport/react";
import { launchOptions, pageTools } from "modelport/testing";

export function Component() {
  const { status, error } = useTool({ name: "t", inputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] }, execute: ({ n }) => n.toFixed() }, { enabled: true });
  const { tools, context, help } = useModelContext({ names: "map" });
  return [status, error, tools?.size, context?.status.registered.length, help];
}

export const tested = async (page: { evaluate(run: (given: any) => any, given?: any): Promise<any> }) => [launchOptions.args.length, (await pageTools(page).waitFor("t")).description];

import { addForm, formSchema, formTool } from "modelport/form";

export const forms = (form: HTMLFormElement): (() => void) => {
  manager.add(formTool(form, { name: "book", submit: false }));
  return addForm(manager, form, { description: formSchema(form)["type"] as string, result: (data) => data.get("x") });
};
