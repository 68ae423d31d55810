// A thin HTTP host for a server that speaks over some other carrier: Streamable HTTP of both eras.
// It does what is HTTP's own (statuses, headers, streams, sessions) and leaves every answer to the server.

import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { mismatch } from "./http_headers.mjs";
import { handshakePeer } from "./host_handshake.mjs";
import { statelessPeer } from "./host_stateless.mjs";

const VERSION = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const SESSION = "Mcp-Session-Id";

const handshakeRevisions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
const local = /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

const failure = (code, message, id = null) => ({ jsonrpc: "2.0", id, error: { code, message } });

async function read(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return JSON.parse(Buffer.concat(parts).toString());
}

/** Names a revision without a handshake, be it in the body or, where that was forgotten, in the header. */
function isStateless({ headers }, message) {
  const header = headers["mcp-protocol-version"];
  return message.params?._meta?.[VERSION] !== undefined || (header !== undefined && !handshakeRevisions.includes(header));
}

/** The status that goes with the answer to a stateless request (MCP 2026-07-28, basic/transports/streamable-http). */
function statusOf({ params }, { error }) {
  const meta = params?._meta;
  const isFramed = typeof meta?.[VERSION] === "string" && typeof meta[CAPABILITIES] === "object";
  if (error?.code === -32601) return 404;
  return [-32020, -32021, -32022, -32600].includes(error?.code) || (error?.code === -32602 && !isFramed) ? 400 : 200;
}

/** The answer to one request over HTTP: JSON, unless something else goes before it, which makes it a stream. */
export function answerOf(response) {
  const event = (message) => {
    if (!response.headersSent) response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-cache" });
    // Headers alone open a stream that has nothing to say yet.
    if (message === undefined) return response.flushHeaders();
    response.write(`data: ${JSON.stringify(message)}\n\n`);
  };
  const end = (message, status = 200, headers = {}) => {
    if (response.headersSent) {
      if (message !== undefined) event(message);
      return response.end();
    }
    response.writeHead(status, message === undefined ? headers : { "Content-Type": "application/json", ...headers });
    response.end(message && JSON.stringify(message));
  };
  // Whoever asked went away before the answer.
  const onLeave = (left) => response.on("close", () => response.writableEnded || left());
  return { event, end, onLeave };
}

/**
 * Serves `/mcp` on a loopback port of its own. `openPeer(receive)` opens a carrier to the server, as in
 * peer.mjs. Resolves to `{ url, close() }`.
 */
export async function startHost(openPeer) {
  const stateless = statelessPeer(openPeer);
  const sessions = new Map();

  async function postStateless({ headers }, message, answer) {
    const wrong = mismatch(headers, message, message.method === "tools/call" && (await stateless.toolOf(message)));
    if (wrong) return answer.end(failure(-32020, wrong, message.id), 400);
    if (message.id === undefined) {
      stateless.notify(message);
      return answer.end(undefined, 202);
    }
    stateless.request(message, answer, (outcome) => answer.end(outcome, statusOf(message, outcome)));
  }

  function initialize(message, answer) {
    const name = randomUUID();
    const session = handshakePeer(openPeer);
    session.request(message, answer, (outcome) => {
      if (outcome.error) session.close();
      else sessions.set(name, session);
      answer.end(outcome, 200, outcome.error ? {} : { [SESSION]: name });
    });
  }

  function postInSession(session, message, answer) {
    if (message.method !== undefined && message.id !== undefined) return session.request(message, answer, answer.end);
    session.pass(message);
    answer.end(undefined, 202);
  }

  async function handle(request, answer) {
    if (![request.headers.host, request.headers.origin ?? "localhost"].every((name) => local.test(name))) return answer.end(failure(-32600, "Forbidden"), 403);
    const name = request.headers[SESSION.toLowerCase()];
    const session = sessions.get(name);
    const lost = () => answer.end(failure(-32600, name ? "Session not found" : `${SESSION} is missing`), name ? 404 : 400);
    if (request.method === "POST") {
      let message;
      try {
        message = await read(request);
      } catch {
        return answer.end(failure(-32700, "Parse error"), 400);
      }
      if (message?.jsonrpc !== "2.0") return answer.end(failure(-32600, "Invalid Request"), 400);
      if (isStateless(request, message)) return postStateless(request, message, answer);
      if (message.method === "initialize" && !name) return initialize(message, answer);
      return session ? postInSession(session, message, answer) : lost();
    }
    if (!name || !["GET", "DELETE"].includes(request.method)) return answer.end(undefined, 405, { Allow: "POST, GET, DELETE" });
    if (!session) return lost();
    if (request.method === "GET") return session.listen(answer);
    sessions.delete(name);
    session.close();
    answer.end(undefined, 204);
  }

  const server = createServer((request, response) => {
    const answer = answerOf(response);
    if (request.url !== "/mcp") return answer.end(undefined, 404);
    handle(request, answer).catch((error) => answer.end(failure(-32603, String(error)), 500));
  });
  await new Promise((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/mcp`,
    async close() {
      for (const peer of [stateless, ...sessions.values()]) peer.close();
      await new Promise((resolve) => (server.close(resolve), server.closeAllConnections()));
    },
  };
}
