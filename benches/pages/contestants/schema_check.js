// One validator by itself, on values that are valid: what a check costs where nothing is wrong.
// Each must refuse a value with one fault first, so that nobody wins by not looking.

import { payloadOf } from "../payloads.js";
import { shapeOf, tools } from "../tools.js";

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

const validators = {
  modelport: ({ check }, schema) => (value) => check(schema, value) === undefined,
  cfworker: ({ Validator }, schema) => {
    const validator = new Validator(schema, "2020-12", true);
    return (value) => validator.validate(value).valid;
  },
  zod: ({ z }) => {
    const validator = z.strictObject(shapeOf(z));
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
