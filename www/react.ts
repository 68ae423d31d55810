// `modelport/react`: tools that live as long as the component that has them. React is the page's own; rendering on a
// server does nothing.

"use client";

import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import type { Schema, TypedTool } from "./infer.js";
import { enter, listenToPage, loading, pageState, use, type Entry, type PageState, type ToolState } from "./shared_page.js";
import type { StandardSchema } from "./standard_schema.js";
import type { JsonSchema, PublishOptions, Tool } from "./types.js";

export type { PageState, ToolState };

const LOADING: PageState & ToolState = { status: "loading" };
const OFF: ToolState = { status: "off" };

/** What is shown is what a call meets: before anybody else sees the new state. Servers have no layout. */
const useCommit = typeof document === "undefined" ? useEffect : useLayoutEffect;

const isValidator = (schema: unknown): schema is StandardSchema => !!schema && (typeof schema === "object" || typeof schema === "function") && "~standard" in schema;

/** What tells a schema from another one: a validator that was made anew is the same if it says the same. */
function plain(schema: Schema | undefined, side: "input" | "output"): unknown {
  if (!isValidator(schema)) return schema;
  try {
    return schema["~standard"].jsonSchema![side]({ target: "draft-2020-12" });
  } catch {
    // Adding it says what is wrong with it.
    return String(schema["~standard"].vendor);
  }
}

type AnyTool = TypedTool<any, any>;

/** All that agents see of a tool. One that has no form in JSON is told so where it is published, not while rendering. */
function keyOf({ execute: _, inputSchema, outputSchema, ...rest }: AnyTool): string {
  try {
    return JSON.stringify([rest, plain(inputSchema, "input"), plain(outputSchema, "output")]);
  } catch {
    return `${rest.name}, which JSON has no form for`;
  }
}

/** A validator that asks the newest one of its kind. */
const following = (schema: StandardSchema, newest: () => unknown): StandardSchema => ({
  "~standard": {
    ...schema["~standard"],
    validate: (value: any) => {
      const now = newest();
      return (isValidator(now) ? now : schema)["~standard"].validate(value);
    },
  },
});

/** The tool as it is registered: it stays, while what it does is always the newest. */
function standing(newest: { current: AnyTool }): Tool {
  const tool = { ...newest.current };
  // A tool that does nothing is refused where it is added.
  if (typeof tool.execute === "function") tool.execute = (args: any, context: any) => newest.current.execute(args, context);
  for (const member of ["inputSchema", "outputSchema"] as const) {
    if (isValidator(tool[member])) tool[member] = following(tool[member], () => newest.current[member]);
  }
  return tool as Tool;
}

/** How `useTool` treats its tool. */
export interface UseToolOptions {
  /** Whether the tool is there at all. Default true. */
  enabled?: boolean;
}

/**
 * Publishes a tool for as long as the component is mounted, and says what became of it. Loads the wasm by itself.
 *
 * The newest `execute` runs, so it may use props and state; the tool is registered anew only when something that
 * agents see of it has changed. Of two components with a tool of the same name the later one has it, until it leaves.
 */
export function useTool<const In extends Schema = JsonSchema, const Out extends Schema = JsonSchema>(tool: TypedTool<In, Out>, options: UseToolOptions = {}): ToolState {
  const { enabled = true } = options;
  const newest = useRef<AnyTool>(tool);
  const [entry] = useState<Entry>(loading);
  const key = keyOf(tool);
  useCommit(() => {
    newest.current = tool;
  });
  useEffect(() => (enabled ? use() : undefined), [enabled]);
  useEffect(() => (enabled ? enter(entry, standing(newest)) : undefined), [enabled, entry, key]);
  return useSyncExternalStore(listenToPage, () => (enabled ? entry.state : OFF), () => (enabled ? LOADING : OFF));
}

/**
 * What there is for all components of the page: whether there is a registry, their tools, the bridge. `options` say
 * how the tools are published; those of the component that came last count.
 */
export function useModelContext(options?: PublishOptions): PageState {
  const key = JSON.stringify(options);
  useEffect(() => use(options), [key]);
  return useSyncExternalStore(listenToPage, pageState, () => LOADING);
}
