// A client and a server of one contestant, in one page: over the two ports of a channel, or by a way of their own.

const channel = () => {
  const { port1, port2 } = new MessageChannel();
  return [port1, port2];
};

/** `{ call(name, args, { signal, progress }), list(), close() }`, and what the contestant has beside. */
export async function makePair({ pair, ...options }) {
  const kind = await import(`./${pair}.js`);
  if (options.level === "page" || pair === "mcpb") return kind.inPage(options);
  const [far, near] = options.form === "memory" ? await kind.inMemory() : channel();
  const end = await kind.serve(options, far);
  const face = await kind.connect(options, near);
  return { ...face, close: async () => (await face.close(), await end?.()) };
}
