// What the documentation site is made of, and where it goes. Needs no package, so that a build can ask before there are any.

import { join } from "node:path";
import { filesBelow } from "../lib/files.mjs";
import { paths } from "../lib/paths.mjs";

export const sources = join(paths.www, "docs");

/** Where the site is made; git-ignored, and not in the package. */
export const site = join(sources, "generated");

/** Files that are served as they are. The playground brings its own copy of the package along. */
export const asIs = {
  "theme.css": join(paths.www, "demo", "theme.css"),
  "docs.css": join(sources, "docs.css"),
  "port.svg": join(sources, "port.svg"),
  "playground.js": join(sources, "playground.js"),
  "demo-light.png": join(sources, "demo-light.png"),
  "demo-dark.png": join(sources, "demo-dark.png"),
  "modelport/index.js": join(paths.dist, "index.js"),
  "modelport/library.js": join(paths.dist, "library.js"),
  "modelport/modelport.wasm": join(paths.dist, "modelport.wasm"),
};

/** What decides the site's bytes: the pages, what turns them into HTML, and the built package. */
export const docsInputs = () => [
  ...filesBelow(sources).filter((file) => !file.startsWith(site)),
  ...filesBelow(paths.at("scripts", "docs")),
  ...["scripts/docs.mjs", "scripts/size-budget.json", "README.md", "package.json", "package-lock.json", "www/demo/theme.css"].map((file) => paths.at(...file.split("/"))),
  ...filesBelow(paths.dist),
];
