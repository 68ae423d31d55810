// What was measured on what.

import { readFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { paths } from "../../scripts/lib/paths.mjs";
import { peerVersions } from "./peers.mjs";

export function machine(browser, site) {
  const packageOf = (file) => JSON.parse(readFileSync(paths.at(file), "utf8"));
  return {
    processor: cpus()[0]?.model.trim() ?? "unknown",
    cores: cpus().length,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    system: `${process.platform} ${process.arch}`,
    node: process.version,
    browser: `Chromium ${browser.version()}`,
    playwright: packageOf("node_modules/@playwright/test/package.json").version,
    modelport: packageOf("package.json").version,
    build: site.build,
    peers: peerVersions(),
    coldBytes: site.sizes,
  };
}
