// Every limit a page may set, with its default and what a peer is told when it is met.

/** Bounds on what a peer can make this page hold, and durations. Those that are left out are as by default. */
export interface Limits {
  /** Characters of one message that comes as text; a longer one is answered `parse-error` (-32700) unread. Default 67,108,864. */
  messageLength?: number;
  /** How deep the parameters of a request, or a result, may nest; deeper is `invalid-params` (-32602), or `invalid-response` to a client's caller. Default 200. */
  depth?: number;
  /** Values in the parameters of a request, or in a result; more is the same. Default 1,000,000. */
  values?: number;
  /** How deep `_meta` may nest; deeper is `invalid-params`. Default 8. */
  metaDepth?: number;
  /** Values in `_meta`; more is `invalid-params`. Default 256. */
  metaValues?: number;
  /** Characters of all names and strings in `_meta`; more is `invalid-params`. Default 16,384. */
  metaLength?: number;
  /** Calls of one peer that may run at once, and questions of a server that may be open; one more is `internal-error` (-32603). Default 4,096. */
  callsInFlight?: number;
  /** What the requests of one peer that run may weigh: characters of names and strings, bytes, and eight for each value; one more is `internal-error`. Default 268,435,456. */
  bytesInFlight?: number;
  /** Requests and notifications of one peer in a second; one more request is `internal-error`, one more notification is passed over and reported. Default 1,000,000; 0 is no limit. */
  messagesPerSecond?: number;
  /** Subscriptions of one peer, resources and tasks it names included; one more is `internal-error`. Default 1,024. */
  subscriptions?: number;
  /** How often one call may ask for input; asking again rejects with `internal-error`. A client gives such a call up. Default 16. */
  inputRounds?: number;
  /** Calls of one stateless peer that may wait for input at once; asking in one more rejects with `internal-error`. Default 64. */
  parkedCalls?: number;
  /** Milliseconds a call waits for input before it is given up. Default 600,000. */
  inputWait?: number;
  /** Entries in one page of a list; 0 is all of them. Default 0. */
  pageSize?: number;
  /** Pages a client follows of one list; one more is `invalid-response`. Default 1,000. */
  listPages?: number;
  /** Entries a client takes of one list; one more is `invalid-response`. Default 100,000. */
  listEntries?: number;
  /** Answers a client keeps while they are fresh. Default 256. */
  cachedAnswers?: number;
  /** Milliseconds a client waits for an answer; 0 is for ever. Default 60,000. */
  requestTimeout?: number;
  /** Milliseconds a client waits for the answer to its probe before it tries the handshake. Default 2,000. */
  probeTimeout?: number;
  /** Whether a client takes an answer under its number written as a string for its own, as some servers send it. Default false. */
  lenientIds?: boolean;
}
