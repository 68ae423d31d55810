// The official SDK 2.x as pages load it: both halves, its in-memory pair of transports, and the
// function that serves both eras of the protocol on one carrier.

export { Client, InMemoryTransport } from "@modelcontextprotocol/client";
export { McpServer, ResourceTemplate, acceptedContent, completable, inputRequired, InMemoryTransport as ServerInMemoryTransport } from "@modelcontextprotocol/server";
export { serveStdio } from "@modelcontextprotocol/server/stdio";
export { z } from "zod";
