// The official SDK 2.x, both halves, as a page loads them.

export { Client, InMemoryTransport } from "@modelcontextprotocol/client";
export { McpServer, Server, fromJsonSchema } from "@modelcontextprotocol/server";
export { z } from "zod";
