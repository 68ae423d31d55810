// The echo of one of the pairs whose server is in a worker or a frame, its client in the page.

import { insistOnEcho } from "../echo_tool.js";
import { openFarEnd } from "../places.js";

export async function open({ pair, place, ...options }) {
  const { port, frame, close } = await openFarEnd(place, { pair, ...options });
  const kind = await import(`../pairs/${pair}.js`);
  const client = pair === "mcpb" ? await kind.toFrame(frame) : await kind.connect(options, port);
  return {
    about: client.about,
    call: (value) => client.call("echo", { value }),
    check: (answer, payload) => insistOnEcho(answer, payload, `${pair} in a ${place}`),
    close: async () => {
      await client.close();
      close();
    },
  };
}
