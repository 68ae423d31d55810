// A call whose tool reports its progress so many times. Each notice must have come, in order, before the answer.

import { makePair } from "../pairs/pair.js";

export async function open({ pair, notices, ...options }) {
  const stream = {
    name: "stream",
    description: "Reports its progress",
    inputSchema: { type: "object", properties: {} },
    shape: () => ({}),
    async run(_args, { progress }) {
      if (!progress) throw new Error("its tools cannot report progress");
      const sent = [];
      for (let index = 1; index <= notices; index++) sent.push(progress(index));
      await Promise.all(sent);
      return { content: [] };
    },
  };
  const { call, close } = await makePair({ pair, ...options, tools: [stream] });
  return {
    async call() {
      const heard = [];
      const { isError, content } = await call("stream", {}, { progress: ({ progress }) => void heard.push(progress) });
      if (isError) throw new Error(content[0].text);
      return heard;
    },
    check: (heard) => {
      if (heard.length !== notices || heard.some((value, index) => value !== index + 1)) throw new Error(`${heard.length} of ${notices} notices came in order`);
    },
    close,
  };
}
