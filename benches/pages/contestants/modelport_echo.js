// Modelport: page client, page server, a tool in JavaScript that returns its argument; or, with `carrier: "port"`,
// the same client and server over the two ports of a MessageChannel; or, with "posted", with an option of their own,
// which lets them post even within one page.
// A string comes back as a text block, records as `structuredContent`, as MCP has it.

import { insist } from "../payloads.js";

const echo = {
  name: "echo",
  description: "Returns its argument",
  inputSchema: { type: "object", properties: { value: {} }, required: ["value"] },
};

const returns = {
  /** Records in an MCP result, so that they travel once. */
  result: ({ value }) => (typeof value === "string" ? value : { content: [], structuredContent: { value } }),
  /** An object as it is, for which MCP wants the same as text too. */
  object: ({ value }) => ({ value }),
};

export async function open({ dist, protocol = "auto", handler = "result", others = 0, carrier = "page" }) {
  const { Client, MessagePortTransport, Server, ToolManager, createPageServer, ready } = await import(`${dist}index.js`);
  await ready();
  const tools = new ToolManager([{ ...echo, execute: returns[handler] }]);
  for (let index = 0; index < others; index++) tools.add({ ...echo, name: `other_${index}`, execute: () => "" });
  const { client, stop } = carrier === "page" ? createPageServer({ tools, client: { protocol } }) : await overPorts();
  if (carrier === "page") await client.connect();

  async function overPorts() {
    const { port1, port2 } = new MessageChannel();
    const [server, client] = [new Server({ tools }), new Client({ protocol })];
    const own = carrier === "posted" ? { heartbeat: 0 } : undefined;
    await server.connect(new MessagePortTransport(port1, own));
    await client.connect(new MessagePortTransport(port2, own));
    return { client, stop: () => (client.close(), server.close()) };
  }

  return {
    about: { protocol: client.protocol },
    call: (value) => client.callTool("echo", { value }),
    check: (answer, payload) =>
      insist(typeof payload === "string" ? answer.content[0].text : answer.structuredContent.value, payload, `Modelport (${protocol})`),
    close: stop,
  };
}
