// The public shapes of Modelport: what a page author writes, passes in and gets back.
// Everything here is erased by the compiler; behaviour lives in the files named after each class.

/** A JSON object, such as a tool's arguments. */
export type JsonObject = Record<string, unknown>;

/** A JSON Schema. A tool's `inputSchema` should have `type: "object"` at its root (MCP 2026-07-28, server/tools). */
export type JsonSchema = Record<string, unknown>;

/** Hints about a tool. None of them is a promise, and those of other people's tools are untrusted. */
export interface ToolAnnotations {
  /** A display name; `Tool.title` is preferred. */
  title?: string;
  /** The tool changes nothing. Both MCP and WebMCP know this hint. */
  readOnlyHint?: boolean;
  /** The tool may destroy something. MCP only; published to WebMCP as `consequentialHint` when true. */
  destructiveHint?: boolean;
  /** Calling twice with the same arguments has no further effect. MCP only. */
  idempotentHint?: boolean;
  /** The tool reaches outside the page. MCP only. */
  openWorldHint?: boolean;
  /** Results may hold text written by strangers. WebMCP only. */
  untrustedContentHint?: boolean;
  /** The tool does something a person would want to be asked about. WebMCP only; shown to MCP as `destructiveHint`. */
  consequentialHint?: boolean;
  /** The tool is for developers, not for people's agents. WebMCP only. */
  debugging?: boolean;
}

/** An icon of a tool or of an implementation. `src` is an `https:` or `data:` URL. */
export interface Icon {
  /** An `https:` or `data:` URL. */
  src: string;
  /** Its type, if the URL does not tell. */
  mimeType?: string;
  /** Sizes it is good for, such as `"48x48"` or `"any"`. */
  sizes?: string[];
  /** The background it was drawn for. */
  theme?: "light" | "dark";
}

/** Name and version of a program, as both ends of MCP introduce themselves. Display only. */
export interface Implementation {
  /** Its name, for programs. */
  name: string;
  /** Its version. */
  version: string;
  /** Its name, for people. */
  title?: string;
}

/** One step of progress. `progress` must rise from step to step. */
export interface Progress {
  /** How far it is, in any unit; it must rise. */
  progress: number;
  /** How far it will be in the end, in the same unit, if that is known. */
  total?: number;
  /** What is being done, for people. */
  message?: string;
}

/** Who is calling, as far as the carrier can tell. Never verified. */
export interface Caller {
  /** `"page"` for `ToolManager.call`, `"registry"` for the browser's registry, `"session"` for an MCP peer. */
  via: "page" | "registry" | "session";
  /** What an MCP peer calls itself. */
  client?: Implementation;
}

/**
 * What a running tool is given beside its arguments. Its functions may be taken out of it.
 *
 * Asking (`elicit`, `sample`, `roots`) works in both eras: as a request to the client, or as a round
 * of input for which the call is parked (MCP 2026-07-28, basic/patterns/mrtr). It rejects with
 * `missing-capability` if the caller has not declared that it can answer (the browser's registry and
 * the page itself never can), with `timeout` when no answer comes within `limits.inputWait`, with
 * `internal-error` beyond `limits.inputRounds` or `limits.parkedCalls`. What is asked at the same time
 * goes into one round.
 */
export interface ToolContext {
  /** Aborted when the caller gives up, the session ends or the tool's deadline passes. */
  readonly signal: AbortSignal;
  /** Reports progress; ignored when the caller did not ask for it. */
  progress(progress: Progress): void;
  /** Asks a person through the client: by a form, or by a page they are sent to (MCP, client/elicitation). */
  elicit(params: ElicitParams, options?: AskOptions): Promise<ElicitResult>;
  /** Asks the client's model (MCP, client/sampling). Deprecated since 2026-07-28, and still there. */
  sample(params: SampleParams, options?: AskOptions): Promise<SampleResult>;
  /** Asks for the client's roots (MCP, client/roots). Deprecated since 2026-07-28, and still there. */
  roots(options?: AskOptions): Promise<{ roots: Root[] }>;
  /** Says something to the client's log, if the server has `logging` and the client wants to hear of this level. */
  log(level: LogLevel, data: unknown, logger?: string): void;
  /** Who is calling. */
  readonly caller?: Caller;
  /** What the client has declared it can do. */
  readonly capabilities?: JsonObject;
  /** The request's `_meta` as it came. */
  readonly meta?: JsonObject;
  /** For a tool that returned `input_required` itself and is entered again: the answers, by their keys. */
  readonly inputs?: JsonObject;
  /** For such a tool: the `requestState` it returned. */
  readonly state?: string;
}

/** How something is asked. */
export interface AskOptions {
  /** Names the question on the wire; unlike others of the same call. Default: a number that counts up. */
  key?: string;
}

/** A question to a person (MCP 2026-07-28, client/elicitation). Without a `mode` it is a form. */
export type ElicitParams =
  | { mode?: "form"; message: string; requestedSchema: JsonSchema; _meta?: JsonObject }
  | { mode: "url"; message: string; url: string; elicitationId?: string; _meta?: JsonObject };

