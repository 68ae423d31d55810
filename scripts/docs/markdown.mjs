// Markdown to HTML: headings with anchors, code coloured when the site is built, links from page to page.

import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import css from "highlight.js/lib/languages/css";
import http from "highlight.js/lib/languages/http";
import ini from "highlight.js/lib/languages/ini";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import rust from "highlight.js/lib/languages/rust";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import { Marked } from "marked";
import { words } from "./fences.mjs";

const languages = { sh: bash, css, http, toml: ini, js: javascript, jsx: javascript, json, rust, ts: typescript, tsx: typescript, html: xml };
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);

export const escape = (text) => text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);

/** Code as coloured HTML. A language nobody colours is plain text. */
export const colour = (code, language) => (languages[language] ? hljs.highlight(code, { language }).value : escape(code));

export const slug = (text) => text.toLowerCase().replace(/<[^>]*>|[`'’]/g, "").replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");

/** A block of code. It can be scrolled by keyboard, so it has a name. */
export function code(text, { lang, kind, file, from }) {
  const label = file ?? from ?? { sh: "in a terminal", headers: "HTTP headers", output: "prints" }[kind === "headers" || kind === "output" ? kind : lang];
  const caption = label ? `<figcaption>${escape(label)}</figcaption>` : "";
  const spoken = escape(label ?? `${lang || "text"} code`);
  return `<figure class="code${kind === "output" ? " output" : ""}">${caption}<pre tabindex="0" role="group" aria-label="${spoken}"><code>${colour(text, lang)}</code></pre></figure>\n`;
}

/** A heading that can be linked to. */
export const heading = (depth, html, id) => `<h${depth} id="${id}">${html} <a class="anchor" href="#${id}" aria-label="Link to this section">#</a></h${depth}>\n`;

/**
 * Renders a page: `{ title, lead, html, contents: [{ depth, id, text }], links: [href] }`. With `rows`, a row of a
 * table whose first cell is one word of code can be linked to by that word.
 */
export function render(markdown, { rows: addressed = false } = {}) {
  const contents = [];
  const links = [];
  const page = { title: "", lead: "", contents, links };
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const given = /\s*\{#([\w-]+)\}$/.exec(text);
        const html = this.parser.parseInline(tokens).replace(/\s*\{#[\w-]+\}$/, "");
        if (depth === 1) {
          page.title = html;
          return "";
        }
        const id = given?.[1] ?? slug(html);
        contents.push({ depth, id, text: html });
        return heading(depth, html, id);
      },
      code: ({ text, lang }) => code(text, words(lang)),
      html: ({ raw }) => (raw.startsWith("<!--") ? "" : raw),
      link({ href, tokens }) {
        const to = href.replace(/^([\w-]+)\.md(?=#|$)/, "$1.html");
        links.push(to);
        return `<a href="${escape(to)}">${this.parser.parseInline(tokens)}</a>`;
      },
      table(token) {
        const cell = (tag) => ({ tokens, align }) => `<${tag}${tag === "th" ? ' scope="col"' : ""}${align ? ` class="${align}"` : ""}>${this.parser.parseInline(tokens)}</${tag}>`;
        const idOf = ([{ tokens }]) => (addressed && tokens.length === 1 && tokens[0].type === "codespan" ? ` id="${slug(tokens[0].text)}"` : "");
        const rows = token.rows.map((row) => `<tr${idOf(row)}>${row.map(cell("td")).join("")}</tr>`).join("\n");
        return `<div class="table" tabindex="0" role="group" aria-label="Table"><table><thead><tr>${token.header.map((head) => cell(head.text ? "th" : "td")(head)).join("")}</tr></thead><tbody>\n${rows}\n</tbody></table></div>\n`;
      },
    },
  });
  const tokens = marked.lexer(markdown);
  const first = tokens.find(({ type }) => type === "paragraph");
  page.html = marked.parser(tokens.filter((token) => token !== first));
  page.lead = first ? marked.parser([first]).replace(/^<p>|<\/p>\s*$/g, "") : "";
  return page;
}
