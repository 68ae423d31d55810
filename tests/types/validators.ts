// What a stranger's compiler makes of validators that stand for a schema: Zod, Valibot and ArkType.

import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import { defineTool, ToolManager } from "modelport";
import * as v from "valibot";
import { z } from "zod";
import type { Equal, Holds } from "./holds.js";

declare const tools: ToolManager;

tools.add({
  name: "zod",
  inputSchema: z.object({ city: z.string(), days: z.coerce.number().default(3) }),
  outputSchema: z.object({ degrees: z.number() }),
  execute(args) {
    type _ = Holds<Equal<typeof args, { city: string; days: number }>>;
    return { degrees: args.days };
  },
});
tools.add({
  name: "zod, wrong result",
  outputSchema: z.object({ degrees: z.number() }),
  // @ts-expect-error: the result is not what outputSchema promises.
  execute: () => ({ degrees: "many" }),
});
tools.add({
  name: "valibot",
  inputSchema: toStandardJsonSchema(v.object({ city: v.string(), days: v.optional(v.number(), 3) })),
  execute(args) {
    type _ = Holds<Equal<typeof args, { city: string; days: number }>>;
  },
});
tools.add({
  name: "arktype",
  inputSchema: type({ city: "string", "days?": "number" }),
  execute(args) {
    type _ = Holds<Equal<typeof args, { city: string; days?: number }>>;
  },
});

new ToolManager([
  defineTool({ name: "zod in a list", inputSchema: z.object({ n: z.number() }), execute: ({ n }) => n.toFixed() }),
  { name: "not defined", inputSchema: z.object({ n: z.number() }), execute: (args) => args.anything },
]);
