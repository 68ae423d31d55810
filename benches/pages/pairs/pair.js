// A client and a server of one contestant, in one page: over the two ports of a channel, or by a way of their own.

/** `{ call(name, args, { signal, progress }), list(), close() }`, and what the contestant has beside. */
export async function makePair({ pair, ...options }) {
  const kind = await import(`./${pair}.js`);
  if (options.level === "page" || pair === "mcpb") return kind.inPage(options);
  const { port1, port2 } = new MessageChannel();
  const end = await kind.serve(options, port1);
  const face = await kind.connect(options, port2);
  return { ...face, close: async () => (await face.close(), await end?.()) };
}
