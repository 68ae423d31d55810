// Live adoption: a manager that follows the registry.

import { expect, test, type Page } from "./world.ts";

const frameWith = (page: Page, id: string, tools: Record<string, string>) => page.evaluate(async ({ id, tools }) => {
  const frame = document.body.appendChild(document.createElement("iframe"));
  frame.id = id;
  await br.task(80);
  for (const [name, answer] of Object.entries(tools)) await (frame.contentDocument as any).modelContext.registerTool({ name, description: `${name} of ${id}`, execute: () => answer });
}, { id, tools });

test("live: follows register, unregister and re-register, and calls what is there now", async ({ world }) => {
  const seen = await world.owner.evaluate(async () => {
    const tools = await br.bridge().adopt({ live: true });
    const changes: string[] = [];
    tools.addEventListener("change", ({ added, removed }) => changes.push(`+${added} -${removed}`));
    const names = () => [...tools].map(({ name }) => name).sort().join();
    const text = async (name: string) => ((await tools.call(name)).content[0] as any)?.text;
    const empty = tools.size;
    const a = br.foreign("a", () => "one");
    await kit.until(() => names() === "a");
    const first = await text("a");
    const identity = tools.get("a");
    br.foreign("b");
    await kit.until(() => names() === "a,b");
    const kept = tools.get("a") === identity;
    a.release();
    await kit.until(() => names() === "b");
    br.foreign("a", () => "two", { description: "other" });
    await kit.until(() => names() === "a,b");
    const again = await text("a");
    return { isManager: tools instanceof lib.ToolManager, empty, first, kept, again, description: tools.get("a")?.description, changes };
  });
  expect(seen).toEqual({ isManager: true, empty: 0, first: "one", kept: true, again: "two", description: "other", changes: ["+a -", "+b -", "+ -a", "+a -"] });
});

test("C12 live: frames that come, go and navigate are followed, equal names stay apart and stable", async ({ open }) => {
  const page = await open();
  await page.evaluate(async () => {
    br.foreign("greet", () => "top");
    const tools = (br.keep["tools"] = await br.bridge().adopt({ live: true }));
    br.keep["names"] = () => [...tools].map(({ name }) => name).sort().join();
    br.keep["text"] = async (name: string) => ((await tools.call(name)).content[0] as any)?.text;
    await kit.until(() => tools.size === 1);
  });
  await frameWith(page, "one", { greet: "frame one", ping: "pong" });
  const joined = await page.evaluate(async () => {
    const { names, text } = br.keep as any;
    await kit.until(() => names() === "greet,greet-2,ping");
    return [await text("greet"), await text("greet-2"), await text("ping")];
  });
  expect(joined).toEqual(["top", "frame one", "pong"]);
  await frameWith(page, "two", { greet: "frame two" });
  const three = await page.evaluate(async () => {
    const { names, text, tools } = br.keep as any;
    await kit.until(() => names() === "greet,greet-2,greet-3,ping");
    document.querySelector("#one")!.remove();
    await kit.until(() => names() === "greet,greet-3");
    return [await text("greet"), await text("greet-3"), tools.has("greet-2")];
  });
  expect(three).toEqual(["top", "frame two", false]);
  const left = await page.evaluate(async () => {
    const { names } = br.keep as any;
    document.querySelector<HTMLIFrameElement>("#two")!.src = "/blank/0";
    await kit.until(() => names() === "greet");
    document.body.insertAdjacentHTML("beforeend", "<div><div><iframe></iframe></div></div>");
    return names();
  });
  expect(left).toBe("greet");
});

test("live: own tools stay out, and destroy empties it", async ({ world }) => {
  const seen = await world.owner.evaluate(async () => {
    const bridge = br.bridge();
    await bridge.publish(br.manager("ours"));
    await br.foreign("theirs").done;
    const tools = await bridge.adopt({ live: true });
    const names = [...tools].map(({ name }) => name);
    bridge.destroy();
    const after = tools.size;
    br.foreign("later");
    await br.quiet();
    return { names, after, later: tools.size };
  });
  expect(seen).toEqual({ names: ["theirs"], after: 0, later: 0 });
});

for (const how of ["one bridge", "two bridges"] as const) {
  test(`C16 publishing what is adopted live never feeds back: ${how}`, async ({ world }) => {
    const seen = await world.owner.evaluate(async (how) => {
      await br.foreign("theirs").done;
      const bridge = br.bridge();
      await bridge.publish(br.manager("ours"));
      const live = await bridge.adopt({ live: true });
      const other = how === "one bridge" ? bridge : br.bridge();
      const report = await kit.outcome(other.publish(live, { names: "map" }));
      if (how === "one bridge") await kit.outcome(bridge.publish(br.manager("ours")));
      await br.quiet();
      const native = await br.watch();
      await br.task(1_000);
      return { report, listed: (await br.listed()).length, changes: native.count, live: live.size };
    }, how);
    expect(seen).toMatchObject({ listed: 2, changes: 0, live: 1 });
  });
}

