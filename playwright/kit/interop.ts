// The official SDKs at one end of a channel and the library at the other, with what both versions
// do differently hidden behind one shape.

import type * as Library from "../../dist/index.js";
import type { ToolManager, Transport } from "../../dist/index.js";
import { PortTransport, TextTransport } from "./kit.ts";
import type * as Sdk1 from "./sdk1.ts";
import type * as Sdk2 from "./sdk2.ts";

declare const lib: typeof Library;
declare const sdk1: typeof Sdk1;
declare const sdk2: typeof Sdk2;

export type Official = "1.x" | "2.x" | "2.x auto";
export type Carrier = "their own transport" | "our MessagePortTransport" | "their InMemoryTransport" | "JSON text";

/** A pair of ends: ours and theirs. */
export function carry(carrier: Carrier, official: string): { ours: Transport; theirs: any } {
  if (carrier === "their InMemoryTransport") {
    const [ours, theirs] = (official === "1.x" ? sdk1 : sdk2).InMemoryTransport.createLinkedPair();
    return { ours: ours as Transport, theirs };
  }
  const { port1, port2 } = new MessageChannel();
  const theirs = carrier === "our MessagePortTransport" ? new lib.MessagePortTransport(port2) : new (carrier === "JSON text" ? TextTransport : PortTransport)(port2);
  return { ours: new lib.MessagePortTransport(port1), theirs };
}

/** An official client, connected to a new server of ours. */
export async function officialClient(official: Official, carrier: Carrier, tools: ToolManager) {
  const { ours, theirs } = carry(carrier, official);
  const server = new lib.Server({ tools, name: "ours", version: "1.2.3", instructions: "be kind" });
  await server.connect(ours);
  const info = { name: "theirs", version: "4.5.6" };
  const client: any = official === "1.x" ? new sdk1.Client(info) : new sdk2.Client(info, official === "2.x auto" ? { versionNegotiation: { mode: "auto" } } : undefined);
  await client.connect(theirs);
  const notices: string[] = [];
  client.setNotificationHandler(official === "1.x" ? sdk1.ToolListChangedNotificationSchema : "notifications/tools/list_changed", () => notices.push("list_changed"));
  const call = (name: string, args: object = {}, options?: object) =>
    official === "1.x" ? client.callTool({ name, arguments: args }, undefined, options) : client.callTool({ name, arguments: args }, options);
  return { client, server, call, notices };
}

export interface Observed {
  calls: unknown[];
  aborted: string[];
  peers: unknown[];
}

/** Tools of an official server, the same in both versions. */
export function equip(server: any, z: any, major: 1 | 2, observed: Observed): any {
  const shape = (members: object) => (major === 1 ? members : z.object(members));
  const signalOf = (context: any): AbortSignal => context.signal ?? context.mcpReq.signal;
  const metaOf = (context: any) => context._meta ?? context.mcpReq?._meta;
  const notify = (context: any, notification: object) => (context.sendNotification ?? context.mcpReq.notify).call(context, notification);
  server.registerTool("echo", { title: "Echo", description: "Says it again", inputSchema: shape({ text: z.string() }), annotations: { readOnlyHint: true } }, async (args: any) => {
    observed.calls.push(args);
    return { content: [{ type: "text", text: args.text }] };
  });
  server.registerTool("fails", { description: "Fails" }, async () => {
    throw new Error("their trouble");
  });
  server.registerTool("steps", { description: "Reports", inputSchema: shape({ n: z.number() }) }, async ({ n }: any, context: any) => {
    const progressToken = metaOf(context)?.progressToken;
    for (let progress = 1; progress <= n; progress++) await notify(context, { method: "notifications/progress", params: { progressToken, progress, total: n } });
    return { content: [{ type: "text", text: String(progressToken !== undefined) }] };
  });
  server.registerTool("wait", { description: "Waits", inputSchema: shape({}) }, (_args: any, context: any) => {
    observed.calls.push("wait");
    return new Promise(() => signalOf(context).addEventListener("abort", () => observed.aborted.push(String(signalOf(context).reason))));
  });
  return server;
}

export type OfficialServer = "1.x" | "2.x connect" | "2.x both eras";

/** Our client, connected to a new official server. */
export async function officialServer(official: OfficialServer, carrier: Carrier, protocol: any = "auto") {
  const { ours, theirs } = carry(carrier, official);
  const observed: Observed = { calls: [], aborted: [], peers: [] };
  const info = { name: "theirs", version: "4.5.6" };
  const servers: any[] = [];
  const make = () => {
    const server = official === "1.x" ? equip(new sdk1.McpServer(info), sdk1.z, 1, observed) : equip(new sdk2.McpServer(info), sdk2.z, 2, observed);
    servers.push(server);
    return server;
  };
  if (official === "2.x both eras") sdk2.serveStdio(make, { transport: theirs });
  else await make().connect(theirs);
  const client = new lib.Client({ name: "ours", version: "1.2.3", protocol });
  const notices: string[] = [];
  client.addEventListener("notification", (event) => notices.push((event as Library.NotificationEvent).method));
  const faults: unknown[] = [];
  client.addEventListener("error", (event) => faults.push(String((event as Library.FaultEvent).error)));
  await client.connect(ours);
  return { client, observed, notices, faults, server: () => servers.at(-1) };
}
