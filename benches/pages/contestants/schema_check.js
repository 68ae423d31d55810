// One validator by itself, on values that are valid: what a check costs where nothing is wrong.
// Each must refuse a value with one fault first, so that nobody wins by not looking.

import { payloadOf } from "../payloads.js";
import { tools } from "../tools.js";

const record = {
  type: "object",
  properties: {
    id: { type: "integer", minimum: 0 },
    name: { type: "string", minLength: 1, maxLength: 40 },
    email: { type: "string", pattern: "^[^@\\s]+@[^@\\s]+$" },
    active: { type: "boolean" },
    score: { type: "number" },
    tags: { type: "array", items: { type: "string" }, maxItems: 10 },
  },
  required: ["id", "name", "email", "active", "score", "tags"],
  additionalProperties: false,
};

const cases = {
  "records-10k": { schema: { type: "array", items: record }, spoil: (value) => (value.at(-1).tags[1] = 5) },
  "ten-properties": { schema: tools(1)[0].inputSchema, spoil: (value) => (value.sort.by = "colour") },
};

/** The schema of the ten properties as zod has it. */
function tenProperties(z) {
  const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/u).optional();
  return z.strictObject({
    query: z.string().min(1).max(500),
    category: z.enum(["books", "music", "films", "games", "events"]).optional(),
    limit: z.number().int().min(1).max(100).optional(),
    offset: z.number().int().min(0).optional(),
    from: day,
    until: day,
    price: z.number().min(0).optional(),
    inStock: z.boolean().optional(),
    tags: z.array(z.string().max(40)).max(10).optional(),
    sort: z.strictObject({ by: z.enum(["name", "price", "date"]), descending: z.boolean().optional() }).optional(),
  });
}

const validators = {
  modelport: ({ check }, schema) => (value) => check(schema, value) === undefined,
  cfworker: ({ Validator }, schema) => {
    const validator = new Validator(schema, "2020-12", true);
    return (value) => validator.validate(value).valid;
  },
  zod: ({ z }) => {
    const validator = tenProperties(z);
    return (value) => validator.safeParse(value).success;
  },
};

export async function open({ peer, payload }) {
  const { schema, spoil } = cases[payload];
  const passes = validators[peer](await import(`/peers/${peer}.js`), schema);
  const spoilt = structuredClone(payloadOf(payload));
  spoil(spoilt);
  if (passes(spoilt)) throw new Error(`${peer} lets a wrong value pass`);
  return {
    call: passes,
    check: (answer) => {
      if (answer !== true) throw new Error(`${peer} refuses a valid value`);
    },
  };
}
