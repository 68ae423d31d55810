// A client by hand, for what loads a server alone: the handshake over a transport, and one call of the tool `ping`.

export async function askByHand(near) {
  const waiting = new Map();
  near.onmessage = ({ id, result }) => waiting.get(id)?.(result);
  await near.start();
  const ask = (id, method, params) =>
    new Promise((resolve) => {
      waiting.set(id, resolve);
      near.send({ jsonrpc: "2.0", id, method, params });
    });
  await ask(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1.0.0" } });
  near.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  return (await ask(2, "tools/call", { name: "ping", arguments: {} })).content[0].text;
}
