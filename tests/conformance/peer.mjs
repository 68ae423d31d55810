// One peer of the server under test, in a page and in Node alike: the far end of a MessageChannel.

import { MessagePortTransport } from "../../dist/index.js";

/** Connects a peer whose messages from the server go to `receive`. `{ send(message), close() }`. */
export function openPeer(server, receive) {
  const { port1: near, port2: far } = new MessageChannel();
  const session = server.connect(new MessagePortTransport(far));
  near.onmessage = ({ data }) => receive(data);
  return {
    send: (message) => near.postMessage(message),
    close() {
      near.close();
      session.then(({ close }) => close(), () => {});
    },
  };
}
