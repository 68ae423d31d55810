// `createModelContext` and `ModelContext`: the bridge to the browser's own registry of tools.

import { ModelportError } from "./error.js";
import type { TypedListener } from "./events.js";
import { core } from "./load.js";
import { markForeign } from "./schema/index.js";
import { handleOf, ToolManager } from "./tool_manager.js";
import type { ModelContextHandle } from "./generated/modelport.js";
import type { AdoptedTool, AdoptOptions, PublishOptions, PublishReport } from "./types.js";

/** `toolactivated` or `toolcancel`, as the browser names them. */
export class ToolEvent extends Event {
  /** The tool's name in the registry. */
  readonly toolName: string;
  /** The number of the call, if the tool is one this bridge published; the same in both events. */
  readonly callId: number | undefined;

  /** Fired by the bridge itself. */
  constructor(type: string, toolName: string, callId?: number) {
    super(type);
    this.toolName = toolName;
    this.callId = callId;
  }
}

/** The registry changed: names of tools, of whatever owner, since the last such event. */
export class ToolchangeEvent extends Event {
  /** Names that were not there before. */
  readonly added: readonly string[];
  /** Names that are there no more. */
  readonly removed: readonly string[];
  /** Tools whose description, schema, title or hints are not what they were. */
  readonly changed: readonly string[];

  /** Fired by the bridge itself. */
  constructor({ added = [], removed = [], changed = [] }: { added?: string[]; removed?: string[]; changed?: string[] } = {}) {
    super("toolchange");
    this.added = added;
    this.removed = removed;
    this.changed = changed;
  }
}

/** A change of the followed manager altered what is registered; `report` is the difference. */
export class ReportEvent extends Event {
  /** What became of the tools this change touched. */
  readonly report: PublishReport;

  /** Fired by the bridge itself. */
  constructor(report: PublishReport) {
    super("report");
    this.report = report;
  }
}

/** What a `ModelContext` fires. */
export interface ModelContextEvents {
  /** The registry changed. */
  toolchange: ToolchangeEvent;
  /** A tool of this document was called. */
  toolactivated: ToolEvent;
  /** Such a call was given up. */
  toolcancel: ToolEvent;
  /** A change of the followed manager altered what is registered. */
  report: ReportEvent;
}

/** Whether a document has a registry that can be used, or what stands in its way: see `ModelContext.probe`. */
export type Availability = "ready" | "absent" | "insecure" | "blocked-by-policy" | "not-origin-keyed" | "inactive";

/** Bridges that were not destroyed: what they published must stay callable. */
const open = new Set<ModelContext>();
const made = new WeakMap<ModelContext, ModelContextHandle>();

/**
 * The bridge of a document, or `undefined` if the document has no registry (no WebMCP, a worker, a
 * document without a window). `ModelContext.probe()` says why, and what to do.
 */
export function createModelContext(options: { document?: Document } = {}): ModelContext | undefined {
  let bridge: WeakRef<ModelContext> | undefined;
  const hear = (word: string, detail: unknown) => bridge?.deref()?.hear(word, detail);
  const handle = core().modelContextOf(options.document, hear);
  if (!handle) return undefined;
  const context = new ModelContext(handle);
  bridge = new WeakRef(context);
  return context;
}

/** What a callback of two parameters is called with. */
const outcome = (start: (done: (error: any, value: any) => void) => void) =>
  new Promise<[error: any, value: any]>((resolve) => start((error, value) => resolve([error, value])));

/** Publishes and adopts tools. Fires `toolchange`, `toolactivated`, `toolcancel` and `report`. */
export class ModelContext extends EventTarget {
  /** Use `createModelContext`. @internal */
  constructor(handle: object) {
    super();
    made.set(this, handle as ModelContextHandle);
    open.add(this);
  }

  /**
   * Whether a document's registry can be used, a sentence a developer can act on, and where the documentation says
   * what to do. `help` is a page and its section, such as `registry.html#absent`, relative to wherever the
   * documentation is: the package cannot know, and names no server. `npm start` has it at `/docs/`.
   */
  static async probe(document?: Document): Promise<{ status: Availability; message: string; help: string }> {
    const [status, message] = await core().probeModelContext(document);
    return { status, message, help: `registry.html#${status}` };
  }

