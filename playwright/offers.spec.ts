// What a server offers beside its tools, in every revision: resources, prompts, completion, logging,
// lists in pages, and the handshake that may be held.

import { expect, test } from "./everywhere.ts";

const eras = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;
const isModern = (protocol: string) => protocol === "2026-07-28";

for (const protocol of eras) {
  test(`${protocol}: resources are listed, matched by templates and read in every form`, async ({ openPage }) => {
    const page = await openPage();
    const seen = await page.evaluate(async (protocol) => {
      const asked: unknown[] = [];
      const { client, server, stop } = lib.createPageServer({
        tools: new lib.ToolManager(),
        resources: [
          { uri: "page://title", name: "title", title: "Title", mimeType: "text/plain", size: 5, annotations: { priority: 1 }, read: () => "Hello" },
          { uri: "page://bytes", name: "bytes", mimeType: "image/png", read: async () => new Uint8Array([0, 255, 128, 7]).subarray(1) },
          { uri: "page://buffer", name: "buffer", read: () => new Uint8Array(100_000).fill(65).buffer },
          { uri: "page://parts", name: "parts", read: (uri) => [{ uri, text: "one" }, { uri: `${uri}/2`, blob: "AAA=", mimeType: "x/y" }] },
          { uri: "page://whole", name: "whole", read: (uri) => ({ contents: [{ uri, text: "w" }], _meta: { mine: 1 } }) },
          { uri: "page://fails", name: "fails", read: () => { throw new Error("a secret"); } },
          { uriTemplate: "page://note/{id}/{part}", name: "note", description: "A note", mimeType: "text/x-note", read: (uri, context, variables) => { asked.push([uri, variables, context.caller?.via]); return `note ${variables["id"]}`; } },
          { uriTemplate: "page://file/{+path}", name: "file", read: (_uri, _context, { path }) => (path === "none" ? undefined : `file ${path}`) },
        ],
        client: { protocol },
      });
      const faults: string[] = [];
      server.addEventListener("error", (event) => faults.push(String((event as InstanceType<typeof lib.FaultEvent>).error)));
      await client.connect();
      const read = async (uri: string) => (await client.readResource(uri)).contents;
      const seen = {
        capabilities: (client.server as any).capabilities,
        list: await client.listResources(),
        templates: await client.listResourceTemplates(),
        text: await read("page://title"),
        bytes: await read("page://bytes"),
        buffer: await read("page://buffer"),
        parts: await read("page://parts"),
        whole: await client.readResource("page://whole"),
        note: await read("page://note/a%20b/c"),
        file: await read("page://file/deep/er.txt"),
        none: await kit.outcome(read("page://file/none")),
        missing: await kit.outcome(read("page://note/only")),
        fails: await kit.outcome(read("page://fails")),
        cursor: await kit.outcome(client.request("resources/list", { cursor: "made up" })),
        noUri: await kit.outcome(client.request("resources/read", {})),
        asked, faults, pending: client.pending,
      };
      stop();
      return seen;
    }, protocol);

    expect(seen.capabilities).toEqual({ tools: { listChanged: true }, resources: { listChanged: true, subscribe: true } });
    expect(seen.list.map(({ name }) => name)).toEqual(["title", "bytes", "buffer", "parts", "whole", "fails"]);
    expect(seen.list[0]).toEqual({ uri: "page://title", name: "title", title: "Title", mimeType: "text/plain", size: 5, annotations: { priority: 1 } });
    expect(seen.templates).toEqual([{ uriTemplate: "page://note/{id}/{part}", name: "note", description: "A note", mimeType: "text/x-note" }, { uriTemplate: "page://file/{+path}", name: "file" }]);
    expect(seen.text).toEqual([{ uri: "page://title", mimeType: "text/plain", text: "Hello" }]);
    expect(seen.bytes).toEqual([{ uri: "page://bytes", mimeType: "image/png", blob: Buffer.from([255, 128, 7]).toString("base64") }]);
    expect(seen.buffer).toEqual([{ uri: "page://buffer", blob: Buffer.alloc(100_000, "A").toString("base64") }]);
    expect(seen.parts).toEqual([{ uri: "page://parts", text: "one" }, { uri: "page://parts/2", blob: "AAA=", mimeType: "x/y" }]);
    expect(seen.whole).toMatchObject({ contents: [{ uri: "page://whole", text: "w" }], _meta: { mine: 1 } });
    expect(seen.note).toEqual([{ uri: "page://note/a%20b/c", mimeType: "text/x-note", text: "note a b" }]);
    expect(seen.asked).toEqual([["page://note/a%20b/c", { id: "a b", part: "c" }, "session"]]);
    expect(seen.file).toEqual([{ uri: "page://file/deep/er.txt", text: "file deep/er.txt" }]);
    const gone = isModern(protocol) ? { code: "invalid-params", rpcCode: -32602 } : { code: "remote-error", rpcCode: -32002 };
    expect(seen.none).toMatchObject({ name: "ModelportError", ...gone, data: { uri: "page://file/none" } });
    expect(seen.missing).toMatchObject({ ...gone, data: { uri: "page://note/only" } });
    // What went wrong inside is for the page that serves, not for its peer.
    expect(seen.fails).toMatchObject({ code: "internal-error", rpcCode: -32603, message: expect.not.stringContaining("secret") });
    expect(seen.faults).toEqual([expect.stringContaining("a secret")]);
    expect(seen.cursor).toMatchObject({ code: "invalid-params", rpcCode: -32602 });
    expect(seen.noUri).toMatchObject({ code: "invalid-params", rpcCode: -32602 });
    expect(seen.pending).toBe(0);
  });

  test(`${protocol}: prompts are listed and made, completion says what fits`, async ({ openPage }) => {
    const page = await openPage();
    const seen = await page.evaluate(async (protocol) => {
      const completions: unknown[] = [];
      const { client, stop } = lib.createPageServer({
        tools: new lib.ToolManager(),
        prompts: [
          { name: "greet", title: "Greet", description: "Says hello", arguments: [{ name: "who", required: true }, { name: "how" }], get: ({ who, how = "kindly" }) => `Greet ${who} ${how}` },
          { name: "talk", get: async () => [{ role: "assistant", content: { type: "text", text: "Yes?" } }] },
          { name: "whole", get: () => ({ description: "d", messages: [{ role: "user", content: { type: "text", text: "w" } }] }) },
        ],
        complete: (ref, argument, known) => {
          completions.push([ref, argument, known]);
          if (argument.name === "many") return Array.from({ length: 150 }, (_, n) => String(n));
          if (argument.name === "counted") return { values: ["a"], total: 7, hasMore: true };
          return ["Ada", "Alan"].filter((name) => name.startsWith(argument.value));
        },
        client: { protocol },
      });
      await client.connect();
      const ref = { type: "ref/prompt", name: "greet" } as const;
      const seen = {
        capabilities: (client.server as any).capabilities,
        list: await client.listPrompts(),
        greet: await client.getPrompt("greet", { who: "Ada" }),
        talk: await client.getPrompt("talk"),
        whole: await client.getPrompt("whole"),
        without: await kit.outcome(client.getPrompt("greet", { how: "loudly" })),
        unknown: await kit.outcome(client.getPrompt("nobody")),
        some: await client.complete(ref, { name: "who", value: "Al" }, { how: "loudly" }),
        many: await client.complete({ type: "ref/resource", uri: "page://{id}" }, { name: "many", value: "" }),
        counted: await client.complete(ref, { name: "counted", value: "" }),
        odd: await kit.outcome(client.request("completion/complete", { ref: { type: "ref/else" }, argument: { name: "x", value: "" } })),
        completions,
      };
      stop();
      return seen;
    }, protocol);

    expect(seen.capabilities).toEqual({ tools: { listChanged: true }, prompts: { listChanged: true }, completions: {} });
    expect(seen.list).toEqual([{ name: "greet", title: "Greet", description: "Says hello", arguments: [{ name: "who", required: true }, { name: "how" }] }, { name: "talk" }, { name: "whole" }]);
    expect(seen.greet.messages).toEqual([{ role: "user", content: { type: "text", text: "Greet Ada kindly" } }]);
    expect(seen.talk.messages).toEqual([{ role: "assistant", content: { type: "text", text: "Yes?" } }]);
    expect(seen.whole).toMatchObject({ description: "d", messages: [{ content: { text: "w" } }] });
    expect(seen.without).toMatchObject({ code: "invalid-params", rpcCode: -32602, message: expect.stringContaining("who") });
    expect(seen.unknown).toMatchObject({ code: "invalid-params", rpcCode: -32602, message: expect.stringContaining("nobody") });
    expect(seen.some).toEqual({ values: ["Alan"], total: 1, hasMore: false });
    expect(seen.many).toEqual({ values: Array.from({ length: 100 }, (_, n) => String(n)), total: 150, hasMore: true });
    expect(seen.counted).toEqual({ values: ["a"], total: 7, hasMore: true });
    expect(seen.odd).toMatchObject({ code: "invalid-params" });
    expect(seen.completions).toEqual([
      [{ type: "ref/prompt", name: "greet" }, { name: "who", value: "Al" }, { how: "loudly" }],
      [{ type: "ref/resource", uri: "page://{id}" }, { name: "many", value: "" }, {}],
      [{ type: "ref/prompt", name: "greet" }, { name: "counted", value: "" }, {}],
    ]);
  });

  test(`${protocol}: the log reaches a client from the level on that it asked for`, async ({ openPage }) => {
    const page = await openPage();
    const seen = await page.evaluate(async (protocol) => {
      const levels = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const;
      const tools = new lib.ToolManager([{ name: "talk", execute: (_args, { log }) => { for (const level of levels) log(level, { level }, "talker"); return "ok"; } }]);
      const { client, stop } = lib.createPageServer({
        tools, logging: true, client: { protocol },
        resources: [{ uri: "page://r", name: "r", read: (_uri, { log }) => { log("alert", "reading"); return ""; } }],
      });
      await client.connect();
      let heard: any[] = [];
      client.addEventListener("notification", (event) => heard.push(event));
      const logOf = async (work: () => Promise<unknown>) => {
        heard = [];
        await work();
        return heard.map(({ method, params }) => [method, params.level, params.data, params.logger]);
      };
      const unasked = await logOf(() => client.callTool("talk"));
      await client.setLoggingLevel("critical");
      const critical = await logOf(() => client.callTool("talk"));
      const reading = await logOf(() => client.readResource("page://r"));
      await client.setLoggingLevel("debug");
      const all = await logOf(() => client.callTool("talk"));
      const unknown = await kit.outcome(protocol === "2026-07-28"
        ? client.request("tools/call", { name: "talk", _meta: { "io.modelcontextprotocol/logLevel": "loud" } })
        : client.setLoggingLevel("loud" as any));
      const quiet = lib.createPageServer({ tools, client: { protocol } });
      await quiet.client.connect();
      quiet.client.addEventListener("notification", (event) => heard.push(event));
      const unoffered = await logOf(async () => {
        await kit.outcome(quiet.client.setLoggingLevel("debug"));
        await quiet.client.callTool("talk");
      });
      quiet.stop();
      stop();
      return { unasked, critical, reading, all, unknown, unoffered };
    }, protocol);

    const line = (level: string) => ["notifications/message", level, { level }, "talker"];
    // A session of the handshake era starts at "info"; a stateless request has to ask.
    expect(seen.unasked).toEqual(isModern(protocol) ? [] : ["info", "notice", "warning", "error", "critical", "alert", "emergency"].map(line));
    expect(seen.critical).toEqual(["critical", "alert", "emergency"].map(line));
    expect(seen.reading).toEqual([["notifications/message", "alert", "reading", undefined]]);
    expect(seen.all.map(([, level]) => level)).toEqual(["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]);
    expect(seen.unknown).toMatchObject({ code: "invalid-params", rpcCode: -32602 });
    expect(seen.unoffered).toEqual([]);
  });

  test(`${protocol}: lists come in pages, of the server's size or of the provider's own`, async ({ openPage }) => {
    const page = await openPage();
    const seen = await page.evaluate(async (protocol) => {
      const five = ["a", "b", "c", "d", "e"];
      const cursors: unknown[] = [];
      const sent: any[] = [];
      const trace = (direction: string, message: any) => { if (direction === "receive" && message.result) sent.push(message.result); };
      const cut = lib.createPageServer({
        tools: new lib.ToolManager(five.map((name) => ({ name, execute: () => name }))),
        prompts: five.map((name) => ({ name, get: () => name })),
        resources: five.map((name) => ({ uri: `page://${name}`, name, read: () => name })),
        limits: { pageSize: 2 }, client: { protocol, trace },
      });
      const own = lib.createPageServer({
        tools: new lib.ToolManager(),
        resources: {
          list: (cursor) => { cursors.push(cursor); return cursor === undefined ? { resources: [{ uri: "x:1", name: "1" }], nextCursor: "" } : cursor === "" ? { resources: [{ uri: "x:2", name: "2" }], nextCursor: "z" } : [{ uri: "x:3", name: "3" }]; },
          read: () => undefined,
        },
        prompts: { list: () => ({ prompts: [{ name: "p" }], nextCursor: "round" }), get: () => null },
        limits: { pageSize: 1 }, client: { protocol },
      });
      await cut.client.connect();
      await own.client.connect();
      sent.length = 0;
      const names = (list: { name: string }[]) => list.map(({ name }) => name).join("");
      const seen = {
        tools: names(await cut.client.tools()),
        pages: sent.map(({ tools, nextCursor }) => [tools.length, typeof nextCursor]),
        prompts: names(await cut.client.listPrompts()),
        resources: names(await cut.client.listResources()),
        templates: await cut.client.listResourceTemplates(),
        madeUp: [await kit.outcome(cut.client.request("tools/list", { cursor: "x" })), await kit.outcome(cut.client.request("prompts/list", { cursor: "x" })), await kit.outcome(cut.client.request("tools/list", { cursor: 5 }))].map(({ code }) => code),
        beyond: (await cut.client.request("tools/list", { cursor: "modelport:99" }))["tools"],
        own: names(await own.client.listResources()),
        cursors,
        circle: await kit.outcome(own.client.listPrompts()),
      };
      cut.stop();
      own.stop();
      return seen;
    }, protocol);

    expect(seen.tools).toBe("abcde");
    expect(seen.pages).toEqual([[2, "string"], [2, "string"], [1, "undefined"]]);
    expect([seen.prompts, seen.resources, seen.own]).toEqual(["abcde", "abcde", "123"]);
    expect(seen.templates).toEqual([]);
    expect(seen.madeUp).toEqual(["invalid-params", "invalid-params", "invalid-params"]);
    expect(seen.beyond).toEqual([]);
    expect(seen.cursors).toEqual([undefined, "", "z"]);
    expect(seen.circle).toMatchObject({ code: "invalid-response" });
  });

  test(`${protocol}: what a server does not offer is no method of it`, async ({ openPage }) => {
    const page = await openPage();
    const seen = await page.evaluate(async (protocol) => {
      const { client, stop } = lib.createPageServer({ tools: new lib.ToolManager(), client: { protocol } });
      await client.connect();
      const ref = { type: "ref/prompt", name: "p" } as const;
      const outcomes = await Promise.all([
        client.listResources(), client.listResourceTemplates(), client.readResource("a:b"), client.listPrompts(), client.getPrompt("p"),
        client.complete(ref, { name: "a", value: "" }), client.request("logging/setLevel", { level: "info" }), client.request("resources/subscribe", { uri: "a:b" }),
        client.request("tasks/get", { taskId: "t" }),
      ].map(kit.outcome));
      const { capabilities } = client.server as any;
      stop();
      return { codes: outcomes.map(({ code, rpcCode }) => `${code} ${rpcCode}`), capabilities };
    }, protocol);
    expect(seen.codes).toEqual(Array(9).fill("method-not-found -32601"));
    expect(seen.capabilities).toEqual({ tools: { listChanged: true } });
  });
}

test("the handshake hook holds initialize until it resolves, sees who comes, and may refuse", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const gate = kit.deferred();
    const guests: unknown[] = [];
    const { port1, port2 } = new MessageChannel();
    const server = new lib.Server({
      tools: new lib.ToolManager([{ name: "t", execute: () => "ran" }]),
      handshake: async ({ protocolVersion, client, capabilities }, { signal }) => {
        guests.push([protocolVersion, client, capabilities, signal.aborted]);
        if (client?.name === "stranger") throw new lib.ModelportError("invalid-params", "No strangers", { rpcCode: -32050, data: { why: "rules" } });
        if (client?.name === "clumsy") throw new Error("a secret");
        await gate.promise;
      },
    });
    const faults: string[] = [];
    server.addEventListener("error", (event) => faults.push(String((event as InstanceType<typeof lib.FaultEvent>).error)));
    await server.connect(new lib.MessagePortTransport(port1));
    const peer = new kit.Peer(port2);
    const initialize = (name: string, id: string) => peer.request("initialize", { protocolVersion: "2025-06-18", capabilities: { roots: {} }, clientInfo: { name, version: "1" } }, id);
    const refused = await initialize("stranger", "s");
    const clumsy = await initialize("clumsy", "c");
    const holding = initialize("guest", "g");
    const early = await peer.request("tools/call", { name: "t" });
    await kit.until(() => guests.length === 3, "the hook to hear of the guest");
    const answered = peer.frames.some(({ id }) => id === "g");
    gate.resolve();
    const welcome = await holding;
    const called = await peer.request("tools/call", { name: "t" });
    // The stateless era has no handshake to hold.
    const modern = lib.createPageServer({ tools: new lib.ToolManager(), handshake: () => { throw new Error("never asked"); } });
    await modern.client.connect();
    const old = lib.createPageServer({ tools: new lib.ToolManager(), handshake: () => { throw new lib.ModelportError("invalid-params", "No", { rpcCode: -32050 }); }, client: { protocol: "2025-11-25" } });
    const rejected = await kit.outcome(old.client.connect());
    await server.close();
    modern.stop();
    old.stop();
    return { refused: refused.error, clumsy: clumsy.error, early: early.error?.code, answered, welcome: welcome.result, called: called.result, guests, faults, modern: modern.client.protocol, rejected };
  });
  expect(seen.refused).toEqual({ code: -32050, message: "No strangers", data: { why: "rules" } });
  expect(seen.clumsy).toEqual({ code: -32603, message: expect.not.stringContaining("secret") });
  expect(seen.faults).toEqual([expect.stringContaining("a secret")]);
  expect(seen.early).toBe(-32602);
  expect(seen.answered).toBe(false);
  expect(seen.welcome).toMatchObject({ protocolVersion: "2025-06-18" });
  expect(seen.called).toMatchObject({ content: [{ text: "ran" }] });
  expect(seen.guests).toEqual(["stranger", "clumsy", "guest"].map((name) => ["2025-06-18", { name, version: "1" }, { roots: {} }, false]));
  expect(seen.modern).toBe("2026-07-28");
  expect(seen.rejected).toMatchObject({ code: "remote-error", rpcCode: -32050, message: "No" });
});
