// Answers the methods a server has beside the tools', from what its author gave: lists or providers.

import { invalidParams } from "./error.js";
import type { Prompt, PromptProvider, Resource, ResourceProvider, ResourceTemplate, ServerOptions } from "./server_types.js";
import type { JsonObject, ToolContext } from "./types.js";
import { PROTOCOL_VERSION } from "./words.js";

interface Question {
  method: string;
  params: any;
}

/** A cursor for a list that has none was never handed out. */
const listed = <T>(entries: readonly T[]) => (cursor: string | undefined) => {
  if (cursor !== undefined) throw invalidParams("Invalid params: unknown cursor");
  return entries;
};

/** What is shown of an entry: everything but its functions. */
const shown = (entries: readonly object[]) => entries.map((entry) => Object.fromEntries(Object.entries(entry).filter(([, value]) => typeof value !== "function")));

/** A page as the protocol has it. */
const page = (member: string, given: any) => (Array.isArray(given) ? { [member]: shown(given) } : given);

/** The pattern of a template: `{name}` is one segment, `{+name}` any text. */
function matcher(template: string): (uri: string) => Record<string, string> | undefined {
  const names: string[] = [];
  const pattern = template.split(/\{(\+?\w+)\}/).map((part, place) => {
    if (place % 2 === 0) return part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    names.push(part.replace("+", ""));
    return part[0] === "+" ? "(.+)" : "([^/?#]+)";
  });
  const expression = new RegExp(`^${pattern.join("")}$`, "u");
  return (uri) => {
    const found = expression.exec(uri);
    return found ? Object.fromEntries(names.map((name, place) => [name, decoded(found[place + 1]!)])) : undefined;
  };
}

const decoded = (text: string) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

function resourcesOf(given: readonly (Resource | ResourceTemplate)[] | ResourceProvider): ResourceProvider {
  if (!Array.isArray(given)) return given as ResourceProvider;
  const templates = (given as ResourceTemplate[]).filter((entry) => entry.uriTemplate !== undefined).map((entry) => ({ entry, match: matcher(entry.uriTemplate) }));
  const plain = (given as Resource[]).filter((entry) => entry.uri !== undefined);
  return {
    list: listed(plain),
    templates: listed(templates.map(({ entry }) => entry)),
    async read(uri, context) {
      const resource = plain.find((entry) => entry.uri === uri);
      if (resource) return contents(uri, resource.mimeType, await resource.read(uri, context));
      for (const { entry, match } of templates) {
        const variables = match(uri);
        if (variables) return contents(uri, entry.mimeType, await entry.read(uri, context, variables));
      }
      return undefined;
    },
  };
}

function promptsOf(given: readonly Prompt[] | PromptProvider): PromptProvider {
  if (!Array.isArray(given)) return given as PromptProvider;
  const prompts = given as Prompt[];
  return {
    list: listed(prompts),
    get(name, args, context) {
      const prompt = prompts.find((entry) => entry.name === name);
      const missing = prompt?.arguments?.find((argument) => argument.required && args[argument.name] === undefined);
      if (missing) throw invalidParams(`Invalid params: the prompt needs the argument "${missing.name}"`);
      return prompt?.get(args, context);
    },
  };
}

const base64 = (bytes: Uint8Array) => {
  let text = "";
  // In slices, as a call takes only so many arguments.
  for (let start = 0; start < bytes.length; start += 32_768) text += String.fromCharCode(...bytes.subarray(start, start + 32_768));
  return btoa(text);
};

function contents(uri: string, mimeType: string | undefined, given: any): any {
  const part = (body: object) => ({ contents: [{ uri, ...(mimeType && { mimeType }), ...body }] });
  if (typeof given === "string") return part({ text: given });
  if (given instanceof ArrayBuffer) return part({ blob: base64(new Uint8Array(given)) });
  if (ArrayBuffer.isView(given)) return part({ blob: base64(new Uint8Array(given.buffer, given.byteOffset, given.byteLength)) });
  return Array.isArray(given) ? { contents: given } : given;
}

function messages(given: any): JsonObject {
  if (typeof given === "string") return { messages: [{ role: "user", content: { type: "text", text: given } }] };
  return Array.isArray(given) ? { messages: given } : given;
}

/** What a server of these options offers, by the bits `ServerHandle` knows, and what answers for it. */
export function providerOf({ resources, prompts, complete, logging, tasks, handshake, cache }: ServerOptions) {
  const sources = resources && resourcesOf(resources);
  const books = prompts && promptsOf(prompts);
  const offers = [sources, books, complete, logging, tasks, handshake, cache?.scope === "public"].reduce((bits, offered, place) => bits | (offered ? 1 << place : 0), 0);
  const answers: Record<string, (params: any, context: ToolContext) => unknown> = {
    "resources/list": async ({ cursor }, context) => page("resources", (await sources!.list?.(cursor, context)) ?? []),
    "resources/templates/list": async ({ cursor }, context) => page("resourceTemplates", (await sources!.templates?.(cursor, context)) ?? []),
    "resources/read": async ({ uri }, context) => {
      const given = await sources!.read(uri, context);
      // The handshake era has a code of its own for it.
      if (given == null) throw invalidParams(`Resource not found: ${uri}`, { uri }, context.meta && PROTOCOL_VERSION in context.meta ? -32602 : -32002);
      return contents(uri, undefined, given);
    },
    "prompts/list": async ({ cursor }, context) => page("prompts", (await books!.list?.(cursor, context)) ?? []),
    "prompts/get": async ({ name, arguments: args = {} }, context) => {
      const given = await books!.get(name, args, context);
      if (given == null) throw invalidParams(`Prompt not found: ${name}`);
      return messages(given);
    },
    "completion/complete": async ({ ref, argument, context: more }, context) => {
      const names = ref?.type === "ref/prompt" ? ref.name : ref?.type === "ref/resource" ? ref.uri : undefined;
      if (typeof names !== "string" || typeof argument?.name !== "string" || typeof argument.value !== "string") throw invalidParams("Invalid params: ref and argument must name what to complete");
      const given = await complete!(ref, argument, more?.arguments ?? {}, context);
      const { values, total = values.length, hasMore = total > 100 } = Array.isArray(given) ? { values: given } : (given as any);
      return { completion: { values: values.slice(0, 100), total, hasMore: hasMore || values.length > 100 } };
    },
    initialize: async ({ protocolVersion, clientInfo, capabilities }, context) => {
      await handshake!({ protocolVersion, client: clientInfo, capabilities }, context);
      return {};
    },
  };
  const execute = ({ method, params }: Question, context: ToolContext) => (answers[method] ?? tasks!.answer.bind(tasks, method))(params, context);
  return { offers, provider: { name: "provider", execute } };
}
