// A session of the handshake era has a carrier of its own, on which nothing needs to be rewritten.

/** The peer of one session. */
export function handshakePeer(openPeer) {
  /** Requests that wait for their answer, by their ids, in the order they came. */
  const open = new Map();
  /** The stream for what belongs to no request. */
  let listening;
  const peer = openPeer((message) => {
    if (message.method === undefined) {
      const call = open.get(message.id);
      open.delete(message.id);
      return call?.done(message);
    }
    streamOf(message)?.event(message);
  });

  function streamOf({ id, method, params }) {
    const calls = [...open.values()];
    if (method === "notifications/progress") return calls.find(({ token }) => token === params.progressToken)?.answer;
    // A carrier does not say which call a question or a log message is of: the newest hears it.
    const isOfCall = id !== undefined || ["notifications/message", "notifications/cancelled"].includes(method);
    return (isOfCall && calls.at(-1)?.answer) || listening;
  }

  return {
    /** Sends a request; `done` gets the answer, `answer` what goes before it. A client that leaves cancels nothing. */
    request(message, answer, done) {
      open.set(message.id, { token: message.params?._meta?.progressToken, answer, done });
      answer.onLeave(() => open.delete(message.id));
      peer.send(message);
    },
    /** Passes on what has no answer. */
    pass: (message) => peer.send(message),
    /** Opens the stream for what belongs to no request; a second one takes over. */
    listen(answer) {
      listening?.end();
      listening = answer;
      answer.onLeave(() => (listening = listening === answer ? undefined : listening));
      answer.event();
    },
    close() {
      listening?.end();
      for (const { answer } of open.values()) answer.end();
      open.clear();
      peer.close();
    },
  };
}
