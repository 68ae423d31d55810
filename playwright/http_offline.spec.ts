// `HttpTransport` in a page that has no network.

import { expect, native } from "./everywhere.ts";

native("network")("a page without a network says so", async ({ openPage, expectNoise }) => {
  expectNoise(/net::ERR_/);
  const page = await openPage();
  await page.context().setOffline(true);
  const gone = await page.evaluate(() => kit.outcome(new lib.Client().connect(new lib.HttpTransport("http://127.0.0.1:9/mcp"))));
  expect(gone).toMatchObject({ code: "send-failed", message: expect.stringContaining("cannot be reached") });
  expect(gone.message).not.toContain("CORS");
  await page.context().setOffline(false);
});
