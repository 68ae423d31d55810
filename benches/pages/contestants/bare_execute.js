// The browser's own `executeTool` on a tool somebody registered, and its answer, which is a string.

import { insist } from "../payloads.js";
import { registerEcho } from "../registered_echo.js";

export async function open() {
  const context = document.modelContext;
  await registerEcho(context);
  const tool = (await context.getTools()).find((each) => each.name === "echo");
  return {
    call: (value) => context.executeTool(tool, { value }),
    check: (answer, payload) => insist(answer, payload, "executeTool"),
  };
}
