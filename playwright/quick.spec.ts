// Plain calls go a short way past the core (src/web/quick.js). Whoever calls, and whoever is called, must not be able
// to tell: everything here is done the long way too, which is what other limits than the usual ones lead to.

import { expect, test } from "./everywhere.ts";

const carriers = ["page server", "MessagePort"] as const;

for (const carrier of carriers) for (const protocol of ["2026-07-28", "2025-11-25"] as const) {
  test(`${carrier}, ${protocol}: whatever a tool returns, throws or asks comes out the same, the short way and the long way`, async ({ openPage }) => {
    const page = await openPage();
    const [short, long] = await page.evaluate(async ([carrier, protocol]) => {
      const talk = async (server: object, client: object) => {
        let kept: any;
        const cyclic: any = {};
        cyclic.self = cyclic;
        const values: Record<string, (args: any, context: any) => unknown> = {
          string: () => "text", empty: () => "", long: () => "x".repeat(20_000), number: () => 0.5, infinity: () => Infinity, nothing: () => undefined, null: () => null,
          yes: () => true, array: () => [1, { a: 2 }], object: () => ({ a: [1, 2], b: undefined }), nested: () => ({ content: "no result" }),
          made: () => ({ content: [{ type: "text", text: "made" }], isError: true }), blocks: () => ({ content: [{ type: "image", data: "AA==", mimeType: "image/png" }], extra: 1 }),
          odd: () => ({ content: [{ type: "nothing" }] }), meta: () => ({ content: [], _meta: { "x.example/a": 1 } }), typed: () => ({ content: [], resultType: "complete" }),
          wrong: () => ({ content: [], resultType: 5 }), date: () => new Date(0), map: () => new Map([[1, 2]]), big: () => ({ n: 1n }), cyclic: () => cyclic, fn: () => () => 1,
          getter: () => ({ get a() { throw new Error("a getter"); } }), symbol: () => Symbol("s"), bad: () => ({ content: [], structuredContent: { n: 1n } }),
          throws: () => { throw new Error("no"); }, rejects: async () => { throw new TypeError("later"); }, later: async () => ({ a: 1 }), slow: () => new Promise((resolve) => setTimeout(resolve, 30, "slow")),
          keeps: (_, context) => { kept = context; return "kept"; },
          echo: (args) => args, caller: (_, { caller }) => JSON.stringify([caller, caller.capabilities]), context: (_, { meta, capabilities, state, inputs, signal }) => ({ meta, capabilities, state, inputs, aborted: signal.aborted }),
          steps: (_, { progress, log }) => { progress({ progress: 1 }); log("info", "words"); return "quiet"; },
          asks: async (_, { elicit }) => JSON.stringify(await elicit({ message: "who?", requestedSchema: { type: "object", properties: {} } })),
          askslate: async (_, { elicit }) => { await new Promise((resolve) => setTimeout(resolve, 20)); return JSON.stringify(await elicit({ message: "who?", requestedSchema: { type: "object", properties: {} } })); },
          rooted: async (_, { roots }) => roots(),
          again: (_, { inputs }) => inputs ? { inputs } : { resultType: "input_required", inputRequests: { who: { method: "elicitation/create", params: { message: "who?", requestedSchema: { type: "object", properties: {} } } } } },
        };
        const tools = new lib.ToolManager(Object.entries(values).map(([name, execute]) => ({ name, execute }) as any));
        tools.add({ name: "schema", outputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] }, execute: ({ n }: any) => ({ n }) });
        tools.add({ name: "words", outputSchema: { type: "string" }, execute: () => "words" } as any);
        tools.add({ name: "strict", inputSchema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"], additionalProperties: false }, execute: ({ n }: any) => n });
        const pair = await kit.pair(carrier, { tools, logging: true, ...server }, { protocol, elicit: async () => ({ action: "accept", content: { name: "Ada" } }), ...client });
        const notices: unknown[] = [];
        pair.client.addEventListener("notification", (event) => notices.push((event as any).params));
        const faults: string[] = [];
        pair.client.addEventListener("error", (event) => faults.push(String((event as any).error)));
        const calls: [string, any][] = [...Object.keys(values).map((name): [string, any] => [name, { a: 1 }]), ["schema", { n: 1 }], ["schema", { n: "1" }], ["words", {}], ["strict", { n: 1 }], ["strict", { n: 1.5 }], ["strict", {}],
          ["nobody", {}], ["echo", { when: new Date(0), gone: undefined, nan: NaN }], ["echo", { n: 1n }], ["echo", { fn: () => 1 }], ["echo", { map: new Map() }], ["echo", cyclic], ["echo", { toJSON() { throw new Error("no JSON"); } }], ["echo", { a: { toJSON: () => undefined } }], ["echo", undefined], ["echo", { __proto__: null, "a b": "ü\u2028\ud800" }], ["echo", JSON.parse('{"__proto__":{"a":1}}')]];
        const seen = [];
        for (const [name, args] of calls) seen.push([name, await kit.outcome(pair.client.callTool(name, args))]);
        const both = await Promise.all(["slow", "string", "later", "slow", "asks"].map((name) => kit.outcome(pair.client.callTool(name))));
        // Whoever asks or talks after its own answer hears that the call has ended, and nothing begins anew.
        kept.log("info", "too late");
        const after = await kit.outcome(kept.elicit({ message: "still there?" }));
        const pending = pair.client.pending;
        const { calls: running, runs } = lib.liveObjects();
        await pair.stop();
        const late = await kit.outcome(pair.client.callTool("string"));
        return JSON.stringify({ seen, both, after, pending, running, runs, faults, late, notices }, null, 1);
      };
      return [await talk({}, {}), await talk({ limits: { callsInFlight: 4_095 } }, { limits: { requestTimeout: 50_000 } })];
    }, [carrier, protocol] as const);
    expect(short).toBe(long);
    expect(JSON.parse(short!)).toMatchObject({ pending: 0, running: 0, runs: 0, after: { code: "closed" } });
    const { seen } = JSON.parse(short!);
    const of = (name: string) => seen.find(([own]: [string]) => own === name)[1];
    expect(of("asks").value.content[0].text).toContain("Ada");
    const stamp = protocol === "2026-07-28" ? { resultType: "complete", _meta: { "io.modelcontextprotocol/serverInfo": expect.anything() } } : {};
    expect(of("string").value).toEqual({ content: [{ type: "text", text: "text" }], ...stamp });
    expect(of("nobody").code).toBe("invalid-params");
    expect(JSON.parse(short!).notices).toEqual(protocol === "2026-07-28" ? [] : [{ level: "info", data: "words" }]);
  });
}

