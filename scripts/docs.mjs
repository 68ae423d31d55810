// The documentation site: Markdown of www/docs and the reference, as plain HTML files that work from any address.

import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { filesBelow, readJson, replaceFolder } from "./lib/files.mjs";
import { paths } from "./lib/paths.mjs";
import { Trouble, step } from "./lib/say.mjs";
import { asIs, site, sources } from "./docs/inputs.mjs";
import { layout } from "./docs/layout.mjs";
import { render } from "./docs/markdown.mjs";
import { sections } from "./docs/pages.mjs";
import { reference } from "./docs/reference.mjs";

const manifest = () => readJson(paths.at("package.json"), {});

/** Every page: those that are written, and those that are generated. */
export function pages() {
  const generated = reference(manifest());
  const named = sections.map(({ title, pages: names, reference: more }) => ({
    title,
    pages: [...names.map((name) => writtenPage(name)), ...(more ? generated : [])],
  }));
  const written = readdirSync(sources).filter((file) => file.endsWith(".md")).map((file) => file.slice(0, -3));
  const listed = new Set(named.flatMap((section) => section.pages.map(({ name }) => name)));
  const lost = written.filter((name) => !listed.has(name));
  if (lost.length) throw new Trouble(`www/docs has pages that no section lists: ${lost.join(", ")}.`, "name them in scripts/docs/pages.mjs.");
  return named;
}

function writtenPage(name) {
  let text;
  try {
    text = readFileSync(join(sources, `${name}.md`), "utf8");
  } catch {
    throw new Trouble(`scripts/docs/pages.mjs lists ${name}, but there is no www/docs/${name}.md.`, "write it, or leave it out.");
  }
  const page = { name, ...render(text) };
  if (name !== "playground") return page;
  return { ...page, html: page.html + readFileSync(join(sources, "playground.html"), "utf8"), script: "playground.js" };
}

/** Every link within the site leads to a page and an anchor that are there. */
function checkLinks(all) {
  const anchors = new Map(all.map(({ name, html }) => [`${name}.html`, new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]));
  const broken = [];
  for (const { name, html, lead } of all) {
    for (const [, href] of (lead + html).matchAll(/ href="([^"]+)"/g)) {
      if (/^[a-z]+:/.test(href)) continue;
      const [file, anchor] = href.split("#");
      const there = anchors.get(file || `${name}.html`);
      if (!there || (anchor && !there.has(anchor))) broken.push(`${name}.md: ${href}`);
    }
  }
  if (broken.length) throw new Trouble(`Links lead nowhere:\n  ${broken.join("\n  ")}`, "correct them.");
}

/** Writes the whole site and resolves to its files. */
export function docs() {
  step("documentation (www/docs)");
  const named = pages();
  const all = named.flatMap((section) => section.pages);
  checkLinks(all);
  const folder = mkdtempSync(join(paths.tools, "docs-"));
  mkdirSync(join(folder, "modelport"));
  const { version } = manifest();
  for (const page of all) writeFileSync(join(folder, `${page.name}.html`), layout(page, named, version));
  for (const [name, from] of Object.entries(asIs)) copyFileSync(from, join(folder, name));
  replaceFolder(folder, site);
  return filesBelow(site);
}
