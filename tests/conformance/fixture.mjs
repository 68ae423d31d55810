// The server the official suite expects, written with the public API; the same in a page and in Node.

import { Server, Tasks, ToolManager } from "../../dist/index.js";
import { inputPrompts, inputTools } from "./fixture_input.mjs";
import { taskTools } from "./fixture_tasks.mjs";
import { embedded, plainTools, png, text } from "./fixture_tools.mjs";

const resources = [
  {
    uri: "test://static-text",
    name: "Static text",
    description: "A text that does not change.",
    mimeType: "text/plain",
    read: () => "This is the content of the static text resource.",
  },
  {
    uri: "test://static-binary",
    name: "Static binary",
    description: "An image of one pixel.",
    mimeType: "image/png",
    read: () => Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0)),
  },
  {
    uri: "test://watched-resource",
    name: "Watched resource",
    description: "A text that may be subscribed to.",
    mimeType: "text/plain",
    read: () => "Watched resource content",
  },
  {
    uriTemplate: "test://template/{id}/data",
    name: "Template",
    description: "Data by its id.",
    mimeType: "application/json",
    read: (uri, _, { id }) => [{ uri, mimeType: "application/json", text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) }],
  },
];

const user = (content) => ({ role: "user", content });

const prompts = [
  { name: "test_simple_prompt", description: "No arguments, one message.", get: () => "This is a simple prompt for testing." },
  {
    name: "test_prompt_with_arguments",
    description: "Repeats its arguments.",
    arguments: [
      { name: "arg1", description: "First test argument", required: true },
      { name: "arg2", description: "Second test argument", required: true },
    ],
    get: ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
  },
  {
    name: "test_prompt_with_embedded_resource",
    description: "Embeds a resource.",
    arguments: [{ name: "resourceUri", description: "URI of the resource to embed", required: true }],
    get: ({ resourceUri }) => [user(embedded(resourceUri, "text/plain", "Embedded resource content for testing.")), user(text("Please process the embedded resource above."))],
  },
  {
    name: "test_prompt_with_image",
    description: "Shows an image.",
    get: () => [user({ type: "image", data: png, mimeType: "image/png" }), user(text("Please analyze the image above."))],
  },
];

const words = ["paris", "park", "party", "test", "testimony"];

/** Tools that change what the server has. */
const changingTools = (tools, changePrompts) => [
  {
    name: "test_trigger_tool_change",
    description: "Replaces a tool.",
    execute() {
      tools.add(tools.get("test_simple_text"));
      return "The list of tools has changed.";
    },
  },
  {
    name: "test_trigger_prompt_change",
    description: "Adds a prompt, or takes it away again.",
    execute() {
      changePrompts();
      return "The list of prompts has changed.";
    },
  },
];

/** A new server with all of it, and the way to end it with the tasks it keeps. */
export function createFixture() {
  const tasks = new Tasks({ pollInterval: 200 });
  const tools = new ToolManager([...plainTools, ...inputTools, ...taskTools(tasks)]);
  const offered = [...prompts, ...inputPrompts];
  const server = new Server({
    tools,
    tasks,
    resources,
    prompts: offered,
    logging: true,
    name: "modelport-conformance",
    complete: (_, { value }) => words.filter((word) => word.startsWith(value)),
  });
  const extra = { name: "test_dynamic_prompt", description: "Comes and goes.", get: () => "Here for now." };
  const changePrompts = () => {
    const place = offered.indexOf(extra);
    if (place < 0) offered.push(extra);
    else offered.splice(place, 1);
    server.promptsChanged();
  };
  for (const tool of changingTools(tools, changePrompts)) tools.add(tool);
  const close = async () => {
    await server.close();
    tasks.clear();
  };
  return { server, close };
}
