// A call of a tool with ten properties over one of the pairs. A pair that says that it checks arguments must refuse a
// wrong one before it is measured; one that says that it does not must let it pass.

import { makePair } from "../pairs/pair.js";
import { insist, payloadOf } from "../payloads.js";
import { pairTools } from "../tools.js";

export async function open({ pair, checks, ...options }) {
  const [tool] = pairTools(1);
  const { call, close } = await makePair({ pair, ...options, tools: [tool] });
  const rest = payloadOf("ten-properties");
  const refused = await call(tool.name, { ...rest, limit: "many" }).then(({ isError }) => isError === true, () => true);
  if (refused !== checks) throw new Error(`${pair} ${refused ? "refuses" : "lets pass"} a wrong argument`);
  return {
    call: (value) => call(tool.name, { ...rest, query: value }),
    check: (answer, payload) => insist(answer.content[0].text, `0: ${payload}`, pair),
    close,
  };
}
