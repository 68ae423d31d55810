// A server that is a process of its own, to be killed: the library and a WebSocket server in Node. It
// prints the port it listens on. Its arguments are the folders of dist and of the tests' bundles.

import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { WebSocketServer } from "ws";

const [dist, bundles] = process.argv.slice(2);
const lib = await import(pathToFileURL(`${dist}/index.js`));
const { serverOf } = await import(pathToFileURL(`${bundles}/points.js`));
await lib.ready(await readFile(`${dist}/modelport.wasm`));
const server = serverOf(lib, () => {});

/** A connection as the official SDK's `Transport`. */
const wire = (socket) => ({
  async start() {
    socket.on("message", (data) => this.onmessage?.(JSON.parse(String(data))));
    socket.on("close", () => this.onclose?.());
  },
  send: async (message) => socket.send(JSON.stringify(message)),
  close: async () => socket.close(),
});

const listener = new WebSocketServer({ host: "127.0.0.1", port: 0, handleProtocols: () => "mcp" });
listener.on("connection", (socket) => server.connect(wire(socket)));
listener.on("listening", () => process.stdout.write(`${listener.address().port}`));
