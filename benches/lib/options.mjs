// What the command line says.

import { parseArgs } from "node:util";
import { Trouble } from "../../scripts/lib/say.mjs";

export const usage = `npm run bench -- [--check] [--only NAME] [--rounds N] [--against DIR]
  --check      measure what the table of goals needs, and exit with an error when one is missed
  --only NAME  only scenarios whose name contains NAME; several are separated by commas
  --against DIR  measure another build of Modelport, such as an older dist/, beside this one
  --rounds N   paired rounds, 5 by default; a check needs at least 5
  --redraw     measures nothing, but makes the report anew of the last figures`;

/** `{ check, only, rounds, against, redraw }`, or `{ help }`. */
export function read(words) {
  let values;
  try {
    ({ values } = parseArgs({
      args: words,
      options: {
        check: { type: "boolean", default: false },
        only: { type: "string", default: "" },
        against: { type: "string", multiple: true, default: [] },
        rounds: { type: "string", default: "5" },
        redraw: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    }));
  } catch (error) {
    throw new Trouble(error.message, `use it so:\n${usage}`);
  }
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Trouble(`--rounds ${values.rounds} is no number of rounds.`, "give a whole number, 5 or more for a check.");
  if (values.check && rounds < 5) throw new Trouble("A check needs at least 5 rounds.", "leave out --rounds, or give 5 or more.");
  return { ...values, rounds, only: values.only.split(",").filter(Boolean) };
}
