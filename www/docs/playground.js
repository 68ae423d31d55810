// The playground: what is typed becomes a module, its tools go into a manager, and the manager is published to the
// registry and served to a client in the same page.

import { createModelContext, createPageServer, ModelContext, ready, ToolManager } from "./modelport/index.js";

const at = (id) => document.getElementById(id);
const say = (words) => void (at("state").textContent = words);

const example = `export default {
  name: "free_seats",
  description: "How many seats are still free in a row",
  inputSchema: {
    type: "object",
    properties: { row: { type: "string", pattern: "^[A-H]$" } },
    required: ["row"],
  },
  async execute({ row }, { progress }) {
    progress({ progress: 1, total: 2, message: "counting" });
    await new Promise((resolve) => setTimeout(resolve, 300));
    return { row, free: 12 - row.charCodeAt(0) % 8 };
  },
};
`;

const tools = new Map();
let manager;
let client;
let bridge;

/** The default export of a module made of this text. */
async function run(text) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  try {
    return (await import(url)).default;
  } finally {
    URL.revokeObjectURL(url);
  }
}

function show(direction, message) {
  const entry = document.createElement("li");
  const summary = document.createElement("summary");
  const arrow = direction === "send" ? "→" : "←";
  summary.textContent = `${arrow} ${message.method ?? (message.error ? "error" : "result")}${message.id === undefined ? "" : `, id ${message.id}`}`;
  const text = document.createElement("pre");
  text.tabIndex = 0;
  text.textContent = JSON.stringify(message, undefined, 2);
  const details = document.createElement("details");
  details.append(summary, text);
  entry.append(details);
  at("log").prepend(entry);
  // What came last matters; a page is not a log file.
  while (at("log").childElementCount > 40) at("log").lastElementChild.remove();
}

const answer = (value) => void (at("outcome").firstElementChild.textContent = typeof value === "string" ? value : JSON.stringify(value, undefined, 2));

/** Asks both sides, rather than what was typed. */
async function look() {
  const names = (tools) => tools.map(({ name }) => name).join(", ") || "nothing";
  at("in-registry").textContent = bridge ? names(await document.modelContext.getTools()) : "This browser has none.";
  at("in-mcp").textContent = names(await client.tools({ fresh: true }));
}

async function publish() {
  try {
    const made = await run(at("source").value);
    const list = [made].flat();
    // A manager of their own says what is wrong with them before anything is taken away.
    void new ToolManager(list);
    for (const name of [...tools.keys()]) manager.remove(name);
    tools.clear();
    for (const tool of list) tools.set(tool.name, tool), manager.add(tool);
    at("tool").replaceChildren(...[...tools.keys()].map((name) => new Option(name)));
    if (!bridge) return await look(), say(`Served over MCP: ${[...tools.keys()].join(", ")}. This browser has no registry: ${(await ModelContext.probe()).message}`);
    const { registered, unchanged, skipped, blocked } = await bridge.publish(manager);
    const problems = [...skipped.map(({ name, reason }) => `${name}: ${reason}`), ...blocked.map(({ name }) => `${name}: somebody else has the name`)];
    await look();
    say([`In the registry: ${[...registered, ...unchanged].join(", ") || "nothing"}.`, ...problems].join(" "));
  } catch (error) {
    say(`That is no tool: ${error.message}`);
  }
}

async function call(name, way) {
  answer("…");
  try {
    const args = JSON.parse(at("arguments").value || "{}");
    if (way === "mcp") return answer(await client.callTool(name, args, { progress: ({ message }) => answer(`… ${message ?? ""}`) }));
    const found = (await document.modelContext.getTools()).find((tool) => tool.name === name);
    if (!found) throw new Error(`the registry has no ${name}`);
    const text = await document.modelContext.executeTool(found, args);
    answer(JSON.parse(text));
  } catch (error) {
    answer(`${error.name}: ${error.message}`);
  }
}

async function start() {
  at("source").value = example;
  at("arguments").value = '{ "row": "C" }';
  try {
    await ready();
  } catch (error) {
    return say(error.message);
  }
  manager = new ToolManager();
  bridge = createModelContext();
  ({ client } = createPageServer({ tools: manager, name: "playground", client: { trace: show } }));
  await client.connect();
  at("write").addEventListener("submit", (event) => (event.preventDefault(), publish()));
  at("reset").addEventListener("click", () => ((at("source").value = example), publish()));
  at("call").addEventListener("submit", (event) => (event.preventDefault(), call(at("tool").value, event.submitter?.value)));
  at("by-registry").disabled = !bridge;
  await publish();
}

start();
