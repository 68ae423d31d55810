// Every stateless request shares one carrier to the server, since a call that waits for input belongs to the
// carrier it came by, and its next round may come from anywhere.
//
// Clients that know nothing of each other may use the same ids, so each request crosses under a number of the
// host's own. It stands for the id and for the progress token, and on the way back both are as the client
// wrote them; so is the subscription's id, which is the id of the request that listens.

const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";
const LOG_LEVEL = "io.modelcontextprotocol/logLevel";

const withMeta = (part, meta) => ({ ...part, _meta: { ...part._meta, ...meta } });

/** The peer all stateless requests come from. */
export function statelessPeer(openPeer) {
  let last = 0;
  /** Requests that wait for their answer, by our number: what the client wrote, and where its answer goes. */
  const open = new Map();
  const peer = openPeer((message) => (message.method === undefined ? settle(message) : relay(message)));

  function settle(message) {
    const call = open.get(message.id);
    open.delete(message.id);
    if (!call) return;
    const { result } = message;
    const outcome = result?._meta?.[SUBSCRIPTION] === undefined ? {} : { result: withMeta(result, { [SUBSCRIPTION]: call.id }) };
    call.done({ ...message, ...outcome, id: call.id });
  }

  function relay({ params = {}, ...message }) {
    if (message.method === "notifications/progress") {
      const call = open.get(params.progressToken);
      return call?.answer.event({ ...message, params: { ...params, progressToken: call.token } });
    }
    const listen = open.get(params._meta?.[SUBSCRIPTION]);
    if (listen) return listen.answer.event({ ...message, params: withMeta(params, { [SUBSCRIPTION]: listen.id }) });
    // Nothing in a log message says which request it belongs to: the newest that wants any hears it.
    const logged = message.method === "notifications/message" && [...open.values()].findLast((call) => call.wantsLog);
    if (logged) logged.answer.event({ ...message, params });
  }

  function cross({ id, method, params }, answer, done) {
    const number = ++last;
    const token = params?._meta?.progressToken;
    const replaces = typeof token === "string" || Number.isInteger(token);
    open.set(number, { id, token, answer, done, wantsLog: answer !== undefined && params?._meta?.[LOG_LEVEL] !== undefined });
    peer.send({ jsonrpc: "2.0", id: number, method, ...(params !== undefined && { params: replaces ? withMeta(params, { progressToken: number }) : params }) });
    return number;
  }

  return {
    /** Sends a request; `done` gets the answer, `answer` what goes before it. */
    request(message, answer, done) {
      const number = cross(message, answer, done);
      // Closing the response is the cancellation.
      answer.onLeave(() => {
        if (open.delete(number)) peer.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: number } });
      });
    },
    /** Passes a notification on. One that cancels names an id that may be another client's too, and changes nothing. */
    notify(message) {
      if (message.method !== "notifications/cancelled") peer.send(message);
    },
    /** The tool a call names, as it is listed; its schema says which headers go with it. */
    async toolOf({ params }) {
      const { _meta } = params ?? {};
      const { result } = await new Promise((resolve) => cross({ method: "tools/list", params: { _meta } }, undefined, resolve));
      return result?.tools.find(({ name }) => name === params.name);
    },
    close: () => peer.close(),
  };
}
