// How much memory some steps leave behind, after collections forced through the DevTools protocol.

/** Bytes in use: the JavaScript heap, and what hangs on it outside (buffers, wasm memory, DOM objects). */
async function inUse(devtools) {
  // What a first collection frees may hold more that only the next one finds.
  for (let time = 0; time < 3; time++) await devtools.send("HeapProfiler.collectGarbage");
  const { usedSize, embedderHeapUsedSize = 0, backingStorageSize = 0 } = await devtools.send("Runtime.getHeapUsage");
  return usedSize + embedderHeapUsedSize + backingStorageSize;
}

/** Runs the steps and resolves to the growth in bytes. */
export async function heapSteps(room, { steps }) {
  const devtools = await room.page.context().newCDPSession(room.page);
  await devtools.send("HeapProfiler.enable");
  const before = await inUse(devtools);
  for (const step of steps) await room.measure("once", { step });
  const grown = (await inUse(devtools)) - before;
  await devtools.detach();
  return { figures: [grown], mean: grown };
}
