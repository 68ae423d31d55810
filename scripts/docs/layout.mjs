// The frame around every page: head, banner, side navigation, contents, the way on.

import { escape } from "./markdown.mjs";

const plain = (html) => html.replace(/<[^>]*>/g, "");

/** `pages` by section: `[{ title, pages: [{ name, title }] }]`; `at` is the page that is shown. */
const navigation = (sections, at) =>
  sections
    .map(({ title, pages }) => {
      const items = pages.map((page) => `<li><a href="${page.name}.html"${page.name === at ? ' aria-current="page"' : ""}>${page.short ?? page.title}</a></li>`);
      return `<p class="nav-title">${title}</p>\n<ul>${items.join("\n")}</ul>`;
    })
    .join("\n");

const contentsOf = (contents) => {
  const shown = contents.filter(({ depth }) => depth === 2);
  if (shown.length < 2) return "";
  return `<nav class="contents" aria-label="On this page"><p class="nav-title">On this page</p><ul>${shown.map(({ id, text }) => `<li><a href="#${id}">${text}</a></li>`).join("\n")}</ul></nav>`;
};

const step = (page, word, place) => (page ? `<a class="${place}" href="${page.name}.html"><span>${word}</span> ${page.title}</a>` : "<span></span>");

/** A whole document. Nothing but the playground has a script, and the policy says so. */
export function layout({ name, title, lead, html, contents, script }, sections, version) {
  const all = sections.flatMap(({ pages }) => pages);
  const at = all.findIndex((page) => page.name === name);
  const aside = contentsOf(contents);
  const scripts = script ? "'self' blob: 'wasm-unsafe-eval'" : "'none'";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'self'; script-src ${scripts}; img-src 'self' data:">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escape(plain(lead)).slice(0, 160)}">
<title>${plain(title)} · Modelport</title>
<link rel="icon" href="port.svg">
<link rel="stylesheet" href="theme.css">
<link rel="stylesheet" href="docs.css">${script ? `\n<script type="module" src="${script}"></script>` : ""}
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header class="banner">
<a class="mark" href="index.html"><img src="port.svg" alt="" width="28" height="28"> Modelport <small>${version}</small></a>
<nav class="quick" aria-label="Shortcuts"><a href="playground.html">Playground</a> <a href="reference.html">Reference</a></nav>
<details class="menu"><summary>All pages</summary><nav aria-label="All pages">${navigation(sections, name)}</nav></details>
</header>
<div class="frame${aside ? "" : " wide"}">
<nav class="side" aria-label="Documentation">${navigation(sections, name)}</nav>
<main id="main" tabindex="-1">
<h1>${title}</h1>
${lead ? `<p class="lead">${lead}</p>` : ""}
${html}
<nav class="steps" aria-label="Next and previous page">${step(all[at - 1], "Before", "before")}${step(all[at + 1], "Next", "after")}</nav>
</main>
${aside}
</div>
<footer class="foot">Modelport ${version} · MIT or Apache-2.0 · Every block of code on these pages is run by a test.</footer>
</body>
</html>
`;
}
