// `createPageServer`: a server and its client in one page, joined by a MessageChannel.

import { Client } from "./client.js";
import { ours, Server } from "./server.js";
import { MessagePortTransport } from "./transport.js";
import type { ClientOptions, JsonRpcMessage, ServerOptions } from "./types.js";

export interface PageServerOptions extends ServerOptions {
  client?: ClientOptions & {
    /** Sees every message as the client sees it. */
    trace?: (direction: "send" | "receive", message: JsonRpcMessage) => void;
  };
}

/** A client that needs `await client.connect()`, and the way to end both. */
export interface PageServer {
  client: Client;
  server: Server;
  /** Ends both: running tools are aborted, calls that wait reject with `closed`. */
  stop(): void;
  [Symbol.dispose](): void;
}

/** Serves tools to the page itself. Nothing leaves the page. */
export function createPageServer(options: PageServerOptions): PageServer {
  const { client: clientOptions, ...serverOptions } = options;
  const { port1, port2 } = new MessageChannel();
  const server = new Server(serverOptions);
  const transport = new MessagePortTransport(port1);
  ours.add(transport);
  void server.connect(transport);
  const client = new Client({ ...clientOptions, port: port2 });
  const stop = () => {
    void client.close();
    void server.close();
  };
  return { client, server, stop, [Symbol.dispose]: stop };
}
