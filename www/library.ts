// What every entry of the package is made of, and the same for all: each adds only where the wasm comes from.
// Importing it does nothing; `ready()` loads the wasm.

export { ready, type WasmSource } from "./load.js";
export { liveObjects, type LiveObjects } from "./live.js";
export { version } from "./version.js";
export { ModelportError } from "./error.js";
export { defineTool, ToolManager, ToolsChangeEvent, type ToolManagerEvents } from "./tool_manager.js";
export { ToolWarningEvent } from "./guard.js";
export { Server, FaultEvent, type ServerEvents } from "./server.js";
export { Client, NotificationEvent, type ClientEvents } from "./client.js";
export { MessagePortTransport, type MessagePortOptions, type PortLike } from "./transport.js";
export { WebSocketTransport, type WebSocketOptions } from "./web_socket_transport.js";
export type { Carrier, ReconnectOptions } from "./reconnecting.js";
export { HttpTransport, type HttpOptions } from "./http_transport.js";
export { createModelContext, ModelContext, ReportEvent, ToolchangeEvent, ToolEvent, type Availability, type ModelContextEvents } from "./model_context.js";
export { createPageServer, type PageServer, type PageServerOptions } from "./page_server.js";
export { createScopeServer, type ScopeEvent, type ScopeServer, type ScopeServerEvents, type ScopeServerOptions } from "./scope_server.js";
export { connectToFrame, connectToParent, connectToWindow, connectToWorker, portTo, type ConnectOptions, type ReachOptions, type WorkerLike } from "./window_handshake.js";
export type { OriginEntry, Origins } from "./origins.js";
export { Tasks, type TaskDetail, type TasksOptions } from "./tasks.js";
export type { ArgsOf, FromSchema, ReturnOf, Schema, ToolInput, TypedTool } from "./infer.js";
export type { StandardSchema, Verdict } from "./standard_schema.js";
export type { TypedEventTarget, TypedListener } from "./events.js";
export { Subscription } from "./listen.js";
export type * from "./types.js";
export type * from "./server_types.js";
export type * from "./client_types.js";
export type { Limits } from "./limits.js";
