// What a server is made of: its tools, and what it offers beside them.

import type { TypedEventTarget } from "./events.js";
import type { Limits } from "./limits.js";
import type { Carrier, ReconnectOptions } from "./reconnecting.js";
import type { Tasks } from "./tasks.js";
import type { ToolManager } from "./tool_manager.js";
import type { Icon, Implementation, JsonObject, ToolContext } from "./types.js";

type Given<T> = T | Promise<T>;

/** What both `Server` and `createPageServer` take. A manager of tools is enough. */
export interface ServerOptions {
  /** The tools, which it follows. */
  tools: ToolManager;
  /** How the server introduces itself. Default `"modelport"`. */
  name?: string;
  /** Default: the version of Modelport. */
  version?: string;
  /** Its name, for people. */
  title?: string;
  /** Advice to the model about this server as a whole. */
  instructions?: string;
  /** What can be read: a list, or a provider that knows how to find it. */
  resources?: readonly (Resource | ResourceTemplate)[] | ResourceProvider;
  /** Prompts a person may pick: a list, or a provider. */
  prompts?: readonly Prompt[] | PromptProvider;
  /** Completes an argument of a prompt or of a resource template. At most 100 values are sent. */
  complete?: Complete;
  /** Offers the client a log that `context.log` writes to. */
  logging?: boolean;
  /** Lets tools that were deferred to it run as tasks. */
  tasks?: Tasks;
  /** How long stateless clients may keep lists and resources, unless an answer says so itself. Default: not at all. */
  cache?: { ttlMs: number; scope?: "private" | "public" };
  /** Holds the answer to `initialize` until it resolves; what it throws is the answer instead. */
  handshake?: (request: { protocolVersion: string; client?: Implementation; capabilities?: JsonObject }, context: ToolContext) => Given<void>;
  /** Seals what stateless clients carry from round to round. Default: AES-GCM of WebCrypto with a key of this server's. */
  sealer?: Sealer;
  /** How much peers may ask for at once. */
  limits?: Limits;
}

/** Something that can be read (MCP, server/resources). */
export interface ResourceInfo {
  /** What it is read by. */
  uri: string;
  /** Its name, for programs. */
  name: string;
  /** Its name, for people. */
  title?: string;
  /** What it holds, for a model to read. */
  description?: string;
  /** The type of what it holds. */
  mimeType?: string;
  /** How much it holds, in bytes. */
  size?: number;
  /** Icons, for people. */
  icons?: Icon[];
  /** Hints: for whom it is, how important, and when it changed (MCP, server/resources). */
  annotations?: JsonObject;
  /** What the protocol, its extensions or you add for programs (MCP, basic: `_meta`). */
  _meta?: JsonObject;
}

/** A pattern of URIs, such as `page://{id}` (RFC 6570, simple and reserved expansion). */
export interface ResourceTemplateInfo extends Omit<ResourceInfo, "uri" | "size"> {
  /** The pattern: `{name}` is one segment, `{+name}` any text. */
  uriTemplate: string;
}

/** A resource of a list, with what reads it. */
export interface Resource extends ResourceInfo {
  /** Belongs to templates. */
  uriTemplate?: never;
  /** Gives what it holds, each time it is read. */
  read(uri: string, context: ToolContext): Given<ReadResult>;
}

/** A template of a list, with what reads the URIs that fit. */
export interface ResourceTemplate extends ResourceTemplateInfo {
  /** Belongs to single resources. */
  uri?: never;
  /** Gives what a URI of this pattern holds; `variables` are its parts, decoded. */
  read(uri: string, context: ToolContext, variables: Record<string, string>): Given<ReadResult>;
}

/** One part of what a resource holds: text, or Base64. */
export type ResourceContents = { uri: string; mimeType?: string; _meta?: JsonObject } & ({ text: string } | { blob: string });

/** What reading gives: a text, bytes, parts, or the whole result; nothing where there is no such resource. */
export type ReadResult = string | Uint8Array | ArrayBuffer | ResourceContents[] | ({ contents: ResourceContents[] } & JsonObject) | InputRequired | undefined | null;

