// The same tool adopted by Modelport and called as a tool of the page.

import { insist } from "../payloads.js";
import { registerEcho } from "../registered_echo.js";

const textOf = (answer) => (typeof answer === "string" ? answer : answer?.content?.[0]?.text);

export async function open({ dist }) {
  const { createModelContext, ready } = await import(`${dist}index.js`);
  await ready();
  await registerEcho(document.modelContext);
  const bridge = createModelContext();
  if (!bridge) throw new Error("createModelContext() found no registry; is native WebMCP on?");
  const tool = (await bridge.adopt()).find((each) => each.name === "echo");
  const signal = new AbortController().signal;
  const context = { signal, progress() {} };
  return {
    call: (value) => tool.execute({ value }, context),
    check: (answer, payload) => insist(textOf(answer), payload, "the adopted tool"),
    close: () => bridge.destroy(),
  };
}
