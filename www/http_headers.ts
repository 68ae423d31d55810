// What a message of the stateless era says twice: in its body and in HTTP headers, so that those
// between client and server can route it unread (MCP 2026-07-28, basic/transports/streamable-http).

import type { JsonObject } from "./types.js";

/** A place in a tool's arguments, and the header that repeats what is there. */
export type Mirrored = [path: string[], header: string];

/** Deeper schemas are not looked through; their tools are dropped. */
const MAX_DEPTH = 100;

/** What is safe stays as it is; anything else travels as Base64 of its UTF-8. */
const encoded = (value: string): string =>
  /^(?!=\?base64\?)[!-~](?:[ -~]*[!-~])?$/.test(value)
    ? value
    : `=?base64?${btoa(new TextEncoder().encode(value).reduce((bytes, byte) => bytes + String.fromCharCode(byte), ""))}?=`;

/** The `x-mcp-header` annotations of a tool's schema; nothing if one of them breaks the rules. */
export function mirroredBy(schema: unknown): Mirrored[] | undefined {
  const found: Mirrored[] = [];
  const seen = new Set<string>();
  // Only what a chain of `properties` leads to has a path, and may be annotated.
  const isSound = (node: any, depth: number, path?: string[]): boolean => {
    if (typeof node !== "object" || !node) return true;
    if (depth > MAX_DEPTH) return false;
    const { "x-mcp-header": header, type, properties, ...others } = node;
    if (header !== undefined) {
      if (!path?.length || !/^[!#$%&'*+.^_`|~\w-]+$/.test(header) || typeof header !== "string" || !["string", "integer", "boolean"].includes(type)) return false;
      const known = seen.size;
      if (seen.add(header.toLowerCase()).size === known) return false;
      found.push([path, `Mcp-Param-${header}`]);
    }
    return (
      Object.entries(properties ?? {}).every(([name, one]) => isSound(one, depth + 1, path && [...path, name])) &&
      // These hold values, not schemas.
      Object.entries(others).every(([word, one]) => ["default", "const", "enum", "examples"].includes(word) || isSound(one, depth + 1))
    );
  };
  return isSound(schema, 0, []) ? found : undefined;
}

/** The headers that repeat a message's method, its name and the annotated arguments. */
export function mirror({ method, params }: any, tools: Map<string, Mirrored[]>): Record<string, string> {
  const headers: Record<string, string> = { "Mcp-Method": encoded(method) };
  const isCall = method === "tools/call";
  const name = isCall || method === "prompts/get" ? params?.name : method === "resources/read" ? params?.uri : /^tasks\//.test(method) && params?.taskId;
  if (typeof name === "string") headers["Mcp-Name"] = encoded(name);
  for (const [path, header] of (isCall && tools.get(name)) || []) {
    const value = path.reduce<any>((inside, key) => inside?.[key], params.arguments as JsonObject);
    // What is absent, null or of another kind has no header.
    if (["string", "boolean"].includes(typeof value) || Number.isSafeInteger(value)) headers[header] = encoded(`${value}`);
  }
  return headers;
}
