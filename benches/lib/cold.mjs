// Cold starts: a fresh browser context with nothing cached loads one script, and then loads it again until the
// browser keeps what it compiled. Once as the machine is, once with a slow processor and a slow network.

import { median } from "./stats.mjs";

/** Four times slower, 10 Mbit/s each way, 40 ms there and back. */
const slow = { rate: 4, network: { offline: false, latency: 40, downloadThroughput: 1_250_000, uploadThroughput: 1_250_000 } };

/** Chromium keeps compiled code of a script it has run often enough; what comes then is warm. */
const untilWarm = 2;
const warmLoads = 2;

async function throttle(page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", slow.network);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: slow.rate });
}

/** One contestant's starts in a context of its own: `{ "plain cold tool": ms, … }`. */
async function starts(browser, url, script, speed) {
  const context = await browser.newContext();
  try {
    const once = async () => {
      const page = await context.newPage();
      const faults = [];
      page.on("pageerror", (error) => faults.push(error.message));
      await page.goto(`${url}/pages/cold.html`);
      if (speed === "slow") await throttle(page);
      const times = await page.evaluate((address) => load(address), `/cold/${script}.js`).catch((error) => Promise.reject(new Error(faults[0] ?? error.message)));
      await page.close();
      return times;
    };
    const cold = await once();
    for (let run = 0; run < untilWarm; run++) await once();
    const warm = [];
    for (let run = 0; run < warmLoads; run++) warm.push(await once());
    const of = (name) => median(warm.map((times) => times[name]));
    return { [`${speed} cold tool`]: cold.tool, [`${speed} cold call`]: cold.call, [`${speed} warm tool`]: of("tool"), [`${speed} warm call`]: of("call") };
  } finally {
    await context.close();
  }
}

/** All contestants, one after the other in this order, into `figures` and `failures`. */
export async function coldSet(browser, site, order, figures, failures) {
  for (const speed of ["plain", "slow"]) {
    for (const { id, script } of order) {
      if (failures[id]) continue;
      try {
        for (const [name, time] of Object.entries(await starts(browser, site.url, script, speed))) {
          const own = ((figures[name] ??= {})[id] ??= { each: [], means: [] });
          own.each.push(time);
          own.means.push(time);
        }
      } catch (error) {
        failures[id] = error.message.split("\n")[0];
      }
    }
  }
}
