// A document as the tests see it, whatever drives the browser: Playwright's own `Frame` fits, and `paneOf`
// makes one of any driver that evaluates an expression. Values cross as text, with what JSON lacks.

import type { Frame } from "@playwright/test";
import { setTimeout as sleep } from "node:timers/promises";

export type Pane = Pick<Frame, "evaluate" | "waitForFunction" | "waitForTimeout">;

/** A window that a page has opened. */
export interface Window extends Pane {
  close(): Promise<unknown>;
}

/** A page of its own. */
export interface Tab extends Pane {
  goto(url: string): Promise<unknown>;
  /** A frame that the page gets, before anything in it has loaded. */
  embed(src: string, sandbox?: string): Promise<Pane>;
  /** A window that the page opens, likewise. */
  popup(src: string): Promise<Window>;
  close(): Promise<unknown>;
}

/** A browser that runs. */
export interface Engine {
  /** Opens a page that shares nothing with those before it. */
  open(): Promise<Tab>;
  close(): Promise<unknown>;
}

/** Milliseconds until somebody who waits for a condition is told that it did not come true. */
const PATIENCE = 10_000;

// These two run on both sides, so they name nothing of this module.

const toText = (value: unknown): string =>
  JSON.stringify({ value }, function (this: any, key, plain) {
    const own = this[key];
    if (typeof own === "number" && !(Number.isFinite(own) && !Object.is(own, -0))) return { $number: Object.is(own, -0) ? "-0" : String(own) };
    if (own === undefined || typeof own === "function" || typeof own === "symbol") return { $undefined: true };
    return own instanceof Error ? { name: own.name, message: own.message } : plain;
  });

const fromText = (text: string): any => {
  const back = (value: any): any => {
    if (typeof value !== "object" || value === null) return value;
    if ("$number" in value) return Number(value.$number);
    if ("$undefined" in value) return undefined;
    for (const key of Object.keys(value)) value[key] = back(value[key]);
    return value;
  };
  return back(JSON.parse(text)).value;
};

/** An expression whose promise resolves to the text of what came of the work. */
const expressionOf = (work: unknown, given: unknown): string => `(async () => {
  const toText = ${toText}, fromText = ${fromText};
  try {
    return toText({ came: await (${typeof work === "function" ? `(${work})(fromText(${JSON.stringify(toText(given))}))` : work}) });
  } catch (thrown) {
    return toText({ thrown: String(thrown?.stack || "").includes(thrown?.message) ? thrown.stack : String(thrown) + "\\n" + thrown?.stack });
  }
})()`;

/** Makes a pane of a function that evaluates an expression whose promise resolves to text. */
export function paneOf(run: (expression: string) => Promise<string>): Pane {
  const evaluate = async (work: unknown, given?: unknown) => {
    const outcome = fromText(await run(expressionOf(work, given)));
    if ("thrown" in outcome) throw new Error(`in the page: ${outcome.thrown}`);
    return outcome.came;
  };
  const pane = {
    evaluate,
    async waitForFunction(condition: unknown, given?: unknown) {
      const limit = performance.now() + PATIENCE;
      while (!(await evaluate(condition, given))) {
        if (performance.now() > limit) throw new Error(`did not come true within ${PATIENCE} ms: ${condition}`);
        await sleep(20);
      }
    },
    waitForTimeout: (ms: number) => sleep(ms),
  };
  return pane as unknown as Pane;
}

/** Waits until the document that was asked for is there. */
export async function arrived(pane: Pane): Promise<Pane> {
  const limit = performance.now() + PATIENCE;
  for (;;) {
    // A document that goes while it is asked gives no answer.
    if (await pane.evaluate(() => location.href !== "about:blank" && document.readyState === "complete").catch(() => false)) return pane;
    if (performance.now() > limit) throw new Error(`the document did not load within ${PATIENCE} ms`);
    await sleep(10);
  }
}
