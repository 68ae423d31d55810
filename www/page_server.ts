// `createPageServer`: a server and its client in one page.

import { Client } from "./client.js";
import { pagePorts } from "./page_port.js";
import { Server } from "./server.js";
import { MessagePortTransport } from "./transport.js";
import type { ClientOptions } from "./client_types.js";
import type { ServerOptions } from "./server_types.js";
import type { JsonRpcMessage } from "./types.js";

/** The server's options, and those of its client. */
export interface PageServerOptions extends ServerOptions {
  /** The options of the client, which belongs to the page. */
  client?: ClientOptions & {
    /** Sees every message as the client sees it. */
    trace?: (direction: "send" | "receive", message: JsonRpcMessage) => void;
  };
}

/** A client that needs `await client.connect()`, and the way to end both. */
export interface PageServer {
  /** The page's own client. It needs `await client.connect()`. */
  client: Client;
  /** The server, which may be connected to others too. */
  server: Server;
  /** Ends both: running tools are aborted, calls that wait reject with `closed`. */
  stop(): void;
  [Symbol.dispose](): void;
}

/** Serves tools to the page itself. Nothing leaves the page. */
export function createPageServer(options: PageServerOptions): PageServer {
  const { client: clientOptions, ...serverOptions } = options;
  const [near, far] = pagePorts();
  const server = new Server(serverOptions);
  void server.connect(new MessagePortTransport(far));
  const client = new Client({ ...clientOptions, port: near });
  const stop = () => {
    void client.close();
    void server.close();
  };
  return { client, server, stop, [Symbol.dispose]: stop };
}
