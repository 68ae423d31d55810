// The one `ToolManager` and the one bridge that all components of a page share, whatever framework they are of: there
// as long as somebody uses them. Of two components with a tool of the same name the later one has it, and the earlier
// one has it back once that is gone.

import { createModelContext, ModelContext, ready, ToolManager } from "./index.js";
import type { Availability } from "./model_context.js";
import type { PublishOptions, PublishReport, Tool } from "./types.js";

/** What became of one component's tool. */
export interface ToolState {
  /**
   * - `"loading"`: not in the registry yet;
   * - `"published"`: agents can call it;
   * - `"replaced"`: a component that came later has a tool of this name;
   * - `"skipped"` and `"blocked"`: the registry does not take it, or somebody else has its name; see `code` and `reason`;
   * - `"unavailable"`: this document has no registry; `useModelContext` says why;
   * - `"off"`: it is not wanted;
   * - `"failed"`: see `error`.
   */
  readonly status: "off" | "loading" | "published" | "replaced" | "skipped" | "blocked" | "unavailable" | "failed";
  /** With `skipped`: one of the codes listed in the README. */
  readonly code?: string;
  /** With `skipped` and `blocked`: why, in a sentence. */
  readonly reason?: string;
  /** With `failed`: what went wrong, mostly a `ModelportError`. */
  readonly error?: unknown;
}

/** What there is for all components. */
export interface PageState {
  /** `"ready"`, or what stands in the way (see `ModelContext.probe`); `"loading"` at first, `"failed"` with `error`. */
  readonly status: "loading" | "failed" | Availability;
  /** The same in a sentence. */
  readonly message?: string;
  /** Where the documentation says what to do; see `ModelContext.probe`. */
  readonly help?: string;
  /** The tools of all components, for a server or for calls within the page. */
  readonly tools?: ToolManager;
  /** The bridge, for adopting and for its events; only with `"ready"`. */
  readonly context?: ModelContext;
  /** With `failed`: what went wrong. */
  readonly error?: unknown;
}

/** One component's tool, or a place for one. */
export interface Entry {
  tool: Tool | undefined;
  /** When the component came, by a number that counts up; 0 before it did. */
  order: number;
  state: ToolState;
  error: unknown;
}

const LOADING = { status: "loading" } as const;
/** Those that have the same name, in the order they came; the last one has it. */
const entries = new Map<string, Entry[]>();
const listeners = new Set<() => void>();
const wishes = new Set<{ options: PublishOptions }>();
let arrivals = 0;
let users = 0;
let page: PageState = LOADING;
/** Which page is meant by what has been waited for. */
let edition = 0;

export const loading = (): Entry => ({ tool: undefined, order: 0, state: LOADING, error: undefined });
export const pageState = (): PageState => page;

/** Hears of every change of any state. */
export const listenToPage = (hear: () => void): (() => void) => {
  listeners.add(hear);
  return () => void listeners.delete(hear);
};

const lists = ({ registered, unchanged, skipped, blocked }: PublishReport) => ({
  there: new Set([...registered, ...unchanged]),
  out: new Map<string, ToolState>([...skipped.map(({ name, code, reason }) => [name, { status: "skipped", code, reason }] as const), ...blocked.map(({ name, reason }) => [name, { status: "blocked", reason }] as const)]),
});

/** Looks anew at what became of every tool, and tells those who show it. */
function look(): void {
  const report = page.context?.status as PublishReport | undefined;
  const { there, out } = report ? lists(report) : { there: undefined, out: undefined };
  for (const [name, list] of entries) {
    for (const entry of list) {
      const state: ToolState = entry.error !== undefined ? { status: "failed", error: entry.error }
        : entry !== list.at(-1) ? { status: "replaced" }
        : page.status === "failed" ? { status: "failed", error: page.error }
        : out?.get(name) ?? { status: there?.has(name) ? "published" : page.status === "loading" || page.context ? "loading" : "unavailable" };
      const { status, reason, error } = entry.state;
      if (status !== state.status || reason !== state.reason || error !== state.error) entry.state = state;
    }
  }
  for (const hear of [...listeners]) hear();
}

/** Gives the name to whom it belongs now. */
function show(name: string): void {
  const list = entries.get(name);
  const entry = list?.at(-1);
  if (!list?.length) entries.delete(name);
  if (!page.tools) return;
  if (!entry) return void page.tools.remove(name);
  try {
    page.tools.add(entry.tool!);
    entry.error = undefined;
  } catch (error) {
    entry.error = error;
    page.tools.remove(name);
  }
}

/** Enters a tool, and replaces it by another one of the same entry; gives the way to take it back. */
export function enter(entry: Entry, tool: Tool): () => void {
  const { name } = tool;
  entry.tool = tool;
  // Whoever changes its tool keeps its place.
  entry.order ||= ++arrivals;
  entries.set(name, [...(entries.get(name) ?? []), entry].sort((one, other) => one.order - other.order));
  show(name);
  look();
  return () => {
    entries.set(name, (entries.get(name) ?? []).filter((one) => one !== entry));
    show(name);
    look();
  };
}

async function begin(): Promise<void> {
  const mine = ++edition;
  const isOver = () => mine !== edition;
  try {
    await ready();
    const { status, message, help } = await ModelContext.probe();
    if (isOver()) return;
    const tools = new ToolManager();
    const context = status === "ready" ? createModelContext() : undefined;
    page = { status, message, help, tools, ...(context && { context }) };
    for (const name of [...entries.keys()]) show(name);
    context?.addEventListener("report", look);
    look();
    await publish();
  } catch (error) {
    if (!isOver()) fail(error);
  }
}

function fail(error: unknown): void {
  page = { ...page, status: "failed", error };
  look();
}

/** Publishes what there is, as whoever came last wants it. */
async function publish(): Promise<void> {
  const { context, tools } = page;
  if (!context || !tools) return;
  await context.publish(tools, [...wishes].at(-1)?.options);
  // What was wrong with the options of somebody else is over.
  if (page.context === context && page.status === "failed") page = { status: "ready", tools, context };
  look();
}

function end(): void {
  edition++;
  page.context?.destroy();
  page = LOADING;
}

/** Keeps the page's tools published until what it returns is called. */
export function use(options?: PublishOptions): () => void {
  const wish = options && { options };
  if (wish) wishes.add(wish);
  if (users++ === 0 && page === LOADING) void begin();
  else if (wish) publish().catch(fail);
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    if (wish) wishes.delete(wish);
    users--;
    // Frameworks take apart what they put up again at once: only who stays away is gone.
    setTimeout(() => {
      if (users === 0) return page !== LOADING && end();
      // What this one wanted of all tools goes with it.
      if (wish) publish().catch(fail);
    }, 0);
  };
}
