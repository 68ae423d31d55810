// What the smoke test's projects are written in: one tool, published from wherever it runs.

/** The page of every stack; `head` is what loads its script. */
export const html = (head) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>smoke</title><link rel="icon" href="data:,">${head}</head>
<body></body>
</html>
`;

export const moduleHtml = (src) => html(`<script type="module" src="${src}"></script>`);

const tool = `{
  name: "add",
  description: "Adds two numbers",
  inputSchema: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] },
  execute: ({ a, b }) => ({ sum: a + b }),
}`;

/** A call, and what has to come of it. */
export const call = { name: "add", args: { a: 2, b: 40 }, answer: { sum: 42 } };

/** A script that publishes the tool, importing from `entry`. */
export const app = (entry = "modelport") => `import { createModelContext, ready, ToolManager } from "${entry}";
${publish("")}`;

/** The same with all names members of something, such as the global. */
export const publish = (of) => `
async function main() {
  await ${of}ready();
  const tools = new ${of}ToolManager([${tool}]);
  await ${of}createModelContext().publish(tools);
}

main();
`;

/** A worker of any kind that serves the tool. */
export const server = `import { createScopeServer, ready, ToolManager } from "modelport";

createScopeServer(ready().then(() => ({ tools: new ToolManager([${tool}]) })));
`;

/** A page that publishes what a worker serves; `worker` is the code that makes it. */
export const client = (worker) => `import { connectToWorker, createModelContext, ready, ToolManager } from "modelport";

async function main() {
  await ready();
  const remote = await connectToWorker(${worker});
  await createModelContext().publish(new ToolManager(await remote.tools()));
}

main();
`;

/** A program for Node that serves and calls within itself, with both entries, and says what it saw. */
export const program = `import { createPageServer, ModelportError, ready, ToolManager, version } from "modelport";
import * as inline from "modelport/inline";

let early;
try {
  new ToolManager();
} catch (error) {
  early = error instanceof ModelportError && error.code;
}
const both = [ready(), ready(), inline.ready()];
await Promise.all(both);
const { client, stop } = createPageServer({ tools: new inline.ToolManager([${tool}]), name: "node" });
await client.connect();
const { structuredContent } = await client.callTool("add", ${JSON.stringify(call.args)});
stop();
console.log(JSON.stringify({ early, shared: new Set(both).size, structuredContent, version, document: typeof document }));
`;

const layout = `export default function Layout({ children }) {
  return <html lang="en"><head><link rel="icon" href="data:," /></head><body>{children}</body></html>;
}
`;

const page = `import { ready, ToolManager } from "modelport";
import Tools from "./tools.jsx";

export const dynamic = "force-dynamic";

export default async function Page() {
  await ready();
  return <main><p id="server">{\`the server has \${new ToolManager([${tool}]).size} tool\`}</p><Tools /></main>;
}
`;

const tools = `"use client";
import { createModelContext, ready, ToolManager } from "modelport";
import { useEffect } from "react";

export default function Tools() {
  useEffect(() => {
    const bridge = ready().then(() => {
      const bridge = createModelContext();
      bridge.publish(new ToolManager([${tool}]));
      return bridge;
    });
    return () => void bridge.then((bridge) => bridge.destroy());
  }, []);
  return <p>tools</p>;
}
`;

/** An app of Next.js that uses the package while it renders on the server, and in the page. */
export const next = { "app/layout.jsx": layout, "app/page.jsx": page, "app/tools.jsx": tools };

/** A Manifest V3 extension: a page of its own that publishes what its service worker serves, and a script in others' pages. */
export const extension = {
  "manifest.json": JSON.stringify({
    manifest_version: 3,
    name: "smoke",
    version: "1.0",
    background: { service_worker: "background.js", type: "module" },
    content_scripts: [{ matches: ["http://localhost/*"], js: ["content.js"] }],
    web_accessible_resources: [{ resources: ["*.wasm"], matches: ["http://localhost/*"] }],
    // Isolated pages are keyed by their origin, without which the browser keeps its registry from an extension's pages.
    cross_origin_embedder_policy: { value: "require-corp" },
    cross_origin_opener_policy: { value: "same-origin" },
    content_security_policy: { extension_pages: "script-src 'self' 'wasm-unsafe-eval'; object-src 'self'" },
  }),
  "page.html": moduleHtml("./page.js"),
};
