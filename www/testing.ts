// `modelport/testing`: what agents see of a page, for tests with Playwright (or Puppeteer): its tools are listed and
// called through the browser's own registry, whoever registered them. An entry of its own, without the wasm.

import { ModelportError } from "./error.js";
import type { CallToolResult, JsonObject, JsonSchema, ToolAnnotations } from "./types.js";

export { ModelportError };

/** What Chromium has to be launched with to have WebMCP: `chromium.launch(launchOptions)`, or `use: { launchOptions }`. */
export const launchOptions = { args: ["--enable-features=WebMCP"] };

/** A page or a frame, of Playwright or of Puppeteer: something that runs a function in a document. */
export interface Evaluates {
  /** Runs a function there; both travel by value. */
  evaluate(run: (given: any) => any, given?: any): Promise<any>;
}

/** A tool as the registry lists it for that document. */
export interface ListedTool {
  /** The name it was registered by. */
  name: string;
  /** Its name, for people. */
  title?: string;
  /** What a model reads. */
  description: string;
  /** What it takes. */
  inputSchema?: JsonSchema;
  /** Hints, as the browser keeps them. */
  annotations?: ToolAnnotations;
  /** The origin of the document that registered it. */
  origin: string;
}

/** Which tools are meant. */
export interface PageToolsOptions {
  /** Other origins whose tools are wanted too, as those of frames (`fromOrigins`). They must have exposed them. */
  origins?: string[];
  /** Milliseconds for which calls and `waitFor` wait. Default 5,000. */
  timeout?: number;
}

/** What a page's tools can be asked. */
export interface PageTools {
  /** The tools there are now. Rejects with `registry-failed` where there is no registry, and says what to launch with. */
  list(): Promise<ListedTool[]>;
  /**
   * Calls a tool as an agent does. Resolves to the MCP result of tools that give one, as Modelport's do: also one with
   * `isError`; else to the value, or text, that came. Rejects with `tool-gone` if there is no such tool, with
   * `tool-error` if it threw and the browser hides why, with `timeout` if no answer came.
   */
  call(name: string, args?: JsonObject, options?: { timeout?: number }): Promise<CallToolResult | unknown>;
  /** Waits until there is a tool of that name, or rejects with `timeout` and the names there are. */
  waitFor(name: string, options?: { timeout?: number }): Promise<ListedTool>;
}

const GONE = "tool-gone";

/** What runs in the page has nothing but its arguments, and cannot throw what keeps its code. */
type Said<T> = { done: T } | { code: string; message: string };

async function listThere(origins: string[] | undefined): Promise<Said<ListedTool[]>> {
  const registry = (document as any).modelContext;
  if (!registry?.getTools) {
    return { code: "registry-failed", message: isSecureContext ? "This page has no registry. Launch Chromium with --enable-features=WebMCP (`launchOptions` of modelport/testing)." : "This page has no registry, as it is not secure: serve it from localhost, or by https." };
  }
  try {
    const tools: any[] = await registry.getTools(origins && { fromOrigins: [location.origin, ...origins] });
    const parsed = (schema: unknown) => (typeof schema === "string" && schema ? JSON.parse(schema) : (schema ?? undefined));
    return { done: tools.map(({ name, title, description, inputSchema, annotations, origin }) => ({ name, title: title || undefined, description, inputSchema: parsed(inputSchema), annotations: annotations ?? undefined, origin })) };
  } catch (error) {
    return { code: "registry-failed", message: String((error as Error)?.message ?? error) };
  }
}

async function callThere({ name, args, origins, timeout, GONE }: { GONE: string; name: string; args: JsonObject; origins: string[] | undefined; timeout: number }): Promise<Said<string | null>> {
  const registry = (document as any).modelContext;
  // Why there are no tools, `list` says.
  const tools: any[] = (await registry?.getTools?.(origins && { fromOrigins: [location.origin, ...origins] }).catch(() => {})) ?? [];
  const tool = tools.find((one) => one.name === name);
  if (!tool) return { code: GONE, message: "" };
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(), timeout);
  try {
    return { done: await registry.executeTool(tool, args, { signal: end.signal }) };
  } catch (error) {
    const { name: kind, message } = error as Error;
    return end.signal.aborted ? { code: "timeout", message: `${name} did not answer within ${timeout} ms.` } : { code: "tool-error", message: `${name}: ${kind}: ${message}` };
  } finally {
    clearTimeout(timer);
  }
}

/** The value behind the text that the browser makes of every result. */
function valueOf(text: string | null): unknown {
  if (text === null || text === "undefined") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * The tools that agents see in a page or a frame. Nothing of Modelport need be in it.
 *
 * ```ts
 * const tools = pageTools(page);
 * await tools.waitFor("hold_seat");
 * expect(await tools.call("hold_seat", { seat: "C4" })).toMatchObject({ structuredContent: { held: ["C4"] } });
 * ```
 */
export function pageTools(page: Evaluates, { origins, timeout: patience = 5_000 }: PageToolsOptions = {}): PageTools {
  const said = <T>(answer: Said<T>): T => {
    if ("code" in answer) throw new ModelportError(answer.code, answer.message);
    return answer.done;
  };
  const list = async (): Promise<ListedTool[]> => said(await page.evaluate(listThere, origins));
  const names = (tools: ListedTool[]) => tools.map(({ name }) => name).join(", ") || "none";
  return {
    list,
    async call(name, args = {}, { timeout = patience } = {}) {
      const answer: Said<string | null> = await page.evaluate(callThere, { name, args, origins, timeout, GONE });
      if ("code" in answer && answer.code === GONE) throw new ModelportError(GONE, `There is no tool ${name}. There are: ${names(await list())}.`);
      return valueOf(said(answer));
    },
    async waitFor(name, { timeout = patience } = {}) {
      const until = Date.now() + timeout;
      for (;;) {
        const tools = await list();
        const tool = tools.find((one) => one.name === name);
        if (tool) return tool;
        if (Date.now() >= until) throw new ModelportError("timeout", `No tool ${name} within ${timeout} ms. There are: ${names(tools)}.`);
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    },
  };
}
