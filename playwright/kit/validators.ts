// The same two schemas in the words of each library whose validators may stand for a schema.

import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";

export const schemas = {
  zod: { city: z.object({ city: z.string(), days: z.number().default(3) }), degrees: z.object({ degrees: z.number() }) },
  valibot: { city: toStandardJsonSchema(v.object({ city: v.string(), days: v.optional(v.number(), 3) })), degrees: toStandardJsonSchema(v.object({ degrees: v.number() })) },
  arktype: { city: type({ city: "string", days: "number = 3" }), degrees: type({ degrees: "number" }) },
};
