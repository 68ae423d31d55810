// Modelport's client and server. `level` says between what: "page" (createPageServer), "port" (two ports, which find
// out when they share a realm), "posted" (the same with an option of their own, so that every message is posted, as
// between a page and a frame), "rust" (the server and its tool are the page in Rust's).

/** Lets a port be posted over even within one realm: it asks for something. */
const ownOf = ({ level }) => (level === "posted" ? { heartbeat: 0 } : undefined);

async function library(dist) {
  const lib = await import(`${dist}index.js`);
  await lib.ready();
  return lib;
}

const executeOf = (run) => (args, { signal, progress }) => run(args, { signal, progress: (value) => progress({ progress: value }) });
const toolsOf = ({ ToolManager }, { tools, check = "on" }) => new ToolManager(tools.map(({ shape, run, ...tool }) => ({ ...tool, execute: executeOf(run) })), { check });

/** Serves the tools over a port. */
export async function serve(options, port) {
  if (options.level === "rust") return serveRust(port);
  const lib = await library(options.dist);
  const server = new lib.Server({ tools: toolsOf(lib, options) });
  await server.connect(new lib.MessagePortTransport(port, ownOf(options)));
  return () => server.close();
}

async function serveRust(port) {
  const rust = await import("/rust/rust_page.js");
  await rust.default({ module_or_path: "/rust/rust_page_bg.wasm" });
  const served = await rust.serve_echo(port);
  return () => served.free();
}

const faceOf = (client, close) => ({
  about: { protocol: client.protocol },
  client,
  call: (name, args, options) => client.callTool(name, args, options),
  list: async () => (await client.request("tools/list")).tools,
  close,
});

/** A client over a port. */
export async function connect(options, port) {
  const { Client, MessagePortTransport } = await library(options.dist);
  const client = new Client({ protocol: options.protocol ?? "auto" });
  await client.connect(new MessagePortTransport(port, ownOf(options)));
  return faceOf(client, () => client.close());
}

/** Both in one page, without a port. */
export async function inPage(options) {
  const lib = await library(options.dist);
  const { client, stop } = lib.createPageServer({ tools: toolsOf(lib, options), client: { protocol: options.protocol ?? "auto" } });
  await client.connect();
  return faceOf(client, stop);
}
