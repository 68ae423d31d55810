// A thousand tools as a real application has them: ten properties, patterns, an enumeration, ranges,
// an array and an object within. Each has a schema of its own, as each has in a real page.

const schemaOf = (index) => ({
  type: "object",
  properties: {
    query: { type: "string", description: `What to look for in collection ${index}`, minLength: 1, maxLength: 500 },
    category: { type: "string", enum: ["books", "music", "films", "games", "events"], description: "Which shelf to look on" },
    limit: { type: "integer", minimum: 1, maximum: 100, default: 20, description: "How many to return at most" },
    offset: { type: "integer", minimum: 0, description: "How many to skip" },
    from: { type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}$", description: "First day, as YYYY-MM-DD" },
    until: { type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}$", description: "Last day, as YYYY-MM-DD" },
    price: { type: "number", minimum: 0, description: "The most it may cost" },
    inStock: { type: "boolean", description: "Only what can be had at once" },
    tags: { type: "array", items: { type: "string", maxLength: 40 }, maxItems: 10, description: "All of these must apply" },
    sort: {
      type: "object",
      properties: { by: { type: "string", enum: ["name", "price", "date"] }, descending: { type: "boolean" } },
      required: ["by"],
      additionalProperties: false,
    },
  },
  required: ["query"],
  additionalProperties: false,
});

export const nameOf = (index) => `search_collection_${index}`;

export const tools = (count) =>
  Array.from({ length: count }, (_, index) => ({
    name: nameOf(index),
    title: `Search collection ${index}`,
    description: `Searches collection ${index} of the catalogue and returns what fits, best first.`,
    inputSchema: schemaOf(index),
    annotations: { readOnlyHint: true },
    execute: ({ query }) => `${index}: ${query}`,
  }));

/** The same schema as zod has it, for those who want their schemas so. */
export function shapeOf(z, index = 0) {
  const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/u).optional();
  return {
    query: z.string().min(1).max(500).describe(`What to look for in collection ${index}`),
    category: z.enum(["books", "music", "films", "games", "events"]).optional().describe("Which shelf to look on"),
    limit: z.number().int().min(1).max(100).optional().describe("How many to return at most"),
    offset: z.number().int().min(0).optional().describe("How many to skip"),
    from: day.describe("First day, as YYYY-MM-DD"),
    until: day.describe("Last day, as YYYY-MM-DD"),
    price: z.number().min(0).optional().describe("The most it may cost"),
    inStock: z.boolean().optional().describe("Only what can be had at once"),
    tags: z.array(z.string().max(40)).max(10).optional().describe("All of these must apply"),
    sort: z.strictObject({ by: z.enum(["name", "price", "date"]), descending: z.boolean().optional() }).optional(),
  };
}

/** The same tools in the form of the pairs. */
export const pairTools = (count) =>
  tools(count).map(({ execute, ...tool }, index) => ({
    ...tool,
    shape: (z) => shapeOf(z, index),
    run: (args) => ({ content: [{ type: "text", text: execute(args) }] }),
  }));

/** Whether a list has all of them, each with its own schema. */
export function insistOnTools(list, count) {
  if (list.length !== count) throw new Error(`${list.length} tools instead of ${count}`);
  const byName = new Map(list.map((tool) => [tool.name, tool]));
  for (let index = 0; index < count; index++) {
    const tool = byName.get(nameOf(index));
    if (tool?.inputSchema?.properties?.query?.description !== schemaOf(index).properties.query.description) {
      throw new Error(`the tool ${nameOf(index)} is missing or has a wrong schema`);
    }
  }
}
