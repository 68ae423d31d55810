// The documentation site: Markdown of www/docs and the reference, as plain HTML files that work from any address.

import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { filesBelow, readJson, replaceFolder } from "./lib/files.mjs";
import { paths } from "./lib/paths.mjs";
import { Trouble, step } from "./lib/say.mjs";
import { asIs, site, sources } from "./docs/inputs.mjs";
import { layout } from "./docs/layout.mjs";
import { render } from "./docs/markdown.mjs";
import { sections, short } from "./docs/pages.mjs";
import { codes } from "./docs/readme.mjs";
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

const kilobytes = (bytes) => `${Math.round(bytes.reduce((sum, one) => sum + one) / 1000)} kB`;

/**
 * Sizes that a page speaks of are those of this build, `{{gzip index.js …}}`, files of dist/ together; or those that
 * size-budget.json holds it to, `{{brotli wasm …}}`, parts together.
 */
const measured = (text) => {
  const { parts } = readJson(paths.at("scripts", "size-budget.json"), {});
  return text
    .replace(/\{\{gzip ([^}]+)\}\}/g, (_, files) => kilobytes(files.split(" ").map((file) => gzipSync(readFileSync(join(paths.dist, file)), { level: 9 }).length)))
    .replace(/\{\{(raw|brotli) ([^}]+)\}\}/g, (_, kind, names) => kilobytes(names.split(" ").map((name) => parts[name][kind])));
};

function writtenPage(name) {
  if (name === "codes") return codes();
  let text;
  try {
    text = readFileSync(join(sources, `${name}.md`), "utf8");
  } catch {
    throw new Trouble(`scripts/docs/pages.mjs lists ${name}, but there is no www/docs/${name}.md.`, "write it, or leave it out.");
  }
  const page = { name, short: short[name], ...render(measured(text)) };
  if (name !== "playground") return page;
  return { ...page, html: page.html + readFileSync(join(sources, "playground.html"), "utf8"), script: "playground.js" };
}

/** Every link within the site leads to a page and an anchor that are there, every picture is, and no anchor is twice. */
function checkLinks(all) {
  const named = all.map(({ name, html }) => [`${name}.html`, [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)]);
  const anchors = new Map(named.map(([file, ids]) => [file, new Set(ids)]));
  const broken = named.flatMap(([file, ids]) => ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${file}: two sections are #${id}`));
  for (const { name, html, lead } of all) {
    for (const [, way, to] of (lead + html).matchAll(/ (href|src|srcset)="([^"]+)"/g)) {
      if (/^[a-z]+:/.test(to)) continue;
      const [file, anchor] = to.split("#");
      const there = anchors.get(file || `${name}.html`);
      const found = there ? !anchor || there.has(anchor) : way !== "href" && to in asIs;
      if (!found) broken.push(`${name}.md: ${to}`);
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