/** What the person did; `content` comes with `accept` of a form. */
export interface ElicitResult {
  /** The person agreed, refused, or went away. */
  action: "accept" | "decline" | "cancel";
  /** What was filled in, by the names of the form's properties. */
  content?: Record<string, string | number | boolean | string[]>;
  [key: string]: unknown;
}

/** A question to the client's model (MCP, client/sampling). */
export interface SampleParams {
  /** The conversation to go on with. */
  messages: { role: "user" | "assistant"; content: unknown }[];
  /** How long the answer may be, in tokens of the model. */
  maxTokens: number;
  [key: string]: unknown;
}

/** What the model said. */
export interface SampleResult {
  /** Who said it: `"assistant"`, as a rule. */
  role: "user" | "assistant";
  /** What was said: a block, or several. */
  content: unknown;
  /** The model's name. */
  model?: string;
  /** Why it ended, such as `"endTurn"` or `"maxTokens"`. */
  stopReason?: string;
  [key: string]: unknown;
}

/** A folder, or the like, that a client works on. `uri` begins with `file://`. */
export interface Root {
  /** Where it is; begins with `file://`. */
  uri: string;
  /** Its name, for people. */
  name?: string;
  /** What the protocol, its extensions or you add for programs (MCP, basic: `_meta`). */
  _meta?: JsonObject;
}

/** How grave a log message is, from the least on (RFC 5424). */
export type LogLevel = "debug" | "info" | "notice" | "warning" | "error" | "critical" | "alert" | "emergency";

/** A tool: the dictionary `document.modelContext.registerTool` takes, and more. */
export interface Tool {
  /** 1 to 128 of `A-Z a-z 0-9 _ - .` to be publishable everywhere. */
  name: string;
  /** Its name, for people. */
  title?: string;
  /** What the model reads. WebMCP requires it. */
  description?: string;
  /** What it takes; without one, any object. */
  inputSchema?: JsonSchema;
  /** What its `structuredContent` looks like. */
  outputSchema?: JsonSchema;
  /** Hints about what it does. */
  annotations?: ToolAnnotations;
  /** Icons, for people. */
  icons?: Icon[];
  /** What the protocol, its extensions or you add for programs (MCP, basic: `_meta`). */
  _meta?: JsonObject;
  /** How this tool is checked, whatever its manager says; somebody else's tool is checked only by this. */
  check?: CheckMode;
  /** Runs the tool. What it returns becomes the result; what it throws becomes a result with `isError`. */
  execute(args: any, context: ToolContext): unknown | Promise<unknown>;
}

/**
 * What becomes of arguments that break `inputSchema`, and of results that break `outputSchema`.
 *
 * - `"on"`: such arguments are answered with `isError` and what is wrong, and the tool does not run; such
 *   a result, or one without `structuredContent`, becomes `isError`. An `inputSchema` that is no valid
 *   schema answers every call of that tool with the place that is wrong, and is a `warning`; one that has
 *   no form in JSON was shown to nobody and is a `warning` only.
 * - `"warn"`: everything passes, and a `warning` event tells.
 * - `"off"`: nobody looks.
 *
 * An `outputSchema` that is no valid schema lets results pass, with a `warning`.
 */
export type CheckMode = "on" | "warn" | "off";

/** One thing wrong with a value. */
export type Failure = import("./schema/index.js").Failure;

/** How the tools of a manager are checked. */
export interface ToolManagerOptions {
  /** For tools that do not say. Default `"on"`; for tools that were adopted or come from a `Client`, `"off"`. */
  check?: CheckMode;
  /**
   * Another validator: gives for a schema what finds the failures of a value, if there are any. It is
   * asked once for each schema object; what it throws is what is wrong with the schema.
   */
  validator?: (schema: JsonSchema) => (value: unknown) => Failure[] | undefined;
}

/** A tool that belongs to another document, read from the browser's registry. */
export interface AdoptedTool extends Tool {
  /** The origin the browser states for the owner. */
  readonly origin: string;
  /** Whether this very bridge published it. */
  readonly own: boolean;
  /** The name in the owner's registry, which `name` may differ from when two frames use the same one. */
  readonly originalName: string;
  /** The owner's window. */
  readonly window: Window | null;
}

/**
 * A block of a result. `data` and a resource's `blob` are Base64; a tool may return an `ArrayBuffer` or a view of
 * one in their place, which arrives as it is over ports that both have `transfer`, and as Base64 elsewhere.
 */
export type Content =
  | { type: "text"; text: string; annotations?: JsonObject; _meta?: JsonObject }
  | { type: "image" | "audio"; data: string; mimeType: string; annotations?: JsonObject; _meta?: JsonObject }
  | { type: "resource_link"; uri: string; name: string; [key: string]: unknown }
  | { type: "resource"; resource: JsonObject; [key: string]: unknown };

