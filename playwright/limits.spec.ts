// What a peer is told at each limit of `www/limits.ts`, and how long a client waits.

import { expect, test } from "./everywhere.ts";

test("messages, parameters and metadata beyond their limits are answered by the codes that are named", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const nest = (depth: number): unknown => (depth ? [nest(depth - 1)] : 1);
    const row = (length: number) => Array.from({ length }, (_, n) => n);
    const ask = async (limits: object, args: object, meta: object = {}) => {
      const { port1, port2 } = new MessageChannel();
      const server = new lib.Server({ tools: new lib.ToolManager([{ name: "t", execute: () => "ran" }]), limits });
      await server.connect(new lib.MessagePortTransport(port1));
      const peer = new kit.Peer(port2);
      const answer = await peer.request("tools/call", { name: "t", arguments: args, _meta: kit.modernMeta({}, meta) });
      await server.close();
      return answer.error?.code ?? answer.result.content[0].text;
    };
    const text = async (length: number) => {
      const { port1, port2 } = new MessageChannel();
      const server = new lib.Server({ tools: new lib.ToolManager([{ name: "t", execute: () => "ran" }]), limits: { messageLength: 500 } });
      await server.connect(new lib.MessagePortTransport(port1));
      const peer = new kit.Peer(port2);
      const frame = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "t", arguments: {}, _meta: kit.modernMeta() } });
      peer.post(frame + " ".repeat(length - frame.length));
      await kit.until(() => peer.frames.length, "an answer");
      await server.close();
      return [peer.frames[0].id, peer.frames[0].error?.code ?? peer.frames[0].result.content[0].text];
    };
    return {
      depth: [await ask({ depth: 8 }, { deep: nest(5) }), await ask({ depth: 8 }, { deep: nest(9) }), await ask({}, { deep: nest(190) }), await ask({}, { deep: nest(300) })],
      values: [await ask({ values: 60 }, { row: row(40) }), await ask({ values: 60 }, { row: row(80) })],
      metaDepth: [await ask({}, {}, { mine: nest(5) }), await ask({}, {}, { mine: nest(9) }), await ask({ metaDepth: 3 }, {}, { mine: nest(5) })],
      metaValues: [await ask({}, {}, { mine: row(200) }), await ask({}, {}, { mine: row(300) }), await ask({ metaValues: 20 }, {}, { mine: row(30) })],
      metaLength: [await ask({}, {}, { mine: "x".repeat(16_000) }), await ask({}, {}, { mine: "x".repeat(17_000) }), await ask({ metaLength: 1_000 }, {}, { mine: "x".repeat(2_000) })],
      messageLength: [await text(499), await text(501)],
    };
  });
  expect(seen).toEqual({
    depth: ["ran", -32602, "ran", -32602],
    values: ["ran", -32602],
    metaDepth: ["ran", -32602, -32602],
    metaValues: ["ran", -32602, -32602],
    metaLength: ["ran", -32602, -32602],
    messageLength: [[1, "ran"], [undefined, -32700]],
  });
});

