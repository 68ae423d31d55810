// npm run examples [-- name …]: builds the examples in Rust and serves them.

import { Trouble, main, say } from "./lib/say.mjs";
import { exampleHeaders, exampleRoots, examples, rustPages } from "./rust_pages.mjs";
import { serve } from "./serve.mjs";

await main(async (names) => {
  const wrong = names.find((name) => !examples.includes(name));
  if (wrong) throw new Trouble(`There is no example "${wrong}".`, `npm run examples -- [${examples.join("|")}]`);
  const wanted = names.length ? names : examples;
  await rustPages(wanted);
  const { url } = await serve({ port: 8090, roots: exampleRoots, headers: exampleHeaders, home: `/${wanted[0]}/` });
  say(`\n${wanted.map((name) => `  ${url}/${name}/`).join("\n")}\n  Ctrl-C stops it. Chromium needs --enable-features=WebMCP for agents to come.\n`);
  return new Promise(() => {});
});