/** Finds resources by itself. `list` and `templates` may be given in pages, by cursors of their own. */
export interface ResourceProvider {
  /** One page of the resources there are; the first has no cursor. */
  list?(cursor: string | undefined, context: ToolContext): Given<readonly ResourceInfo[] | ({ resources: ResourceInfo[]; nextCursor?: string } & JsonObject)>;
  /** One page of the templates there are. */
  templates?(cursor: string | undefined, context: ToolContext): Given<readonly ResourceTemplateInfo[] | ({ resourceTemplates: ResourceTemplateInfo[]; nextCursor?: string } & JsonObject)>;
  /** Gives what a URI holds; nothing if there is no such resource. */
  read(uri: string, context: ToolContext): Given<ReadResult>;
}

/** A prompt as it is listed (MCP, server/prompts). */
export interface PromptInfo {
  /** Its name, for programs. */
  name: string;
  /** Its name, for people. */
  title?: string;
  /** What it is for. */
  description?: string;
  /** What it takes. Arguments of prompts are texts. */
  arguments?: { name: string; title?: string; description?: string; required?: boolean }[];
  /** Icons, for people. */
  icons?: Icon[];
  /** What the protocol, its extensions or you add for programs (MCP, basic: `_meta`). */
  _meta?: JsonObject;
}

/** A prompt of a list, with what makes its messages. */
export interface Prompt extends PromptInfo {
  /** Makes the messages. Required arguments are there. */
  get(args: Record<string, string>, context: ToolContext): Given<PromptResult>;
}

/** One message of a prompt. */
export interface PromptMessage {
  /** Who says it. */
  role: "user" | "assistant";
  /** What is said: a block. */
  content: unknown;
}

/** What a prompt gives: a text of the user's, messages, or the whole result. */
export type PromptResult = string | PromptMessage[] | ({ messages: PromptMessage[]; description?: string } & JsonObject) | InputRequired;

/** Finds prompts by itself; nothing where there is none of that name. */
export interface PromptProvider {
  /** One page of the prompts there are; the first has no cursor. */
  list?(cursor: string | undefined, context: ToolContext): Given<readonly PromptInfo[] | ({ prompts: PromptInfo[]; nextCursor?: string } & JsonObject)>;
  /** Makes the messages of one; nothing if there is none of that name. */
  get(name: string, args: Record<string, string>, context: ToolContext): Given<PromptResult | undefined | null>;
}

/** What a handler returns that prefers to be entered again to being parked (MCP 2026-07-28, basic/patterns/mrtr). */
export interface InputRequired {
  /** Tells it from a result that is complete. */
  resultType: "input_required";
  /** What is asked, by keys: a method and its parameters. */
  inputRequests?: Record<string, { method: string; params?: unknown }>;
  /** Comes back as `context.state`, sealed on its way. */
  requestState?: string;
  /** What the protocol, its extensions or you add for programs. */
  _meta?: JsonObject;
}

/** Completes an argument (MCP, server/utilities/completion). */
export type Complete = (
  ref: { type: "ref/prompt"; name: string } | { type: "ref/resource"; uri: string },
  argument: { name: string; value: string },
  /** The arguments that are known already. */
  known: Record<string, string>,
  context: ToolContext,
) => Given<readonly string[] | { values: readonly string[]; total?: number; hasMore?: boolean }>;

/** Seals a text so that only its maker can open it, bound to a second text. `open` throws for what it did not seal so. */
export interface Sealer {
  /** A text that nobody else can read or alter. */
  seal(text: string, bound: string): Given<string>;
  /** The text that was sealed; throws if it was altered, or bound to something else. */
  open(sealed: string, bound: string): Given<string>;
}

/** What a `Session` fires. */
export interface SessionEvents {
  /** A carrier was lost, or replaced. */
  disconnect: Event;
  /** The next carrier is in use. */
  reconnect: Event;
}

/**
 * One place that a `Server` serves, over one carrier or one after the other: each is a session of its own to
 * whoever is there. Fires `disconnect` when a carrier is lost and `reconnect` when the next one is in use,
 * where carriers are replaced.
 */
export interface Session extends TypedEventTarget<SessionEvents> {
  /** Ends it: what runs for it is aborted. */
  close(): void;
  /** Resolves once the session is closed, from either side, and no further carrier comes. */
  readonly closed: Promise<void>;
  /**
   * Serves another carrier, and lets the present one go once the other one is open and what runs for it has
   * been answered, or `patience` is over: then it is aborted. If that fails, nothing has changed.
   */
  switchTo(carrier: Carrier, options?: ReconnectOptions): Promise<void>;
}
