// The stacks of the smoke test: how each gets from its sources to a page with a tool. Each resolves to
// `{ url, output, wasm, expected }`: what to open, where the wasm files are counted, how many there have to be (1), and
// what the stack itself says on the console.

import { readFileSync, writeFileSync } from "node:fs";
import { project } from "./kit.mjs";
import { app, client, html, moduleHtml, next, publish, server } from "./sources.mjs";

const importMap = `<script type="importmap">{ "imports": { "modelport": "./node_modules/modelport/dist/index.js" } }</script>`;
const moduleScript = (src) => `<script type="module" src="${src}"></script>`;
const esbuild = (one, ...args) => one.run("esbuild", ...args, "--bundle", "--minify", "--outdir=out", "--log-level=warning");
/** What esbuild and Rollup leave to whoever builds: the wasm beside the script. */
const copyWasm = (one) => one.run("cp", "node_modules/modelport/dist/modelport.wasm", "out/");

const vite = (release) => ({
  [`${release}, dev`]: async () => {
    const one = await project("vite-dev", { "index.html": moduleHtml("/app.js"), "app.js": app() }, [release]);
    const url = await one.start((port) => ["node", `node_modules/${release}/bin/vite.js`, "--port", port, "--strictPort", "--host", "localhost"].map(String));
    return { url, output: one.at("node_modules", "modelport"), expected: [/^console\.debug: \[vite\]/] };
  },
  [`${release}, build`]: async () => {
    const one = await project("vite-build", { "index.html": moduleHtml("/app.js"), "app.js": app() }, [release]);
    await one.run("node", `node_modules/${release}/bin/vite.js`, "build");
    return { url: await one.serve("dist"), output: one.at("dist") };
  },
});

export const stacks = {
  "plain HTML": async () => {
    const one = await project("plain", { "index.html": html(importMap + moduleScript("./app.js")), "app.js": app() });
    return { url: await one.serve(), output: one.folder };
  },

  "plain HTML, strict policy": async () => {
    const one = await project("policy", { "index.html": moduleHtml("./app.js"), "app.js": app("./node_modules/modelport/dist/index.js") });
    const headers = { "Content-Security-Policy": "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src data:" };
    return { url: await one.serve("", { headers }), output: one.folder };
  },

  "classic script (global)": async () => {
    const one = await project("global", { "index.html": html(`<script src="./node_modules/modelport/dist/global.js"></script><script src="./app.js"></script>`), "app.js": publish("modelport.") });
    return { url: await one.serve(), output: one.folder };
  },

  "one file (inline)": async () => {
    const one = await project("inline", { "app.js": app("modelport/inline") }, ["esbuild"]);
    await esbuild(one, "app.js", "--format=iife");
    writeFileSync(one.at("out", "index.html"), html(`<script>${readFileSync(one.at("out", "app.js"), "utf8")}</script>`));
    return { url: await one.serve("out"), output: one.at("out"), wasm: 0, requests: 1 };
  },

  ...vite("vite"),
  "vite6, dev": vite("vite6")["vite6, dev"],

  webpack: async () => {
    const config = `export default { mode: "production", entry: "./app.js" };\n`;
    const one = await project("webpack", { "dist/index.html": html(`<script src="main.js" defer></script>`), "app.js": app(), "webpack.config.js": config }, ["webpack", "webpack-cli"]);
    await one.run("webpack");
    return { url: await one.serve("dist"), output: one.at("dist") };
  },

  esbuild: async () => {
    const one = await project("esbuild", { "out/index.html": moduleHtml("./app.js"), "app.js": app() }, ["esbuild"]);
    await esbuild(one, "app.js", "--format=esm");
    await copyWasm(one);
    return { url: await one.serve("out"), output: one.at("out") };
  },

  rollup: async () => {
    const config = `import resolve from "@rollup/plugin-node-resolve";\nexport default { input: "app.js", output: { dir: "out" }, plugins: [resolve({ browser: true })] };\n`;
    const one = await project("rollup", { "out/index.html": moduleHtml("./app.js"), "app.js": app(), "rollup.config.js": config }, ["rollup", "@rollup/plugin-node-resolve"]);
    await one.run("rollup", "-c", "--silent", "--failAfterWarnings");
    await copyWasm(one);
    return { url: await one.serve("out"), output: one.at("out") };
  },

  "Next.js": async () => {
    const one = await project("next", next, ["next", "react", "react-dom"]);
    await one.run("next", "build");
    const url = await one.start((port) => ["next", "start", "--port", String(port), "--hostname", "localhost"]);
    const rendered = await (await fetch(url)).text();
    if (!rendered.includes("the server has 1 tool")) throw new Error(`the server rendered: ${rendered.slice(0, 500)}`);
    return { url, output: one.at(".next") };
  },

  "web worker (vite)": async () => {
    const files = { "index.html": moduleHtml("/app.js"), "app.js": client(`new Worker(new URL("./worker.js", import.meta.url), { type: "module" })`), "worker.js": server };
    const one = await project("worker", { ...files, "vite.config.js": `export default { worker: { format: "es" } };\n` }, ["vite"]);
    await one.run("vite", "build");
    return { url: await one.serve("dist"), output: one.at("dist") };
  },

  "service worker (esbuild)": async () => {
    const registered = `(await navigator.serviceWorker.register("service.js", { type: "module" }), (await navigator.serviceWorker.ready).active)`;
    const one = await project("service", { "out/index.html": moduleHtml("./app.js"), "app.js": client(registered), "service.js": server }, ["esbuild"]);
    await esbuild(one, "app.js", "service.js", "--format=esm");
    await copyWasm(one);
    return { url: await one.serve("out"), output: one.at("out") };
  },
};
