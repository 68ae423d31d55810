// The client the official suite starts, once a scenario: the built package in Node, over `HttpTransport`.
// Its last argument is the server's address; the suite's variables say what is being tested.

import { readFile } from "node:fs/promises";
import { Client, HttpTransport, ready } from "../../dist/index.js";

const url = process.argv.at(-1);
const { MCP_CONFORMANCE_SCENARIO: scenario, MCP_CONFORMANCE_CONTEXT: context = "{}", MCP_CONFORMANCE_PROTOCOL_VERSION: protocol } = process.env;

/** A form filled with nothing but its defaults. */
const filled = ({ properties = {} } = {}) => Object.fromEntries(Object.entries(properties).filter(([, field]) => "default" in field).map(([name, field]) => [name, field.default]));

async function connect() {
  const client = new Client({ name: "modelport-conformance", protocol, elicit: async ({ requestedSchema }) => ({ action: "accept", content: filled(requestedSchema) }) });
  client.addEventListener("error", ({ error }) => console.error("fault:", String(error)));
  try {
    await client.connect(new HttpTransport(url));
    return client;
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** What a tool's schema asks for, so that it can be called at all. */
const sample = ({ properties = {}, required = [] } = {}) =>
  Object.fromEntries(required.map((name) => [name, { number: 5, integer: 5, boolean: true, object: {}, array: [] }[properties[name]?.type] ?? "text"]));

async function callEach(client) {
  for (const tool of await client.tools()) await client.callTool(tool.name, sample(tool.inputSchema));
}

const scenarios = {
  async "http-standard-headers"(client) {
    await callEach(client);
    for (const { uri } of (await client.request("resources/list")).resources) await client.request("resources/read", { uri });
    for (const { name } of (await client.request("prompts/list")).prompts) await client.request("prompts/get", { name });
  },
  async "http-custom-headers"(client) {
    await client.tools();
    for (const call of JSON.parse(context).toolCalls) await client.callTool(call.name, call.arguments);
  },
  async "json-schema-ref-no-deref"(client) {
    await client.tools();
  },
  async "sep-2322-client-request-state"(client) {
    // One call stands still while another tool is called: what belongs to the one must not reach the other.
    await Promise.all((await client.tools()).map(({ name }) => client.callTool(name)));
  },
};

await ready(await readFile(new URL("../../dist/modelport.wasm", import.meta.url)));
const client = await connect();
await (scenarios[scenario] ?? callEach)(client);
await client.close();
