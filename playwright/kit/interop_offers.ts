// What the official SDKs offer and use beside tools, with what their versions do differently hidden
// behind one shape: resources, prompts, completion, logging, subscriptions, and questions to the client.

import type * as Library from "../../dist/index.js";
import { carry, type Carrier, type Official, type OfficialServer } from "./interop.ts";
import type * as Sdk1 from "./sdk1.ts";
import type * as Sdk2 from "./sdk2.ts";

declare const lib: typeof Library;
declare const sdk1: typeof Sdk1;
declare const sdk2: typeof Sdk2;

const info = { name: "theirs", version: "4.5.6" };
const form = { mode: "form" as const, message: "Who?", requestedSchema: { type: "object" as const, properties: { name: { type: "string" as const } } } };
const sampling = { messages: [{ role: "user" as const, content: { type: "text" as const, text: "Say" } }], maxTokens: 9 };

/** An official client that can be asked, connected to a server of ours. What it was told is in `heard`. */
export async function askableClient(official: Official, carrier: Carrier, server: Library.Server) {
  const { ours, theirs } = carry(carrier, official);
  await server.connect(ours);
  const capabilities = { elicitation: {}, sampling: {}, roots: {} };
  const old = official === "1.x";
  const client: any = old ? new sdk1.Client(info, { capabilities }) : new sdk2.Client(info, { capabilities, ...(official === "2.x auto" && { versionNegotiation: { mode: "auto" } }) } as never);
  const heard: any[] = [];
  const asked: string[] = [];
  const schemas = sdk1.types as any;
  const on = (kind: "Request" | "Notification", method: string, schema: string, handler: (message: any, context: any) => unknown) =>
    client[`set${kind}Handler`](old ? schemas[schema] : method, handler);
  on("Request", "elicitation/create", "ElicitRequestSchema", async ({ params }) => {
    asked.push(params.message);
    return { action: "accept", content: { name: "Ada" } };
  });
  on("Request", "sampling/createMessage", "CreateMessageRequestSchema", async ({ params }) => ({ role: "assistant", model: `m${params.maxTokens}`, content: { type: "text", text: "said" } }));
  on("Request", "roots/list", "ListRootsRequestSchema", async () => ({ roots: [{ uri: "file:///home", name: "home" }] }));
  for (const [method, schema] of [
    ["notifications/message", "LoggingMessageNotificationSchema"],
    ["notifications/resources/updated", "ResourceUpdatedNotificationSchema"],
    ["notifications/resources/list_changed", "ResourceListChangedNotificationSchema"],
    ["notifications/prompts/list_changed", "PromptListChangedNotificationSchema"],
  ] as const) {
    on("Notification", method, schema, (notification) => heard.push([method.slice(14), notification.params?.data ?? notification.params?.uri ?? null]));
  }
  await client.connect(theirs);
  const call = (params: object, options?: object) => (old ? client.callTool(params, undefined, options) : client.callTool(params, options));
  /** Hears of a resource and of both lists; gives the way to stop that. */
  const follow = async (uri: string) => {
    if (official !== "2.x auto") {
      await client.subscribeResource({ uri });
      return { granted: undefined, ended: undefined, stop: () => client.unsubscribeResource({ uri }) };
    }
    const subscription = await client.listen({ resourceSubscriptions: [uri], resourcesListChanged: true, promptsListChanged: true });
    return { granted: subscription.honoredFilter, ended: subscription.closed, stop: () => subscription.close() };
  };
  return { client, call, follow, heard, asked, theirs };
}

/** Puts what there is beside tools into an official server. */
function offer(server: any, sdk: any, major: 1 | 2, observed: { aborted: string[]; followed: string[] }) {
  const { z } = sdk;
  const text = (text: string) => ({ content: [{ type: "text", text }] });
  server.registerResource("static", "page://static", { title: "Static", mimeType: "text/plain" }, async ({ href }: URL) => ({ contents: [{ uri: href, mimeType: "text/plain", text: "held" }] }));
  server.registerResource("note", new sdk.ResourceTemplate("page://note/{id}", { list: undefined, complete: { id: (value: string) => ["one", "two"].filter((id) => id.startsWith(value)) } }), { description: "A note" }, async ({ href }: URL, { id }: any) => ({ contents: [{ uri: href, text: `note ${id}` }] }));
  const argsSchema = { who: sdk.completable(z.string(), (value: string) => ["Ada", "Alan"].filter((name) => name.startsWith(value))) };
  server.registerPrompt("greet", { title: "Greet", argsSchema: major === 1 ? argsSchema : z.object(argsSchema) }, async ({ who }: any) => ({ messages: [{ role: "user", content: { type: "text", text: `Greet ${who}` } }] }));
  server.registerTool("logs", { description: "Logs" }, async (context: any) => {
    if (major === 1) await context.sendNotification({ method: "notifications/message", params: { level: "warning", data: "careful", logger: "l" } });
    else await context.mcpReq.log("warning", "careful", "l");
    return text("logged");
  });
  server.registerTool("asks", { description: "Asks" }, async (context: any) => {
    if (major === 1) {
      const { content } = await server.server.elicitInput(form);
      const { model } = await server.server.createMessage(sampling);
      const { roots } = await server.server.listRoots();
      return text(`${content?.name} ${model} ${roots.length}`);
    }
    const { inputResponses } = context.mcpReq;
    const [who, said, all] = ["who", "said", "all"].map((key) => inputResponses?.[key]);
    if (!who) return sdk.inputRequired({ inputRequests: { who: sdk.inputRequired.elicit(form), said: sdk.inputRequired.createMessage(sampling), all: sdk.inputRequired.listRoots() }, requestState: "theirs" });
    return text(`${who.content?.name} ${said.model} ${all.roots.length}`);
  });
  server.registerTool("waits", { description: "Asks and is given up" }, async (context: any) => {
    if (major === 2) return sdk.inputRequired({ inputRequests: { who: sdk.inputRequired.elicit(form) } });
    context.signal.addEventListener("abort", () => observed.aborted.push(String(context.signal.reason)));
    await server.server.elicitInput(form, { signal: context.signal });
    return text("never");
  });
  return server;
}

/** Our client, connected to a new official server that offers everything. */
export async function offeringServer(official: OfficialServer, carrier: Carrier, options: Library.ClientOptions) {
  const { ours, theirs } = carry(carrier, official);
  const observed = { aborted: [] as string[], followed: [] as string[] };
  const servers: any[] = [];
  const make = () => {
    const sdk: any = official === "1.x" ? sdk1 : sdk2;
    const server = new sdk.McpServer(info, { capabilities: { logging: {}, resources: { subscribe: true, listChanged: true }, prompts: { listChanged: true } } });
    offer(server, sdk, official === "1.x" ? 1 : 2, observed);
    for (const [method, schema] of [["resources/subscribe", "SubscribeRequestSchema"], ["resources/unsubscribe", "UnsubscribeRequestSchema"]] as const) {
      server.server.setRequestHandler(official === "1.x" ? (sdk1.types as any)[schema] : method, async ({ params }: any) => {
        observed.followed.push(`${method} ${params.uri}`);
        return {};
      });
    }
    servers.push(server);
    return server;
  };
  if (official === "2.x both eras") sdk2.serveStdio(make, { transport: theirs });
  else await make().connect(theirs);
  const client = new lib.Client({ name: "ours", version: "1.2.3", ...options });
  const faults: string[] = [];
  client.addEventListener("error", (event) => faults.push(String((event as Library.FaultEvent).error)));
  await client.connect(ours);
  return { client, observed, faults, theirs, server: () => servers.at(-1) };
}
