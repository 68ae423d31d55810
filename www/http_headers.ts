// What a message of the stateless era says twice: in its body and in HTTP headers, so that those
// between client and server can route it unread (MCP 2026-07-28, basic/transports/streamable-http).

import type { JsonObject } from "./types.js";

/** Headers, in lower case, and the place in a tool's arguments that each repeats. */
export type Mirrored = Map<string, string[]>;

/** Deeper schemas are not looked through; their tools are dropped. */
const MAX_DEPTH = 100;

/** What is safe stays as it is; anything else travels as Base64 of its UTF-8. */
const encoded = (value: string): string =>
  /^(?!=\?base64\?)[!-~](?:[ -~]*[!-~])?$/.test(value)
    ? value
    : `=?base64?${btoa(new TextEncoder().encode(value).reduce((bytes, byte) => bytes + String.fromCharCode(byte), ""))}?=`;

/** The `x-mcp-header` annotations of a tool's schema; nothing if one of them breaks the rules. */
export function mirroredBy(schema: unknown): Mirrored | undefined {
  const found: Mirrored = new Map();
  // Only what a chain of `properties` leads to has a path, and may be annotated.
  const isSound = (node: any, depth: number, path?: string[]): boolean => {
    if (typeof node !== "object" || !node) return true;
    if (depth > MAX_DEPTH) return false;
    const { "x-mcp-header": header, type, properties, ...others } = node;
    if (header !== undefined) {
      const name = `mcp-param-${header}`.toLowerCase();
      if (!path?.length || typeof header !== "string" || !/^[!#$%&'*+.^_`|~\w-]+$/.test(header) || !/^(string|integer|boolean)$/.test(type) || found.has(name)) return false;
      found.set(name, path);
    }
    return (
      Object.entries(properties ?? {}).every(([name, one]) => isSound(one, depth + 1, path && [...path, name])) &&
      // These hold values, not schemas.
      Object.entries(others).every(([word, one]) => /^(default|const|enum|examples)$/.test(word) || isSound(one, depth + 1))
    );
  };
  return isSound(schema, 0, []) ? found : undefined;
}

/** The headers that repeat a message's method, its name and the annotated arguments. */
export function mirror({ method, params }: any, tools: Map<string, Mirrored>): Record<string, string> {
  const headers: Record<string, string> = { "Mcp-Method": encoded(method) };
  const name = params?.[method === "resources/read" ? "uri" : /^tasks\//.test(method) ? "taskId" : "name"];
  if (typeof name === "string") headers["Mcp-Name"] = encoded(name);
  for (const [header, path] of (method === "tools/call" && tools.get(name)) || []) {
    const value = path.reduce<any>((inside, key) => inside?.[key], params.arguments as JsonObject);
    // What is absent, null or of another kind has no header.
    if (/^(string|boolean)$/.test(typeof value) || Number.isSafeInteger(value)) headers[header] = encoded(`${value}`);
  }
  return headers;
}
