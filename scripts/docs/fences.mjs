// What a fenced block of the documentation says about itself. The site shows the block, the tests run it.
//
// A fence names its language and its kind: ```js page. Kinds:
// - `page`: a module that runs in a page of real Chromium with the browser's registry on; with `plain`, off.
//   In HTML it is a whole document. `with=NAME` has somebody to talk to: the page's own `worker` block, or a server of
//   playwright/docs_servers.ts in the place of the address that is written.
// - `worker`: a module for a worker, which the blocks `with=worker` of its page start.
// - `node`: a module that runs in Node.
// - `sh run`, `sh serve`, `js call`: of a quick start, a command, a server that is left running, and what an agent does.
// - `file=NAME`: a file of a quick start. `from=PATH`: a part of a file that other tests build and run.
// - `headers`: HTTP headers that a page is served with.
// - `output`: what the block before it prints.
// A comment before a block, <!-- setup … -->, is code that runs first; one after it, <!-- check … -->, is code that
// runs last, with `is(seen, expected)`, and sees every name of the block.

import { marked } from "marked";

const comment = (token, word) => token?.type === "html" && new RegExp(`^<!-- ${word}\\n([^]*)-->\\s*$`).exec(token.raw)?.[1];

/** A fence's words: `{ lang, kind, plain: true, file: "index.html" }`. */
export function words(info = "") {
  const [lang = "", ...rest] = info.trim().split(/\s+/);
  const said = { lang };
  for (const word of rest) {
    const [, key, value] = /^(\w+)=(.+)$/.exec(word) ?? [];
    if (key) said[key] = value;
    else if (said.kind === undefined) said.kind = word;
    else said[word] = true;
  }
  if (said.file) said.kind ??= "file";
  if (said.from) said.kind ??= "part";
  return said;
}

/** Every fenced block of a page, with the code around it that readers do not see, and the output it is to have. */
export function blocksOf(name, markdown) {
  const tokens = marked.lexer(markdown).filter(({ type }) => type !== "space");
  const blocks = [];
  let line = 1;
  const place = new Map();
  let rest = markdown;
  for (const token of tokens) {
    const at = rest.indexOf(token.raw.trimEnd());
    line += rest.slice(0, at).split("\n").length - 1;
    place.set(token, line);
    rest = rest.slice(at);
  }
  tokens.forEach((token, index) => {
    if (token.type !== "code") return;
    const said = words(token.lang);
    if (said.kind === "output") return;
    let after = index + 1;
    const output = tokens[after]?.type === "code" && words(tokens[after].lang).kind === "output" ? tokens[after++].text : undefined;
    blocks.push({ page: name, line: place.get(token), ...said, code: token.text, setup: comment(tokens[index - 1], "setup") ?? "", check: comment(tokens[after], "check"), output });
  });
  return blocks;
}
