// One of Modelport's servers with so many clients, each over a port of its own that is posted over; they call in turn.

import { insist } from "../payloads.js";

export async function open({ dist, sessions }) {
  const { Client, MessagePortTransport, Server, ToolManager, ready } = await import(`${dist}index.js`);
  await ready();
  const inputSchema = { type: "object", properties: { value: {} }, required: ["value"] };
  const server = new Server({ tools: new ToolManager([{ name: "echo", description: "Returns its argument", inputSchema, execute: ({ value }) => value }]) });
  const own = { heartbeat: 0 };
  const clients = [];
  for (let index = 0; index < sessions; index++) {
    const { port1, port2 } = new MessageChannel();
    const client = new Client();
    await server.connect(new MessagePortTransport(port1, own));
    await client.connect(new MessagePortTransport(port2, own));
    clients.push(client);
  }
  let turn = 0;
  return {
    call: (value) => clients[turn++ % sessions].callTool("echo", { value }),
    check: (answer, payload) => insist(answer.content[0].text, payload, "Modelport"),
    close: () => {
      for (const client of clients) client.close();
      return server.close();
    },
  };
}
