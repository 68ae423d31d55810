// Declarative forms, adopted and called (C27), and calls that wait for people (C28).

import { expect, test, type Page } from "./world.ts";

const form = (attributes: string) => `<form toolname="order" tooldescription="Orders things" ${attributes}><label>Item <input name="item"></label><button>Order</button></form>`;
const adopt = (page: Page) => page.evaluate(async () => void (br.keep["order"] = await br.adopted("order")));
/** Whether the form waits for a person. */
const active = (page: Page) => page.evaluate(() => document.querySelector("form:tool-form-active") !== null);

test("C27 a form that submits itself answers with what its page responds", async ({ open }) => {
  const page = await open({ body: form("toolautosubmit") });
  await adopt(page);
  const seen = await page.evaluate(async () => {
    document.querySelector("form")!.addEventListener("submit", (event: any) => {
      event.preventDefault();
      event.respondWith(Promise.resolve({ ok: 1, item: new FormData(event.target).get("item"), agent: event.agentInvoked }));
    });
    const { order } = br.keep as any;
    return { schema: order.inputSchema, answer: await order.execute({ item: "tea" }, br.context()), bad: await kit.outcome(order.execute({ nothing: 1 }, br.context())) };
  });
  expect(seen.schema).toMatchObject({ type: "object", properties: { item: { type: "string" } } });
  // The browser hands on a text, which is kept as it is.
  expect(JSON.parse(seen.answer)).toEqual({ ok: 1, item: "tea", agent: true });
  expect(seen.bad).toMatchObject({ code: "tool-error", message: expect.stringContaining("nothing") });
});

test("C27 C28 a form without autosubmit waits for a person, longer than any default, then answers", async ({ open }) => {
  const page = await open({ body: form("") });
  await adopt(page);
  await page.evaluate(() => {
    document.querySelector("form")!.addEventListener("submit", (event: any) => {
      event.preventDefault();
      event.respondWith({ ok: 1 });
    });
    br.keep["call"] = kit.outcome((br.keep as any).order.execute({ item: "tea" }, br.context()));
  });
  await expect.poll(() => active(page)).toBe(true);
  expect(await page.evaluate(() => Promise.race([br.keep["call"], br.task(300).then(() => "pending")]))).toBe("pending");
  await page.click("button");
  expect(await page.evaluate(() => br.keep["call"])).toEqual({ value: '{"ok":1}' });
  expect(await active(page)).toBe(false);
});

test("a name that a form has is blocked by the form", async ({ open }) => {
  const page = await open({ body: form("") });
  const blocked = await page.evaluate(async () => {
    await br.record("order");
    const { blocked } = await br.bridge().publish(br.manager("order"));
    return blocked;
  });
  expect(blocked).toEqual([{ name: "order", by: "form", reason: expect.any(String) }]);
});

test("C27 a cancelled form call rejects with the caller's reason, and the form is at rest", async ({ open }) => {
  const page = await open({ body: form("") });
  await adopt(page);
  await page.evaluate(() => {
    const controller = (br.keep["controller"] = new AbortController());
    br.keep["events"] = br.hear(br.bridge(), "toolcancel");
    br.keep["call"] = kit.outcome((br.keep as any).order.execute({ item: "tea" }, br.context(controller.signal)));
  });
  await expect.poll(() => active(page)).toBe(true);
  const outcome = await page.evaluate(() => (br.keep["controller"].abort("no more tea"), br.keep["call"]));
  expect(outcome).toMatchObject({ message: "no more tea" });
  await expect.poll(() => active(page)).toBe(false);
  expect(await page.evaluate(() => kit.until(() => br.keep["events"].length === 1).then(() => br.keep["events"]))).toEqual([expect.objectContaining({ toolName: "order" })]);
});