test("C14 a tool that adds a tool to its own manager: list_changed comes before its answer", async ({ world }) => {
  const seen = await world.owner.evaluate(async () => {
    const tools = new lib.ToolManager([br.tool("a", () => (tools.add(br.tool("b")), "added b"))]);
    const order: string[] = [];
    const trace = (direction: string, message: any) => void (direction === "receive" && order.push(message.method ?? message.result?.content?.[0]?.text ?? "other"));
    const { client, stop } = lib.createPageServer({ tools, client: { trace, protocol: "2025-11-25" } });
    await client.connect();
    await client.callTool("a");
    const names = (await client.tools()).map(({ name }) => name);
    stop();
    return { order: order.filter((line) => line !== "other"), names };
  });
  expect(seen).toEqual({ order: ["notifications/tools/list_changed", "added b"], names: ["a", "b"] });
});

test("C14 live: served over MCP through createPageServer; the news of what a call registered come before its answer", async ({ world }) => {
  const seen = await world.owner.evaluate(async () => {
    br.foreign("a", () => {
      br.foreign("b", () => "from b");
      return "registered b";
    });
    await br.listed();
    const tools = await br.bridge().adopt({ live: true });
    const order: string[] = [];
    const trace = (direction: string, message: any) => void (direction === "receive" && order.push(message.method ?? `answer ${message.result?.content?.[0]?.text ?? ""}`));
    const { client, stop } = lib.createPageServer({ tools, client: { trace, protocol: "2025-11-25" } });
    await client.connect();
    const before = (await client.tools()).map(({ name }) => name);
    const answer = await client.callTool("a");
    const after = (await client.tools()).map(({ name }) => name);
    const b = await client.callTool("b");
    await br.quiet();
    stop();
    return { before, answer: answer.content, after, b: b.content, order: order.filter((line) => line !== "answer ") };
  });
  expect(seen).toEqual({
    before: ["a"],
    answer: [{ type: "text", text: "registered b" }],
    after: ["a", "b"],
    b: [{ type: "text", text: "from b" }],
    order: ["notifications/tools/list_changed", "answer registered b", "answer from b"],
  });
});

test("C15 live: a burst of 100 registrations costs a few listings", async ({ world }) => {
  const seen = await world.owner.evaluate(async () => {
    const tools = await br.bridge().adopt({ live: true });
    await br.quiet();
    const listings = br.spy("getTools");
    for (let index = 0; index < 100; index += 1) br.foreign(`t${index}`);
    await kit.until(() => tools.size === 100);
    await br.task(50);
    return listings.length;
  });
  expect(seen).toBeLessThanOrEqual(5);
});

test("C18 live: a frame that goes amid a call ends the call with an error, and its tools leave", async ({ open }) => {
  const page = await open();
  await page.evaluate(async () => {
    br.keep["tools"] = await br.bridge().adopt({ live: true });
    const frame = document.body.appendChild(document.createElement("iframe"));
    await br.task(80);
    await (frame.contentDocument as any).modelContext.registerTool({ name: "stuck", description: "d", execute: () => { (window as any).started = true; return new Promise(() => {}); } });
    await kit.until(() => br.keep["tools"].has("stuck"));
  });
  const seen = await page.evaluate(async () => {
    const { tools } = br.keep as any;
    const calls = [tools.call("stuck"), tools.call("stuck"), tools.call("stuck")];
    await kit.until(() => (window as any).started);
    document.querySelector("iframe")!.remove();
    const results = await Promise.all(calls);
    await kit.until(() => tools.size === 0);
    return results.map(({ isError, content }) => [isError, content[0].text]);
  });
  expect(seen).toEqual(Array(3).fill([true, expect.stringMatching(/no longer|gone|detached/i)]));
});

test("live: two origins, only the named one", async ({ open, site }) => {
  const page = await open();
  const there = site.blank({ body: "<p>shop</p>" }).replace("localhost", "127.0.0.1");
  await page.evaluate(async (there) => {
    const frame = document.createElement("iframe");
    Object.assign(frame, { allow: "tools", src: there });
    document.body.append(frame);
    await new Promise((resolve) => (frame.onload = resolve));
    await br.task(80);
    await br.foreign("home").done;
    br.keep["tools"] = await br.bridge().adopt({ live: true, origins: [new URL(there).origin], only: true });
  }, there);
  const shop = page.frames()[1]!;
  const here = new URL(page.url()).origin;
  await shop.evaluate(async (here) => {
    br.keep["controller"] = new AbortController();
    await document.modelContext.registerTool({ name: "buy", description: "d", execute: () => "bought" }, { exposedTo: [here], signal: br.keep["controller"].signal });
    await document.modelContext.registerTool({ name: "secret", description: "d", execute: () => 1 });
  }, here);
  const bought = await page.evaluate(async () => {
    const { tools } = br.keep as any;
    await kit.until(() => tools.size === 1);
    return (await tools.call("buy")).content[0].text;
  });
  expect(bought).toBe("bought");
  await shop.evaluate(() => br.keep["controller"].abort());
  await page.evaluate(() => kit.until(() => br.keep["tools"].size === 0));
});
