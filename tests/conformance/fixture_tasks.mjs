// The suite's tools for the tasks extension.

import { ModelportError } from "../../dist/index.js";
import { object } from "./fixture_tools.mjs";

const EXTENSION = "io.modelcontextprotocol/tasks";

const form = (message, name, type) => ({ message, requestedSchema: object({ [name]: { type } }) });

/** Ends early when the task is cancelled. */
const sleep = (milliseconds, signal) =>
  new Promise((resolve, reject) => {
    const stop = () => (clearTimeout(timer), reject(signal.reason));
    const timer = setTimeout(() => (signal.removeEventListener("abort", stop), resolve()), milliseconds);
    signal.addEventListener("abort", stop, { once: true });
  });

/** A tool that cannot be answered but by a task refuses clients that know none. */
function onlyAsTask(tasks, tool) {
  const deferred = tasks.defer(tool);
  return {
    ...deferred,
    execute(args, context) {
      if (context.capabilities?.extensions?.[EXTENSION]) return deferred.execute(args, context);
      throw new ModelportError("missing-capability", "This tool runs as a task only", { rpcCode: -32021, data: { requiredCapabilities: { extensions: { [EXTENSION]: {} } } } });
    },
  };
}

const slow = {
  name: "slow_compute",
  description: "Takes its time.",
  inputSchema: object({ seconds: { type: "number" }, label: { type: "string" } }, ["seconds"]),
  async execute({ seconds, label = "" }, { signal }) {
    await sleep(seconds * 1_000, signal);
    return `Computed ${label} in ${seconds} s`;
  },
};

const failing = {
  name: "failing_job",
  description: "Fails after a while.",
  async execute(_, { signal }) {
    await sleep(50, signal);
    throw new Error("The job failed.");
  },
};

const broken = {
  name: "protocol_error_job",
  description: "Ends in an error of the protocol.",
  async execute(_, { signal }) {
    await sleep(50, signal);
    throw new ModelportError("internal-error", "The job cannot be done here", { rpcCode: -32603 });
  },
};

const confirming = {
  name: "confirm_delete",
  description: "Asks before it deletes.",
  inputSchema: object({ filename: { type: "string" } }),
  async execute({ filename }, { elicit }) {
    const { action, content } = await elicit(form(`Delete ${filename}?`, "confirm", "boolean"));
    return action === "accept" && content?.confirm ? `Deleted ${filename}` : `Kept ${filename}`;
  },
};

const curious = {
  name: "multi_input",
  description: "Asks for two things at once.",
  async execute(_, { elicit }) {
    const answers = await Promise.all(["First name?", "Second name?"].map((message) => elicit(form(message, "name", "string"))));
    return answers.map(({ content }) => content?.name).join(" and ");
  },
};

/** Asks while the call waits, and becomes a task when it has been answered. */
const composed = (tasks) => ({
  name: "test_tool_with_task",
  description: "Asks for a name and greets in a task.",
  async execute(args, context) {
    const { content } = await context.elicit(form("What is your name?", "name", "string"), { key: "user_name" });
    const greeting = { name: "greeting", execute: () => `Hello, ${content?.name}!` };
    return tasks.defer(greeting).execute(args, context);
  },
});

export const taskTools = (tasks) => [
  { name: "greet", description: "Greets at once.", inputSchema: object({ name: { type: "string" } }), execute: ({ name }) => `Hello, ${name}!` },
  ...[slow, broken, confirming, curious].map((tool) => tasks.defer(tool)),
  onlyAsTask(tasks, failing),
  composed(tasks),
];