  /**
   * Registers a manager's tools as they are now and follows every later change of it; a manager
   * published before is followed no longer. Resolves to what became of each tool: one that cannot
   * be registered never stops the others. Rejects with `origin-refused` for an origin that is not
   * secure, and with `strict` when any tool is left out, the report being the error's `data`.
   */
  async publish(tools: ToolManager, options: PublishOptions = {}): Promise<PublishReport> {
    const { origins, strict = false, names = "exact", results = "envelope", descriptions = "require" } = options;
    const handle = this.#use();
    const [error, report] = await outcome((done) =>
      handle.publish(handleOf(tools), origins, names === "map", strict, results === "raw", descriptions === "fallback", done),
    );
    if (error) throw new ModelportError(error.code, error.message, { data: report });
    return report;
  }

  /**
   * The tools the registry lists for this document, as ordinary tools: its own, those of frames of
   * the same origin, and those of other origins that are named. `execute` resolves to the value, or
   * rejects with `tool-error` and the tool's own words where its owner lets them through.
   *
   * With `live` a `ToolManager` that follows the registry: tools come, change and go with their
   * owners, under names that stay. This bridge's own tools stay out of it. `destroy()` empties it.
   */
  adopt(options: AdoptOptions & { live: true }): Promise<ToolManager>;
  adopt(options?: AdoptOptions): Promise<AdoptedTool[]>;
  async adopt(options: AdoptOptions = {}): Promise<AdoptedTool[] | ToolManager> {
    const { origins, only = false, debugging = false, own = true, frames = "all", live = false } = options;
    const handle = this.#use();
    const tools = new ToolManager();
    const [error, adopted] = await outcome((done) => {
      if (live) handle.adoptLive(handleOf(tools), origins, only, debugging, frames === "none", done);
      else handle.adopt(origins, only, debugging, !own, frames === "none", done);
    });
    if (error) throw error;
    return live ? tools : adopted.map(markForeign);
  }

  /** Everything registered now, everything left out, and why. */
  get status(): PublishReport {
    return made.get(this)?.status;
  }

  /** Releases exactly what this bridge registered. Afterwards it can only be asked for its status. */
  destroy(): void {
    made.get(this)?.destroy();
    open.delete(this);
  }

  [Symbol.dispose](): void {
    this.destroy();
  }

  /**
   * Somebody who listens for `toolchange` is told what changed, which takes a listing of the
   * registry after each burst of changes; without such a listener there is none. Calls too are
   * listened for only once somebody wants to hear of them.
   */
  override addEventListener<Name extends keyof ModelContextEvents>(type: Name, listener: ((event: ModelContextEvents[Name]) => void) | null, options?: boolean | AddEventListenerOptions): void;
  override addEventListener(type: string, listener: EventListenerOrEventListenerObject | null, options?: boolean | AddEventListenerOptions): void;
  override addEventListener(type: string, listener: any, options?: boolean | AddEventListenerOptions): void {
    const isOfCalls = /^tool(activated|cancel)$/.test(type);
    if (listener && (isOfCalls || type === "toolchange")) made.get(this)?.watch(isOfCalls);
    super.addEventListener(type, listener, options);
  }

  /** Hears of such events no more. */
  declare removeEventListener: TypedListener<ModelContextEvents>;

  /** Takes news from the wasm side. @internal */
  hear(word: string, detail: any): void {
    if (word === "report") this.dispatchEvent(new ReportEvent(detail));
    else if (word === "toolchange") this.dispatchEvent(new ToolchangeEvent(detail));
    else this.dispatchEvent(new ToolEvent(word, detail[0], detail[1]));
  }

  #use(): ModelContextHandle {
    const handle = made.get(this);
    if (!handle || handle.destroyed) throw new ModelportError("closed", "The bridge was destroyed.");
    return handle;
  }
}