/** The answer to `tools/call` (MCP 2026-07-28, server/tools). */
export interface CallToolResult {
  /** The result for a model to read. */
  content: Content[];
  /** The same for programs, as `outputSchema` describes it. */
  structuredContent?: unknown;
  /** The tool ran and failed; `content` says why. */
  isError?: boolean;
  /** What the protocol, its extensions or you add for programs (MCP, basic: `_meta`). */
  _meta?: JsonObject;
  [key: string]: unknown;
}

/** How a call is made, and given up. */
export interface CallOptions {
  /** Cancels the call; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Asks the other side for progress, and receives it. */
  progress?: (progress: Progress) => void;
  /** Milliseconds until the call is given up with code `timeout`; 0 waits for ever. */
  timeout?: number;
}

/** What a client's requests may be told besides. */
export interface RequestOptions extends CallOptions {
  /** Progress lets `timeout` begin anew. */
  resetOnProgress?: boolean;
  /** Milliseconds until `timeout` whatever the progress. */
  maxTimeout?: number;
  /** An answer that was kept (`ttlMs`) will not do. */
  fresh?: boolean;
}

/** A JSON-RPC message, as the official SDK's `Transport` carries it: a parsed object. */
export type JsonRpcMessage = { jsonrpc: "2.0"; [key: string]: unknown };

/**
 * The official SDK's `Transport` interface (1.x and 2.x), so that carriers plug both ways.
 * The callbacks are set before `start()`; `close()` ends in `onclose`.
 */
export interface Transport {
  /** Begins to carry messages. */
  start(): Promise<void>;
  /** Carries one message; rejects if it cannot. */
  send(message: any, options?: any): Promise<void>;
  /** Lets go of what it holds. */
  close(): Promise<void>;
  /** Hears of each message. */
  onmessage?: ((message: any, extra?: any) => void) | undefined;
  /** Hears of faults that do not end it. */
  onerror?: ((error: Error) => void) | undefined;
  /** Hears that it is closed, from whichever side. */
  onclose?: (() => void) | undefined;
  /** The session's id, where the carrier has one. */
  sessionId?: string | undefined;
  /** Is told the revision that was negotiated. */
  setProtocolVersion?: ((version: string) => void) | undefined;
}

/** A revision of MCP. The first is stateless, the others begin with a handshake. */
export type ProtocolVersion = "2026-07-28" | "2025-11-25" | "2025-06-18" | "2025-03-26" | "2024-11-05";

/** Who may see the published tools, and what becomes of those the registry would refuse. */
export interface PublishOptions {
  /** Origins, beside this one, that may see and call the tools (`exposedTo`). */
  origins?: string[];
  /** Reject, instead of reporting, when any tool could not be registered. */
  strict?: boolean;
  /** How names that the registry refuses are handled: reported (default) or mapped to ones it accepts. */
  names?: "exact" | "map";
  /** A tool without a description is reported (default), or described by its title or name. */
  descriptions?: "require" | "fallback";
  /** `"envelope"` (default): results and errors survive the browser as an MCP result. `"raw"`: the platform's own behaviour. */
  results?: "envelope" | "raw";
}

/** Why a tool is not in the registry. */
export interface SkippedTool {
  /** The tool's name in the manager. */
  name: string;
  /** One of the codes listed in the README, such as `description-missing` or `name-not-carriable`. */
  code: string;
  /** The same in a sentence, with what to do. */
  reason: string;
}

/** A tool whose name somebody else has. */
export interface BlockedTool {
  /** The name that is taken. */
  name: string;
  /**
   * Who has it, as far as one can tell by looking: `bridge` for another `ModelContext` of this
   * document, be it of another copy of this package; `form` for a form with `toolname`; else
   * `script`, some other script of this document.
   */
  by: "bridge" | "form" | "script";
  /** The registry's own words. */
  reason: string;
}

/** What became of each tool of a publication. */
export interface PublishReport {
  /** Names that were registered by this. */
  registered: string[];
  /** Names that were registered before and still are as they were. */
  unchanged: string[];
  /** Names that were taken out of the registry by this. */
  released: string[];
  /** Tools that cannot be registered, and why. */
  skipped: SkippedTool[];
  /** Names that somebody else holds; they are tried again when the registry changes. */
  blocked: BlockedTool[];
  /** Tool name to registered name, for the names that were mapped. */
  names: Record<string, string>;
}

/** Which tools of the registry are wanted, and how. */
export interface AdoptOptions {
  /** Other origins whose tools are wanted too (`fromOrigins`). */
  origins?: string[];
  /** With `origins`: leave out this document's own origin. */
  only?: boolean;
  /** Include tools marked `debugging`. Default false. */
  debugging?: boolean;
  /** Include the tools this bridge published. Default true. */
  own?: boolean;
  /** `"none"` leaves out the tools of other frames. Default `"all"`. */
  frames?: "all" | "none";
  /** Get a `ToolManager` that follows the registry, instead of a list that does not. */
  live?: boolean;
}
