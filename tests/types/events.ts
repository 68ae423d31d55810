// What a stranger's compiler makes of events: each has its class, by its name.

import { createModelContext, createScopeServer, type Client, type Server, type Session, type ToolManager } from "modelport";

declare const tools: ToolManager;
declare const client: Client;
declare const server: Server;
declare const session: Session;

tools.addEventListener("change", ({ added, removed }) => void (added.join() + removed.join()));
tools.addEventListener("warning", ({ tool, pointer, message }) => void (tool + pointer + message), { once: true });
client.addEventListener("notification", ({ method, params }) => void [method.length, params]);
client.addEventListener("error", ({ error }) => void error);
client.addEventListener("close", ({ type }) => void type);
server.addEventListener("error", ({ error }) => void error);
session.addEventListener("reconnect", ({ type }) => void type);

const bridge = createModelContext();
bridge?.addEventListener("toolchange", ({ added, removed, changed }) => void [added.length, removed.length, changed.length]);
bridge?.addEventListener("toolactivated", ({ toolName, callId }) => void [toolName, callId?.toFixed()]);
bridge?.addEventListener("report", ({ report }) => void report.skipped.map(({ code, reason }) => code + reason));
bridge?.removeEventListener("toolcancel", ({ toolName }) => void toolName);

createScopeServer({ tools }).events.addEventListener("refused", ({ arrival, error }) => void [arrival?.origin, error]);

// @ts-expect-error: `change` has no such member.
tools.addEventListener("change", ({ changed }) => void changed);
// @ts-expect-error: nor has `report`.
bridge?.addEventListener("report", ({ added }) => void added);

// Events of other names, and listeners of any kind, are taken as by every EventTarget.
tools.addEventListener("mine", (event: Event) => void event.type);
client.addEventListener("close", { handleEvent: (event: Event) => void event.type });
