// npm run bench: set up, build, and measure side by side. Arguments go to benches/run.mjs.

import { build } from "./build.mjs";
import { paths } from "./lib/paths.mjs";
import { loud } from "./lib/run.mjs";
import { main, step } from "./lib/say.mjs";
import { browser } from "./setup/browser.mjs";

await main(async (words) => {
  await build();
  const { program, version } = await browser();
  step(`benchmarks in Chromium ${version}`);
  return loud(process.execPath, [paths.at("benches", "run.mjs"), ...words], { env: { CHROME_PATH: program } });
});
