// The suite's tools and the prompt that need input from a stateless client. Some are parked while they ask
// (`context.elicit` and its like), others return what they ask for and are entered again: both ways are tested.

import { object, text } from "./fixture_tools.mjs";

const field = (name, type = "string") => object({ [name]: { type } });
const form = (message, requestedSchema) => ({ message, requestedSchema });
const question = (words, maxTokens) => ({ messages: [{ role: "user", content: text(words) }], maxTokens });

/** What is returned to be entered again with the answer. */
const again = (key, params, requestState) => ({ resultType: "input_required", inputRequests: { [key]: { method: "elicitation/create", params } }, ...(requestState && { requestState }) });

const yourName = form("What is your name?", field("name"));

const parked = [
  {
    name: "test_input_required_result_elicitation",
    description: "Asks for a name.",
    async execute(_, { elicit }) {
      const { content } = await elicit(yourName, { key: "user_name" });
      return `Hello, ${content?.name}!`;
    },
  },
  {
    name: "test_input_required_result_sampling",
    description: "Asks the client's model.",
    async execute(_, { sample }) {
      const { content } = await sample(question("What is the capital of France?", 100), { key: "capital_question" });
      return content.text;
    },
  },
  {
    name: "test_input_required_result_list_roots",
    description: "Asks for the client's roots.",
    async execute(_, context) {
      const { roots } = await context.roots({ key: "client_roots" });
      return roots.map(({ uri }) => uri).join("\n");
    },
  },
  {
    name: "test_input_required_result_multiple_inputs",
    description: "Asks for three things at once.",
    async execute(_, { elicit, sample, roots }) {
      const [person, model, folders] = await Promise.all([
        elicit(yourName, { key: "user_name" }),
        sample(question("Generate a greeting", 50), { key: "greeting" }),
        roots({ key: "client_roots" }),
      ]);
      return `${model.content.text} ${person.content?.name}, ${folders.roots.length} roots`;
    },
  },
  {
    name: "test_input_required_result_capabilities",
    description: "Asks in a way the client can answer.",
    async execute(_, { capabilities, elicit, sample }) {
      if (capabilities?.elicitation) return `Hello, ${(await elicit(yourName, { key: "user_name" })).content?.name}!`;
      return (await sample(question("Generate a greeting", 50), { key: "greeting" })).content.text;
    },
  },
  {
    name: "test_missing_capability",
    description: "Needs a client with a model.",
    execute: async (_, { sample }) => (await sample(question("Are you there?", 10))).content.text,
  },
  {
    name: "test_streaming_elicitation",
    description: "Reports and asks.",
    async execute(_, { progress, elicit }) {
      progress({ progress: 1, total: 2 });
      const { action } = await elicit(yourName);
      return action;
    },
  },
];

const entered = [
  {
    name: "test_input_required_result_request_state",
    description: "Asks, and remembers by a state.",
    execute: (_, { inputs, state }) => (inputs?.confirm && state === "asked" ? "state-ok" : again("confirm", form("Please confirm", field("ok", "boolean")), "asked")),
  },
  {
    name: "test_input_required_result_tampered_state",
    description: "Asks, with a state nobody else can make.",
    execute: (_, { inputs, state }) => (inputs?.confirm && state === "untouched" ? "state-ok" : again("confirm", form("Please confirm", field("ok", "boolean")), "untouched")),
  },
  {
    name: "test_input_required_result_multi_round",
    description: "Asks twice, and keeps the first answer in its state.",
    execute(_, { inputs, state }) {
      const { name } = JSON.parse(state ?? "{}");
      if (name && inputs?.step2) return `${name} likes ${inputs.step2.content?.color}`;
      if (inputs?.step1) return again("step2", form("Step 2: What is your favorite color?", field("color")), JSON.stringify(inputs.step1.content));
      return again("step1", form("Step 1: What is your name?", field("name")), "{}");
    },
  },
];

export const inputTools = [...parked, ...entered];

export const inputPrompts = [
  {
    name: "test_input_required_result_prompt",
    description: "Asks for its context.",
    get: (_, { inputs }) => (inputs?.user_context ? `Use this: ${inputs.user_context.content?.context}` : again("user_context", form("What context should the prompt use?", field("context")))),
  },
];