for (const carrier of carriers) {

  test(`${carrier}: a call that goes on is given up with its session, and one that is closed on is closed`, async ({ openPage }) => {
    const page = await openPage();
    const seen = await page.evaluate(async (carrier) => {
      const reasons: string[] = [];
      const tools = new lib.ToolManager([{ name: "wait", execute: (_, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => (reasons.push(signal.reason.message), reject(signal.reason)))) }]);
      const { client, server, stop } = await kit.pair(carrier, { tools }, {});
      const calls = [1, 2].map(() => kit.outcome(client.callTool("wait")));
      await new Promise((resolve) => setTimeout(resolve, 50));
      const during = { pending: client.pending, inFlight: server.sessions };
      // For longer than the short way keeps a call.
      await new Promise((resolve) => setTimeout(resolve, 2_100));
      const later = client.pending;
      const last = kit.outcome(client.callTool("wait"));
      await new Promise((resolve) => setTimeout(resolve, 50));
      await stop();
      const outcomes = await Promise.all([...calls, last]);
      return { during, later, codes: outcomes.map(({ code }) => code), pending: client.pending, reasons };
    }, carrier);
    expect(seen).toMatchObject({ during: { pending: 2 }, later: 2, codes: ["closed", "closed", "closed"], pending: 0 });
    expect(seen.reasons).toHaveLength(3);
  });

  test(`${carrier}: a tool may take itself away, or others, while it runs: it is answered, after the news`, async ({ openPage }) => {
    const page = await openPage();
    const seen = await page.evaluate(async (carrier) => {
      const tools = new lib.ToolManager();
      tools.add({ name: "once", execute: () => (tools.remove("once"), "gone") });
      tools.add({ name: "later", execute: async () => (tools.remove("later"), await new Promise((resolve) => setTimeout(resolve, 20)), { left: tools.size }) });
      tools.add({ name: "other", execute: () => "first" });
      const { client, stop } = await kit.pair(carrier, { tools }, {});
      const news: string[] = [];
      const heard = client.listen({ toolsListChanged: true });
      const reading = (async () => { for await (const { method } of heard) news.push(method); })();
      await heard.granted;
      const once = await client.callTool("once").then((result) => (news.push("answer"), result));
      await new Promise((resolve) => setTimeout(resolve, 50));
      const order = [...news];
      const [later, , unknown] = await Promise.all([client.callTool("later"), client.callTool("other"), kit.outcome(client.callTool("later"))]);
      tools.remove("other");
      tools.add({ name: "other", execute: () => "second" });
      const other = await client.callTool("other");
      await heard.return!();
      await reading;
      await stop();
      return { once, order, later, unknown, other };
    }, carrier);
    expect(seen.once.content).toEqual([{ type: "text", text: "gone" }]);
    expect([...seen.order].sort()).toEqual(["answer", "notifications/tools/list_changed"]);
    expect(seen.later.structuredContent).toEqual({ left: 1 });
    expect(seen.unknown.code).toBe("invalid-params");
    expect(seen.other.content).toEqual([{ type: "text", text: "second" }]);
  });
}

