// The floors of carriers that leave the page, or its thread: a payload goes to a worker, through a socket or in a
// POST, and comes back. No envelope, no ids: answers keep the order of what was sent.

import { insist } from "../payloads.js";
import { openFarEnd } from "../places.js";

async function overPort(place) {
  const { port, close } = await openFarEnd(place);
  return { send: (value) => port.postMessage(value), hear: (heard) => (port.onmessage = ({ data }) => heard(data)), close };
}

/** What sends, and what tells of the next answer. */
const carriers = {
  worker: () => overPort("worker"),
  frame: () => overPort("frame"),
  /** Within one window: both ends hear everything and have to tell what is theirs. */
  window: async () => {
    let heard;
    const listen = ({ data, source }) => {
      if (source !== window) return;
      if ("there" in data) postMessage({ back: data.there }, location.origin);
      else if ("back" in data) heard(data.back);
    };
    addEventListener("message", listen);
    return { send: (value) => postMessage({ there: value }, location.origin), hear: (hear) => (heard = hear), close: () => removeEventListener("message", listen) };
  },
  socket: async ({ port }) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/bare`);
    await new Promise((resolve) => (socket.onopen = resolve));
    return { send: (value) => socket.send(JSON.stringify(value)), hear: (heard) => (socket.onmessage = ({ data }) => heard(JSON.parse(data))), close: () => socket.close() };
  },
  http: async ({ port }) => {
    let heard;
    const headers = { "Content-Type": "application/json" };
    const send = async (value) => heard(await (await fetch(`http://127.0.0.1:${port}/bare`, { method: "POST", headers, body: JSON.stringify(value) })).json());
    return { send, hear: (hear) => (heard = hear), close: () => {} };
  },
};

export async function open({ carrier, port }) {
  const { send, hear, close } = await carriers[carrier]({ port });
  const waiting = [];
  let first = 0;
  hear((value) => {
    const resolve = waiting[first++];
    if (first === waiting.length) waiting.length = first = 0;
    resolve(value);
  });
  return {
    call: (payload) => new Promise((resolve) => {
      waiting.push(resolve);
      send(payload);
    }),
    check: (answer, payload) => insist(answer, payload, `the bare ${carrier}`),
    close,
  };
}
