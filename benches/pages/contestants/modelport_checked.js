// Modelport: page client, page server, a tool with ten properties, whose arguments are checked or not.

import { insist, payloadOf } from "../payloads.js";
import { tools as catalogue } from "../tools.js";

export async function open({ dist, check }) {
  const { ToolManager, createPageServer, ready } = await import(`${dist}index.js`);
  await ready();
  const [tool] = catalogue(1);
  const tools = new ToolManager([{ ...tool, execute: ({ query }) => query }], { check });
  const { client, stop } = createPageServer({ tools });
  await client.connect();
  const { isError = false } = await client.callTool(tool.name, { query: 5 });
  if (isError !== (check === "on")) throw new Error(`checks are not ${check}`);
  const rest = payloadOf("ten-properties");
  return {
    call: (value) => client.callTool(tool.name, { ...rest, query: value }),
    check: (answer, payload) => insist(answer.content[0].text, payload, `Modelport (check ${check})`),
    close: stop,
  };
}
