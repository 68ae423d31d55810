// What the bridge's tests use inside each document, as `br`: the browser's registry by hand, beside
// the library, and a list of what is to be undone before the next test.

import type * as Library from "../../dist/index.js";
import type { ModelContext, Tool } from "../../dist/index.js";

declare const lib: typeof Library;

/** What a setting adds to publish, adopt and the registry's own methods. */
export const setting: { publish: { origins?: string[] }; adopt: { origins?: string[] }; read: { fromOrigins?: string[] } } = { publish: {}, adopt: {}, read: {} };

/** Whatever a test hands from one evaluation to the next. */
export let keep: Record<string, any> = {};

const undo: (() => void)[] = [];
export const later = (work: () => void): void => void undo.push(work);

/** Takes back everything a test did here. */
export async function reset(): Promise<void> {
  while (undo.length > 0) undo.pop()?.();
  keep = {};
}

export const registry = (): any => document.modelContext;

export const tool = (name: string, execute: Tool["execute"] = () => name, more: object = {}): Tool => ({ name, description: `describes ${name}`, execute, ...more });

export const manager = (...names: string[]) => new lib.ToolManager(names.map((name) => tool(name)));

/** A bridge that ends with the test. */
export function bridge(): ModelContext {
  const made = lib.createModelContext();
  if (!made) throw new Error("this document has no registry");
  later(() => made.destroy());
  return made;
}

/** Registers a tool as the page itself would, exposed as the setting asks. */
export function foreign(name: string, execute: (input: any, options: any) => unknown = () => name, more: object = {}) {
  const controller = new AbortController();
  later(() => controller.abort());
  const { origins } = setting.publish;
  const options = { signal: controller.signal, ...(origins && { exposedTo: origins }) };
  const done = Promise.resolve(registry().registerTool({ name, description: `foreign ${name}`, execute, ...more }, options));
  done.catch(() => {});
  return { done, release: () => controller.abort() };
}

/** The browser's own listing. */
export const records = async (): Promise<any[]> => registry().getTools(setting.read);
export const listed = async (): Promise<string[]> => (await records()).map(({ name }) => name).sort();

export async function record(name: string): Promise<any> {
  return eventually(async () => (await records()).find((other) => other.name === name), `tool ${name}`);
}

/** Calls a tool as another script of this document would. */
export const callRaw = async (name: string, input: object = {}, options: object = {}): Promise<any> => registry().executeTool(await record(name), input, options);

/** The adopted tool of this name, from a bridge made for it. */
export async function adopted(name: string, options: object = {}, from = bridge()) {
  return eventually(async () => (await from.adopt({ ...setting.adopt, ...options })).find((other) => other.name === name), `adopted tool ${name}`);
}

export const context = (signal?: AbortSignal): any => ({ signal: signal ?? new AbortController().signal, progress() {} });

/** Resolves once the condition holds. */
export async function eventually<T>(condition: () => T | Promise<T>, what = "the condition", patience = 5_000): Promise<NonNullable<T>> {
  const limit = performance.now() + patience;
  for (;;) {
    const value = await condition();
    if (value) return value as NonNullable<T>;
    if (performance.now() > limit) throw new Error(`${what} did not come true within ${patience} ms; listed: ${await listed()}`);
    await task(2);
  }
}

export const task = (ms = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Lets everything that is under way arrive: for tests that something does not happen. */
export async function quiet(ms = 40): Promise<void> {
  await records();
  await task(ms);
  await records();
  await task();
}

/** Counts the browser's own toolchange events in this document. */
export async function watch(): Promise<{ count: number }> {
  await records();
  const log = { count: 0 };
  const hear = () => void (log.count += 1);
  registry().addEventListener("toolchange", hear);
  later(() => registry().removeEventListener("toolchange", hear));
  return log;
}

/** Puts something in the way of one of the registry's methods. */
export function wrap(method: string, around: (call: (...args: any[]) => any, args: any[]) => any): void {
  const target = registry();
  const own = Object.getOwnPropertyDescriptor(target, method);
  const original = target[method];
  const call = (...args: any[]) => original.apply(target, args);
  Object.defineProperty(target, method, { configurable: true, writable: true, value: (...args: any[]) => around(call, args) });
  later(() => (own ? Object.defineProperty(target, method, own) : delete target[method]));
}

/** Every call of one of the registry's methods from now on, by its arguments. */
export function spy(method: string): any[][] {
  const calls: any[][] = [];
  wrap(method, (call, args) => (calls.push(args), call(...args)));
  return calls;
}

/** Holds registrations back until `open()`; `held` counts them. */
export function gate() {
  const gate = { held: 0, open: () => {} };
  const opened = new Promise<void>((resolve) => (gate.open = resolve));
  wrap("registerTool", async (call, args) => {
    gate.held += 1;
    await opened;
    return call(...args);
  });
  return gate;
}

/** What an event carries, as data. */
export const plain = (event: any) => ({ type: event.type, toolName: event.toolName, callId: event.callId, added: event.added, removed: event.removed, changed: event.changed });

/** Records a bridge's events. */
export function hear(bridge: EventTarget, ...types: string[]): any[] {
  const events: any[] = [];
  for (const type of types) bridge.addEventListener(type, (event) => events.push(plain(event)));
  return events;
}
