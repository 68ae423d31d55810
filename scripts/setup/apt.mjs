// Debian packages, where there are any and we may install them.

import { onPath } from "../lib/files.mjs";
import { quiet, tail } from "../lib/run.mjs";
import { Trouble, detail } from "../lib/say.mjs";

const isRoot = process.getuid?.() === 0;
const environment = { DEBIAN_FRONTEND: "noninteractive" };

/** The words to put before apt-get, or undefined where we may not or can't install. */
async function privilege() {
  if (onPath("apt-get").length === 0) return undefined;
  if (isRoot) return [];
  const sudo = onPath("sudo")[0];
  return sudo && (await quiet(sudo, ["-n", "true"], { deadline: 5 })).ok ? [sudo, "-n", "-E"] : undefined;
}

let updated = false;

/** Installs packages. `purpose` is for people; a refusal is a Trouble that says what to type. */
export async function aptInstall(packages, purpose) {
  const byHand = `install the Debian packages by hand, as root: apt-get install ${packages.join(" ")}`;
  const before = await privilege();
  if (!before) {
    const cause = onPath("apt-get").length ? "we are neither root nor have sudo without a password" : "there is no apt-get here";
    throw new Trouble(`${purpose} can't be installed: ${cause}.`, byHand);
  }
  const apt = async (doing, ...args) => {
    const [command, ...rest] = [...before, "apt-get", "-q", "-y", "-o", "DPkg::Lock::Timeout=120", ...args];
    const done = await quiet(command, rest, { env: environment, doing, count: /^(?:Get:|Unpacking |Setting up )/gm, unit: "steps", idle: 180 });
    if (!done.ok) throw new Trouble(`${purpose} can't be installed: apt-get ${args[0]} ${done.why}.\n${tail(done.output, 8)}`, byHand);
  };
  if (!updated) {
    detail("apt-get update");
    await apt("reading the package lists", "update");
    updated = true;
  }
  detail(`apt-get install ${packages.join(" ")}`);
  // --no-remove: putting our tools in must never take somebody's own out.
  await apt(`installing ${purpose}`, "install", "--no-install-recommends", "--no-remove", ...packages);
}
