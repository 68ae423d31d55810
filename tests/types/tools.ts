// What a stranger's compiler makes of tools: the arguments of `execute` have the type that the schema says.

import { defineTool, ToolManager, type AdoptedTool, type FromSchema, type JsonSchema, type Tool } from "modelport";
import type { Equal, Holds } from "./holds.js";

declare const tools: ToolManager;

tools.add({
  name: "literal",
  inputSchema: {
    type: "object",
    properties: {
      city: { type: "string" },
      days: { type: "integer", minimum: 1 },
      units: { enum: ["metric", "imperial"] },
      tags: { type: "array", items: { type: "string" } },
      at: { type: "array", prefixItems: [{ type: "number" }, { type: "number" }], items: false },
      note: { type: ["string", "null"] },
      who: { type: "object", properties: { name: { type: "string" }, age: { type: "number" } }, required: ["name"] },
    },
    required: ["city", "at"],
  },
  execute(args, context) {
    type _ = Holds<
      Equal<
        typeof args,
        {
          city: string;
          at: [number, number];
          days?: number;
          units?: "metric" | "imperial";
          tags?: string[];
          note?: string | null;
          who?: { name: string; age?: number };
        }
      >
    >;
    context.signal.throwIfAborted();
    // @ts-expect-error: there is no such argument.
    return args.town;
  },
});

const kept = { type: "object", properties: { id: { const: 7 } }, required: ["id"] } as const;
type _kept = Holds<Equal<FromSchema<typeof kept>, { id: 7 }>>;
tools.add({ name: "constant", inputSchema: kept, execute: ({ id }) => id satisfies 7 });

type _anyOf = Holds<Equal<FromSchema<{ anyOf: [{ type: "string" }, { type: "array"; items: { type: "number" } }] }>, string | number[]>>;
type _oneOf = Holds<Equal<FromSchema<{ oneOf: [{ const: "a" }, { const: "b" }] }>, "a" | "b">>;
type _allOf = FromSchema<{ allOf: [{ type: "object"; properties: { a: { type: "string" } }; required: ["a"] }, { type: "object"; properties: { b: { type: "number" } }; required: ["b"] }] }>;
const both: _allOf = { a: "", b: 0 };
// @ts-expect-error: every member of allOf counts.
const one: _allOf = { a: "" };
type _map = Holds<Equal<FromSchema<{ type: "object"; additionalProperties: { type: "number" } }>, Record<string, number>>>;
type _unknown = Holds<Equal<FromSchema<{ $ref: "#/$defs/x" }>, unknown>>;

// Where a schema's own type says nothing, nothing is forbidden.
declare const wide: JsonSchema;
tools.add({ name: "wide", inputSchema: wide, execute: (args) => args.whatever.it.is });
const widened = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
tools.add({ name: "widened", inputSchema: widened, execute: ({ city }) => city.trim() });
tools.add({ name: "without", execute: (args) => args.whatever });
tools.add({ name: "promised", execute: (_args, { signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve(1))) });
tools.add({ name: "text, in the end", execute: async () => "done" });

tools.add({
  name: "literal, wrong result",
  outputSchema: { type: "object", properties: { degrees: { type: "number" } }, required: ["degrees"] },
  // @ts-expect-error: the result is not what outputSchema promises.
  execute: async () => ({ degrees: "many" }),
});
tools.add({
  name: "literal, whole result",
  outputSchema: { type: "object", properties: { degrees: { type: "number" } }, required: ["degrees"] },
  execute: async () => ({ content: [{ type: "text", text: "2" }], structuredContent: { degrees: 2 } }),
});
// In lists, `defineTool` does it.
const order = defineTool({
  name: "order",
  inputSchema: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
  execute: ({ id }) => id.toUpperCase(),
});
new ToolManager([
  order,
  { name: "not defined", inputSchema: kept, execute: (args) => args.anything },
]);
tools.add(order);

// What others give is added as it is.
declare const adopted: AdoptedTool[];
declare const served: Tool[];
for (const tool of [...adopted, ...served]) tools.add(tool);
new ToolManager(adopted);
const schema: JsonSchema | undefined = tools.get("order")?.inputSchema;

// @ts-expect-error: a tool has a name.
tools.add({ execute: () => 1 });
// @ts-expect-error: a tool does something.
tools.add({ name: "idle" });
// @ts-expect-error: no such hint.
tools.add({ name: "hint", annotations: { readonlyHint: true }, execute: () => 1 });

export { both, one, schema };
