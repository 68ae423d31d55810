// Pages whose words are the README's: what is a contract is said once, and every row of it has an address here.

import { readFileSync } from "node:fs";
import { paths } from "../lib/paths.mjs";
import { Trouble } from "../lib/say.mjs";
import { render } from "./markdown.mjs";

/** A section of the README, its heading included, up to the next one of its depth. */
function section(text, title) {
  const found = new RegExp(`^## ${title}\\n[^]*?(?=^## |$(?![^]))`, "m").exec(text);
  if (!found) throw new Trouble(`README.md has no section "${title}", which the documentation shows.`, "correct scripts/docs/readme.mjs.");
  return found[0];
}

/** The page of error codes and limits. */
export function codes() {
  const text = readFileSync(paths.at("README.md"), "utf8");
  const page = render(`# Codes and limits\n\nWhat programs may rely on: every code of a \`ModelportError\`, the reasons for which loading fails, and what bounds what a peer may send.\n\n${section(text, "Error codes")}\n${section(text, "Limits")}`, { rows: true });
  return { name: "codes", ...page };
}
