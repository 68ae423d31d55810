// What a client is made of, and what it gives back.

import type { Limits } from "./limits.js";
import type { ElicitParams, ElicitResult, JsonObject, ProtocolVersion, Root, SampleParams, SampleResult } from "./types.js";

type Given<T> = T | Promise<T>;

/** What a handler of the server's questions is told besides. */
export interface AskedContext {
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal;
}

/** How a client introduces itself, what it can be asked, and what it puts up with. */
export interface ClientOptions {
  /** How the client introduces itself. Default `"modelport"`. */
  name?: string;
  /** Default: the version of Modelport. */
  version?: string;
  /**
   * Which protocol era to speak. `"auto"` (default) asks for `2026-07-28` first and falls back to the handshake;
   * a revision pins it.
   */
  protocol?: "auto" | ProtocolVersion;
  /** Milliseconds a request may take. Default 60,000; 0 waits for ever. */
  timeout?: number;
  /** Asks a person on behalf of the server; declares `elicitation` for forms (MCP, client/elicitation). */
  elicit?: (params: ElicitParams, context: AskedContext) => Given<ElicitResult>;
  /** Asks a model on behalf of the server; declares `sampling` (MCP, client/sampling). */
  sample?: (params: SampleParams, context: AskedContext) => Given<SampleResult>;
  /** The roots, or what gives them; declares `roots` (MCP, client/roots). */
  roots?: Root[] | ((context: AskedContext) => Given<Root[]>);
  /** Knows tasks: calls that become one are followed to their end. Declares the extension `io.modelcontextprotocol/tasks`. */
  tasks?: boolean;
  /** Whether results are checked against the output schemas that `tools()` has read. Default true. */
  checkResults?: boolean;
  /** Further capabilities to declare, such as `{ elicitation: { form: {}, url: {} } }`; they replace those of the same name. */
  capabilities?: JsonObject;
  /** How much a server may send or ask at once. */
  limits?: Limits;
}

/** What to hear of (MCP 2026-07-28, basic/patterns/subscriptions). */
export interface ListenFilter {
  /** Tools came, went or changed. */
  toolsListChanged?: boolean;
  /** Prompts came, went or changed. */
  promptsListChanged?: boolean;
  /** Resources came, went or changed. */
  resourcesListChanged?: boolean;
  /** The URIs of resources. */
  resourceSubscriptions?: string[];
  /** Tasks, by their ids. */
  taskIds?: string[];
}

/** How long is listened, and how much may wait. */
export interface ListenOptions {
  /** Ends the subscription; whoever reads it is told the signal's reason. */
  signal?: AbortSignal;
  /** Notices kept for a reader that is slow; one more ends the subscription with `overflow`. Default 64. */
  capacity?: number;
}

/** A notice of a subscription. */
export interface Notice {
  /** The method, such as `notifications/resources/updated`. */
  method: string;
  /** Its parameters, as they came. */
  params: JsonObject;
}
