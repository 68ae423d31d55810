// The reference: one page for each entry of the package that has types, written from its declarations.

import { existsSync } from "node:fs";
import { paths } from "../lib/paths.mjs";
import { colour, heading, render, slug } from "./markdown.mjs";
import { readEntry } from "./declarations.mjs";

const order = { function: "Functions", class: "Classes", interface: "Interfaces", type: "Types", const: "Values" };

/** What a name of the package is called in an address. Types and values may differ from each other by case alone. */
const idOf = (name) => name;

/** Names of the package in a coloured signature, each a link to its place. */
const linked = (html, places, own) =>
  html.replace(/(<[^>]*>)|\b([A-Za-z]\w*)\b/g, (all, tag, word) => (tag || word === own || !places.has(word) ? all : `<a href="${places.get(word)}">${word}</a>`));

/** A comment as HTML; `{@link x}` and the tags of TSDoc become plain words. */
function prose(doc) {
  const { lead, html } = render(doc.replace(/\{@link ([^}]+)\}/g, "`$1`").replace(/^@(\w+)/gm, "\n\n**$1**"));
  return `<p>${lead}</p>${html}`;
}

/** The entries of the package that have declarations: `[{ name: "modelport/mcp-b", page: "reference-mcp-b", file }]`. */
export function entries(manifest) {
  return Object.entries(manifest.exports)
    .map(([way, target]) => ({ way: way.replace(/^\.\/?/, ""), types: target.types ?? target.browser?.types ?? target.default?.types }))
    .filter(({ types }) => types && existsSync(paths.at(types)))
    .map(({ way, types }) => ({ name: way ? `${manifest.name}/${way}` : manifest.name, page: way ? `reference-${slug(way)}` : "reference", file: paths.at(types) }));
}

/** The pages of the reference. */
export function reference(manifest) {
  const cache = new Map();
  const [main, ...others] = entries(manifest).map((entry) => ({ ...entry, exported: readEntry(entry.file, cache) }));
  // Entries that only bring the wasm another way are the main one.
  const names = ({ exported }) => exported.map(({ name }) => name).sort().join();
  const read = [main, ...others.filter((entry) => names(entry) !== names(main))];
  const places = new Map();
  for (const { page, exported } of read) for (const { name } of exported) if (!places.has(name)) places.set(name, `${page}.html#${idOf(name)}`);
  return read.map(({ name, page, exported }) => {
    const here = new Map([...places, ...exported.map((one) => [one.name, `#${idOf(one.name)}`])]);
    const signature = (text, own) => `<pre class="signature" tabindex="0" role="group" aria-label="Signature"><code>${linked(colour(text, "ts"), here, own)}</code></pre>\n`;
    const contents = [];
    let html = "";
    for (const [kind, title] of Object.entries(order)) {
      const group = exported.filter((one) => one.kind === kind).sort((a, b) => a.name.localeCompare(b.name));
      if (!group.length) continue;
      contents.push({ depth: 2, id: `all-${slug(title)}`, text: title });
      html += heading(2, title, `all-${slug(title)}`);
      html += `<p class="index">${group.map((one) => `<a href="#${idOf(one.name)}">${one.name}</a>`).join(" ")}</p>\n`;
      for (const one of group) {
        html += heading(3, `<code>${one.name}</code>`, idOf(one.name));
        html += signature(one.signature, one.name);
        if (one.doc) html += prose(one.doc);
        if (!one.members.length) continue;
        html += '<dl class="members">\n';
        for (const member of one.members) html += `<dt id="${idOf(one.name)}.${slug(member.name) || "call"}">${signature(member.signature, one.name)}</dt><dd>${member.doc ? prose(member.doc) : ""}</dd>\n`;
        html += "</dl>\n";
      }
    }
    const title = `Reference: <code>${name}</code>`;
    const lead = `Every name that <code>${name}</code> exports, from the declarations the package ships: ${exported.length} of them.`;
    return { name: page, title, short: `<code>${name}</code>`, lead, html, contents, links: [], exported: exported.map((one) => one.name) };
  });
}
