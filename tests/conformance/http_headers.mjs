// What a stateless request says in HTTP headers must be what it says in its body
// (MCP 2026-07-28, basic/transports/streamable-http).

const names = { "tools/call": "name", "prompts/get": "name", "resources/read": "uri", "tasks/get": "taskId", "tasks/update": "taskId", "tasks/cancel": "taskId" };

const wrapped = /^=\?base64\?(.*)\?=$/;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** What a header stands for: undefined if it is absent, null if it says it is Base64 and is none. */
function decoded(value) {
  const [, text] = wrapped.exec(value ?? "") ?? [];
  if (text === undefined) return value;
  return base64.test(text) ? Buffer.from(text, "base64").toString() : null;
}

/** The arguments a tool wants repeated: pairs of a header's name and the value in the body. */
function* repeated(schema, args) {
  for (const [name, { "x-mcp-header": header, properties }] of Object.entries(schema?.properties ?? {})) {
    if (header !== undefined) yield [`Mcp-Param-${header}`, args?.[name]];
    if (properties) yield* repeated({ properties }, args?.[name]);
  }
}

/** Why the headers do not fit the message, or nothing. `tool` is the one that is called, as it is listed. */
export function mismatch(headers, { method, params }, tool) {
  const pairs = [["Mcp-Method", method]];
  const version = params?._meta?.["io.modelcontextprotocol/protocolVersion"];
  // One that is absent from the body is a fault of the body, which the server finds.
  if (version !== undefined || headers["mcp-protocol-version"] === undefined) pairs.push(["MCP-Protocol-Version", version]);
  if (method in names) pairs.push(["Mcp-Name", params?.[names[method]]]);
  if (tool) pairs.push(...repeated(tool.inputSchema, params.arguments));
  const [name, value] = pairs.find(([header, expected]) => decoded(headers[header.toLowerCase()]) !== (expected == null ? undefined : String(expected))) ?? [];
  return name && `Header mismatch: ${name} must be ${JSON.stringify(value ?? null)}, as in the body`;
}
