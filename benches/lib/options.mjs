// What the command line says.

import { parseArgs } from "node:util";
import { Trouble } from "../../scripts/lib/say.mjs";

export const usage = `npm run bench -- [--check] [--only NAME] [--rounds N] [--against DIR]
  --check      measure what the table of goals needs, and exit with an error when one is missed
  --only NAME  only scenarios whose name contains NAME; several are separated by commas
  --against DIR  measure another build of Modelport, such as an older dist/, beside this one
  --rounds N   paired rounds, 5 by default; a check needs at least 5
  --keep       with --only: put the results among those of the report under www/bench, if they are of the very
               same builds, browser and machine
  --redraw     measures nothing, but makes the report anew of the last figures`;

/** `{ check, only, rounds, against, keep, redraw }`, or `{ help }`. */
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
        keep: { type: "boolean", default: false },
        redraw: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    }));
  } catch (error) {
    throw new Trouble(error.message, `use it so:\n${usage}`);
  }
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Trouble(`--rounds ${values.rounds} is no number of rounds.`, "give a whole number, 5 or more for a check.");
  if (values.check && values.keep) throw new Trouble("A check leaves out what its goals do not need, so its results are no part of a report.", "leave out --keep or --check.");
  if (values.check && rounds < 5) throw new Trouble("A check needs at least 5 rounds.", "leave out --rounds, or give 5 or more.");
  return { ...values, rounds, only: values.only.split(",").filter(Boolean) };
}