test("C27 a form that is removed amid a call ends it with an error", async ({ open }) => {
  const page = await open({ body: form("") });
  await adopt(page);
  await page.evaluate(() => void (br.keep["call"] = kit.outcome((br.keep as any).order.execute({ item: "tea" }, br.context()))));
  await expect.poll(() => active(page)).toBe(true);
  const outcome = await page.evaluate(() => {
    document.querySelector("form")!.remove();
    return Promise.race([br.keep["call"], br.task(5_000).then(() => "hangs")]);
  });
  expect(outcome).toMatchObject({ name: "ModelportError", code: expect.stringMatching(/^tool-(error|gone)$/) });
});

test("C27 a submit handler that calls form.submit() itself still resolves the call, with what the browser makes of a navigation", async ({ open }) => {
  const page = await open({ body: `${form('toolautosubmit action="/dist/version.d.ts" target="sink"')}<iframe name="sink"></iframe>` });
  await adopt(page);
  const answer = await page.evaluate(async () => {
    document.querySelector("form")!.addEventListener("submit", (event) => {
      event.preventDefault();
      (event.target as HTMLFormElement).submit();
    });
    return Promise.race([kit.outcome((br.keep as any).order.execute({ item: "tea" }, br.context())), br.task(5_000).then(() => "hangs")]);
  });
  expect(answer).toEqual({ value: null });
});

test("C27 a form comes and goes in a live manager, and is served over MCP without a deadline", async ({ open }) => {
  const page = await open();
  const seen = await page.evaluate(async (html) => {
    const tools = await br.bridge().adopt({ live: true });
    document.body.insertAdjacentHTML("beforeend", html);
    await kit.until(() => tools.has("order"));
    document.querySelector("form")!.addEventListener("submit", (event: any) => (event.preventDefault(), event.respondWith({ ok: 1 })));
    const { client, stop } = lib.createPageServer({ tools });
    await client.connect();
    const call = client.callTool("order", { item: "tea" }, { timeout: 0 });
    await kit.until(() => document.querySelector("form:tool-form-active"));
    document.querySelector("button")!.click();
    const result = await call;
    document.querySelector("form")!.remove();
    await kit.until(() => tools.size === 0);
    stop();
    return result.content;
  }, form(""));
  expect(seen).toEqual([{ type: "text", text: '{"ok":1}' }]);
});

test("C28 a call that waits for a person for longer than a minute is not cut off, by whatever way it came", async ({ open }) => {
  const page = await open({ body: form("") });
  await adopt(page);
  // Our timers are the page's; the browser's own registry keeps its time elsewhere.
  await page.clock.install();
  await page.evaluate(async () => {
    document.querySelector("form")!.addEventListener("submit", (event: any) => (event.preventDefault(), event.respondWith({ ok: 1 })));
    const tools = await br.bridge().adopt({ live: true });
    await kit.until(() => tools.has("order"));
    const { client, stop } = lib.createPageServer({ tools });
    br.later(stop);
    await client.connect();
    const [remote] = await client.tools();
    const deaf = lib.createPageServer({ tools: new lib.ToolManager([br.tool("never", () => new Promise(() => {}))]) });
    br.later(deaf.stop);
    await deaf.client.connect();
    Object.assign(br.keep, {
      ways: { adopted: () => (br.keep as any).order.execute({ item: "tea" }, br.context()), manager: () => tools.call("order", { item: "tea" }), mcp: () => remote!.execute({ item: "tea" }, br.context()) },
      limited: () => kit.outcome(deaf.client.callTool("never")),
    });
  });
  for (const way of ["adopted", "manager", "mcp"]) {
    await page.evaluate((way) => {
      br.keep["settled"] = false;
      br.keep["limit"] = br.keep["limited"]();
      br.keep["call"] = kit.outcome(br.keep["ways"][way]()).finally(() => (br.keep["settled"] = true));
    }, way);
    await expect.poll(() => active(page)).toBe(true);
    await page.clock.fastForward("01:05");
    // A call with the client's usual minute did end, so it is our clock that ran.
    expect(await page.evaluate(() => br.keep["limit"])).toMatchObject({ code: "timeout" });
    expect(await page.evaluate(() => br.keep["settled"]), way).toBe(false);
    await page.click("button");
    expect(JSON.stringify(await page.evaluate(() => br.keep["call"])), way).toContain('{\\"ok\\":1}');
  }
});