test("each session's tools see who calls in it", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const server = new lib.Server({ tools: new lib.ToolManager([{ name: "who", execute: (_, { caller }: any) => caller.client.name }]) });
    const answers: unknown[] = [];
    for (const name of ["one", "two"]) {
      const { port1, port2 } = new MessageChannel();
      await server.connect(new lib.MessagePortTransport(port1));
      const client = new lib.Client({ name });
      await client.connect(new lib.MessagePortTransport(port2));
      for (let times = 0; times < 3; times++) answers.push((await client.callTool("who")).content[0]);
    }
    // One that says who it is with its first call.
    const { port1, port2 } = new MessageChannel();
    await server.connect(new lib.MessagePortTransport(port1));
    const peer = new kit.Peer(port2);
    for (const id of [1, 2]) answers.push((await peer.request("tools/call", { name: "who", arguments: {}, _meta: kit.modernMeta() }, id)).result.content[0]);
    const refused = await peer.request("tools/call", { name: "who", arguments: {} }, 3);
    await server.close();
    return { texts: answers.map((block: any) => block.text), refused: refused.error.code };
  });
  expect(seen).toEqual({ texts: ["one", "one", "one", "two", "two", "two", "peer", "peer"], refused: -32602 });
});

test("a peer that speaks frames by hand: one id at a time, cancelling reaches the tool, and every bound is kept", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const reasons: string[] = [];
    const tools = new lib.ToolManager([
      { name: "wait", execute: (_, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => (reasons.push(signal.reason.message), reject(signal.reason)))) },
      { name: "echo", execute: (args) => args },
    ]);
    const { port1, port2 } = new MessageChannel();
    const server = new lib.Server({ tools });
    await server.connect(new lib.MessagePortTransport(port1));
    const peer = new kit.Peer(port2);
    const call = (id: unknown, name: string, args: unknown = {}, meta: unknown = kit.modernMeta()) => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args, _meta: meta } });
    peer.post(call(1, "wait"));
    peer.post(call(1, "echo", { twice: true }));
    const twice = (await peer.answer(1)).error;
    peer.frames.length = 0;
    peer.post({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1, reason: "enough" } });
    peer.post(JSON.stringify(call(2, "wait")));
    peer.post({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } });
    let deep: unknown = 1;
    for (let level = 0; level < 300; level++) deep = { deep };
    const outcomes: unknown[] = [];
    for (const [id, ...rest] of [[3, "echo", { a: 1 }], ["four", "echo", {}], [5.5, "echo", {}], [6, "echo", { deep }], [7, "nobody", {}], [8, "echo", [1]], [9, "echo", {}, {}], [10, "echo", {}, kit.modernMeta({}, { progressToken: 1 })], [11, "echo", {}, { ...kit.modernMeta(), "io.modelcontextprotocol/protocolVersion": "2030-01-01" }]] as any[]) {
      for (const form of [(frame: unknown) => frame, JSON.stringify]) {
        peer.frames.length = 0;
        peer.post(form(call(id, ...(rest as [string]))));
        const { error } = await kit.until(() => peer.frames.find((frame) => "result" in frame || "error" in frame));
        outcomes.push(error ? error.code : "result");
      }
    }
    await server.close();
    return { twice, reasons, outcomes };
  });
  expect(seen.twice.code).toBe(-32600);
  expect(seen.reasons).toEqual(["enough", "cancelled by the client"]);
  expect(seen.outcomes).toEqual(["result", "result", -32600, -32602, -32602, -32602, -32602, "result", -32022].flatMap((code) => [code, code]));
});
