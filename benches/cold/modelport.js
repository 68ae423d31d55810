// One tool published to the browser's registry by Modelport, with the wasm beside the script.

import { ToolManager, createModelContext, ready } from "modelport";

await ready();
const tools = new ToolManager([{ name: "ping", description: "Answers", inputSchema: { type: "object", properties: {} }, execute: () => "pong" }]);
const { registered } = await createModelContext().publish(tools);
if (registered[0] !== "ping") throw new Error("the tool was not registered");
toolIsThere();
answered(await callThroughRegistry());
