// Opens the page the server under test lives in, in Chromium, and carries its peers over one WebSocket.

import { once } from "node:events";
import { WebSocketServer } from "ws";
import { chromium } from "@playwright/test";
import { quiet } from "../../scripts/lib/chromium.mjs";
import { paths } from "../../scripts/lib/paths.mjs";
import { say } from "../../scripts/lib/say.mjs";
import { serve } from "../../scripts/serve.mjs";
import { browser } from "../../scripts/setup/browser.mjs";

/** `{ openPeer, close() }` for a server in a page. */
export async function openPage() {
  const site = await serve({ roots: { "/tests/conformance/": paths.at("tests", "conformance") } });
  const sockets = new WebSocketServer({ port: 0, host: "127.0.0.1", verifyClient: ({ origin }) => origin === site.url });
  await once(sockets, "listening");
  const { program } = await browser();
  const chrome = await chromium.launch({ executablePath: program, args: quiet });
  const close = async () => {
    await chrome.close();
    sockets.close();
    await site.close();
  };
  try {
    const page = await chrome.newPage();
    page.on("pageerror", (error) => say(`The page: ${error.stack}`));
    const dialled = once(sockets, "connection", { signal: AbortSignal.timeout(20_000) });
    await page.goto(`${site.url}/tests/conformance/page.html?host=ws://127.0.0.1:${sockets.address().port}`);
    const [socket] = await dialled;
    return { openPeer: peersOver(socket), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Peers by their numbers, as page.mjs knows them. */
function peersOver(socket) {
  const peers = [];
  socket.on("message", (data) => {
    const [number, message] = JSON.parse(data);
    peers[number]?.(message);
  });
  return (receive) => {
    const number = peers.push(receive) - 1;
    return {
      send: (message) => socket.send(JSON.stringify([number, message])),
      close() {
        delete peers[number];
        socket.send(JSON.stringify([number]));
      },
    };
  };
}
