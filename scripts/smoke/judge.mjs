// What every page of the smoke test has to do, wherever its tool comes from.

import { isDeepStrictEqual } from "node:util";
import { call } from "./sources.mjs";

/** Calls the one tool of a page that open() opened; what is wrong with it, and all the noise it made. */
export async function judge({ page, noise, tools, call: ask }) {
  const wrong = [];
  const { structuredContent, isError } = await ask(call.name, call.args);
  if (isError || !isDeepStrictEqual(structuredContent, call.answer)) wrong.push(`the call was answered ${JSON.stringify(structuredContent)}`);
  const names = await tools();
  if (names.join() !== call.name) wrong.push(`the registry has ${names.join()}`);
  // Rejections that nobody catches are told in a task of their own.
  await page.waitForTimeout(100);
  return [...wrong, ...noise];
}
