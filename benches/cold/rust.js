// A page whose tools are written in Rust: glue and wasm of its own, published to the browser's registry.

import init, { publish } from "rust-page";

await init({ module_or_path: new URL("rust_page_bg.wasm", import.meta.url) });
await publish();
toolIsThere();
const tool = (await registry.getTools()).find(({ name }) => name === "add");
const { structuredContent } = JSON.parse(await registry.executeTool(tool, { a: 2, b: 3 }));
answered(structuredContent.sum === 5 ? "pong" : "another sum");
