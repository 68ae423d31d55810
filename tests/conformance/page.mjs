// The page the server under test lives in. It dials the host, whose peers share one WebSocket:
// a frame is the peer's number and a message, and one without a message ends the peer.

import { ready } from "../../dist/index.js";
import { createFixture } from "./fixture.mjs";
import { openPeer } from "./peer.mjs";

await ready();
const { server, close } = createFixture();
const peers = new Map();
const socket = new WebSocket(new URLSearchParams(location.search).get("host"));

socket.onmessage = ({ data }) => {
  const [number, message] = JSON.parse(data);
  if (!peers.has(number)) peers.set(number, openPeer(server, (answer) => socket.send(JSON.stringify([number, answer]))));
  const peer = peers.get(number);
  if (message !== undefined) return peer.send(message);
  peers.delete(number);
  peer.close();
};
socket.onclose = close;
