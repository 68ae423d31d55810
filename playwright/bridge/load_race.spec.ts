// A frame used at its load event: Chromium 156 sometimes leaves such a registry deaf for ever (webmcp.md, 3.14).

import { expect, test } from "./world.ts";

const frames = 120;
const atOnce = 12;

test("C18 frames used at their load event: publish and adopt end within the registry's deadline, however deaf it is", async ({ open, site }) => {
  test.setTimeout(120_000);
  const page = await open();
  const seen = await page.evaluate(async ({ address, frames, atOnce }) => {
    const ends: Record<string, number> = {};
    let slowest = 0;
    const one = async (number: number) => {
      const frame = document.createElement("iframe");
      frame.src = address;
      document.body.append(frame);
      await new Promise((resolve) => (frame.onload = resolve));
      const bridge = lib.createModelContext({ document: frame.contentDocument! })!;
      const started = performance.now();
      const published = kit.outcome(bridge.publish(br.manager(`tool_${number}`)).then(({ registered, skipped }) => (registered.length === 1 ? "registered" : `skipped, ${skipped.map(({ code }) => code)}`)));
      const adopted = kit.outcome(bridge.adopt().then(() => "a list"));
      for (const [what, settling] of Object.entries({ published, adopted })) {
        const end: any = await Promise.race([settling, br.task(12_000).then(() => ({ code: "hangs" }))]);
        const word = `${what}: ${end.code ?? end.value ?? end.name}`;
        ends[word] = (ends[word] ?? 0) + 1;
      }
      slowest = Math.max(slowest, performance.now() - started);
      bridge.destroy();
      frame.remove();
    };
    for (let first = 0; first < frames; first += atOnce) await Promise.all(Array.from({ length: atOnce }, (_, index) => one(first + index)));
    await br.foreign("after").done;
    return { ends, slowest, alive: await br.listed() };
  }, { address: site.blank(), frames, atOnce });
  const usual = ["published: registered", "published: skipped, registry-failed", "adopted: a list", "adopted: registry-failed"];
  expect(Object.keys(seen.ends).filter((end) => !usual.includes(end)), JSON.stringify(seen)).toEqual([]);
  // Five seconds for the registration, five for a listing, and what a busy machine adds.
  expect(seen.slowest).toBeLessThan(11_500);
  expect(seen.alive).toEqual(["after"]);
});
