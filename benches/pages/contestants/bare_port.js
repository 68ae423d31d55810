// The platform's floor: a payload goes through a MessageChannel and comes back, and a promise says so.
// No envelope, no ids: the port keeps the order, so the first that waits is the one that is answered.
// `wrap` and `unwrap` say in which form it travels.

import { insist } from "../payloads.js";

const forms = {
  clone: { wrap: (value) => value, unwrap: (data) => data },
  text: { wrap: (value) => JSON.stringify(value), unwrap: (data) => JSON.parse(data) },
};

export async function open({ form }) {
  const { wrap, unwrap } = forms[form];
  const { port1: near, port2: far } = new MessageChannel();
  const waiting = [];
  let first = 0;
  far.onmessage = ({ data }) => far.postMessage(wrap(unwrap(data)));
  near.onmessage = ({ data }) => {
    const resolve = waiting[first++];
    if (first === waiting.length) waiting.length = first = 0;
    resolve(unwrap(data));
  };
  return {
    call: (payload) =>
      new Promise((resolve) => {
        waiting.push(resolve);
        near.postMessage(wrap(payload));
      }),
    check: (answer, payload) => insist(answer, payload, `the bare port (${form})`),
    close: () => near.close(),
  };
}
