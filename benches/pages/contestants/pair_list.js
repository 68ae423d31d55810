// `tools/list` of one of the pairs: what a client gets who asks for it anew.

import { makePair } from "../pairs/pair.js";
import { insistOnTools, pairTools } from "../tools.js";

export async function open({ pair, count, ...options }) {
  const { list, close, about } = await makePair({ pair, ...options, tools: pairTools(count) });
  return { about, list, check: (answer) => insistOnTools(answer, count), close };
}