for (const protocol of ["2026-07-28", "2025-11-25"] as const) {
  test(`${protocol}: a peer may have so many calls, requests in a second and subscriptions`, async ({ openPage }) => {
    const page = await openPage();
    const seen = await page.evaluate(async (protocol) => {
      const release = kit.deferred();
      const tools = new lib.ToolManager([{ name: "wait", execute: () => release.promise }, { name: "t", execute: () => "t" }]);
      const busy = lib.createPageServer({ tools, limits: { callsInFlight: 2 }, client: { protocol } });
      await busy.client.connect();
      const running = [busy.client.callTool("wait"), busy.client.callTool("wait")];
      const third = await kit.outcome(busy.client.callTool("t"));
      release.resolve();
      await Promise.all(running);
      const free = (await busy.client.callTool("t")).content;
      busy.stop();

      const hasty = lib.createPageServer({ tools, limits: { messagesPerSecond: 20 }, client: { protocol } });
      await hasty.client.connect();
      const burst = await Promise.all(Array.from({ length: 40 }, () => kit.outcome(hasty.client.callTool("t"))));
      await new Promise((resolve) => setTimeout(resolve, 1_050));
      const later = await kit.outcome(hasty.client.callTool("t"));
      hasty.stop();
      const unlimited = lib.createPageServer({ tools, limits: { messagesPerSecond: 0 }, client: { protocol } });
      await unlimited.client.connect();
      const all = await Promise.all(Array.from({ length: 40 }, () => kit.outcome(unlimited.client.callTool("t"))));
      unlimited.stop();
      return { third, free, answered: burst.filter(({ value }) => value).length, refused: burst.filter(({ code }) => code === "internal-error").length, later: !!later.value, all: all.every(({ value }) => value) };
    }, protocol);
    expect(seen.third).toMatchObject({ code: "internal-error", rpcCode: -32603 });
    expect(seen.free).toEqual([{ type: "text", text: "t" }]);
    expect(seen.answered).toBeGreaterThan(0);
    // The burst may have been cut by the end of a second, which gives as many again.
    expect(seen.answered).toBeLessThan(40);
    expect(seen.answered + seen.refused).toBe(40);
    expect([seen.later, seen.all]).toEqual([true, true]);
  });

  test(`${protocol}: a client takes so many pages and entries of a list`, async ({ openPage }) => {
    const page = await openPage();
    const seen = await page.evaluate(async (protocol) => {
      const names = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `p${n}`, get: () => "" }));
      const list = async (count: number, limits: object) => {
        const { client, stop } = lib.createPageServer({ tools: new lib.ToolManager(), prompts: names(count), limits: { pageSize: 2 }, client: { protocol, limits } });
        await client.connect();
        const outcome = await kit.outcome(client.listPrompts());
        stop();
        return outcome.code ?? outcome.value.length;
      };
      return [await list(6, { listPages: 3 }), await list(7, { listPages: 3 }), await list(6, { listEntries: 6 }), await list(7, { listEntries: 6 })];
    }, protocol);
    expect(seen).toEqual([6, "invalid-response", 6, "invalid-response"]);
  });

  test(`${protocol}: progress lets a timeout begin anew, up to the longest time; the server is told`, async ({ openPage }) => {
    const page = await openPage();
    const seen = await page.evaluate(async (protocol) => {
      const aborted: string[] = [];
      const steps = (name: string, count: number) => ({
        name,
        execute: async (_args: unknown, { progress, signal }: import("../dist/index.js").ToolContext) => {
          signal.addEventListener("abort", () => aborted.push(name));
          for (let step = 1; step <= count && !signal.aborted; step++) {
            await new Promise((resolve) => setTimeout(resolve, 40));
            progress({ progress: step });
          }
          return "done";
        },
      });
      const tools = new lib.ToolManager([steps("some", 8), steps("endless", 400), { name: "silent", execute: (_args, { signal }) => new Promise(() => signal.addEventListener("abort", () => aborted.push("silent"))) }]);
      const { client, stop } = lib.createPageServer({ tools, client: { protocol } });
      await client.connect();
      let told = 0;
      const some = await kit.outcome(client.callTool("some", {}, { timeout: 300, resetOnProgress: true, progress: () => (told += 1) }));
      const unheard = await kit.outcome(client.callTool("some", {}, { timeout: 300, resetOnProgress: true }));
      const strict = await kit.outcome(client.callTool("some", {}, { timeout: 100, progress: () => {} }));
      const longest = await kit.outcome(client.callTool("endless", {}, { timeout: 300, resetOnProgress: true, maxTimeout: 600 }));
      const onlyLongest = await kit.outcome(client.callTool("silent", {}, { timeout: 0, maxTimeout: 50 }));
      await kit.until(() => aborted.length === 3, "the tools to be told");
      const { pending } = client;
      stop();
      const own = lib.createPageServer({ tools, client: { protocol, limits: { requestTimeout: 50 } } });
      await own.client.connect();
      const byLimit = await kit.outcome(own.client.callTool("silent"));
      own.stop();
      return { some: some.value?.content, told, unheard: unheard.value?.content, strict: strict.code, longest: longest.code, onlyLongest: onlyLongest.code, byLimit: byLimit.code, aborted: aborted.slice(0, 3), pending };
    }, protocol);
    const done = [{ type: "text", text: "done" }];
    expect(seen).toEqual({ some: done, told: 8, unheard: done, strict: "timeout", longest: "timeout", onlyLongest: "timeout", byLimit: "timeout", aborted: ["some", "endless", "silent"], pending: 0 });
  });

  test(`${protocol}: a notification of the client's reaches the other side as it is`, async ({ openPage }) => {
    const page = await openPage();
    const seen = await page.evaluate(async (protocol) => {
      const { port1, port2 } = new MessageChannel();
      const client = new lib.Client({ protocol });
      const heard: any[] = [];
      port2.onmessage = ({ data }) => {
        heard.push(data);
        const result = protocol === "2026-07-28" ? { resultType: "complete", supportedVersions: ["2026-07-28"], capabilities: {}, ttlMs: 0, cacheScope: "private" } : { protocolVersion: protocol, capabilities: {}, serverInfo: { name: "s", version: "1" } };
        if (data.id !== undefined) port2.postMessage({ jsonrpc: "2.0", id: data.id, result });
      };
      client.notify("notifications/early");
      await client.connect(new lib.MessagePortTransport(port1));
      client.notify("notifications/roots/list_changed");
      client.notify("mine/note", { a: [1] });
      await kit.until(() => heard.some(({ method }) => method === "mine/note"), "the note");
      await client.close();
      return heard.filter(({ method }) => /roots|note|early/.test(method));
    }, protocol);
    expect(seen).toEqual([{ jsonrpc: "2.0", method: "notifications/roots/list_changed" }, { jsonrpc: "2.0", method: "mine/note", params: { a: [1] } }]);
  });
}

test("the probe waits as long as its limit, then the handshake is tried", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const { port1, port2 } = new MessageChannel();
    const methods: string[] = [];
    port2.onmessage = ({ data }) => {
      methods.push(data.method);
      if (data.method === "initialize") port2.postMessage({ jsonrpc: "2.0", id: data.id, result: { protocolVersion: "2025-06-18", capabilities: {}, serverInfo: { name: "silent", version: "1" } } });
    };
    const client = new lib.Client({ limits: { probeTimeout: 30 } });
    await client.connect(new lib.MessagePortTransport(port1));
    const { protocol } = client;
    await client.close();
    return { methods: methods.slice(0, 2), protocol };
  });
  expect(seen).toEqual({ methods: ["server/discover", "initialize"], protocol: "2025-06-18" });
});
