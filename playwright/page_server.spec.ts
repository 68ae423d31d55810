// `createPageServer`: a client and a server in one page. What the caller gets, what the tool sees,
// what crosses the channel, and that nothing leaves the page.

import { expect, test } from "./everywhere.ts";

const stamp = { resultType: "complete", _meta: { "io.modelcontextprotocol/serverInfo": { name: "shop", version: "9" } } };
const eras = ["auto", "2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;

for (const protocol of eras) {
  test(`${protocol}: connects, lists, calls, reports failures, progress and changes`, async ({ openPage, traffic }) => {
    const page = await openPage();
    traffic.asked.length = 0;
    const seen = await page.evaluate(async (protocol) => {
      const callers: unknown[] = [];
      const tools = new lib.ToolManager([
        { name: "echo", title: "Echo", description: "Says it again", annotations: { readOnlyHint: true }, execute: (args, { caller }) => { callers.push(caller); return args; } },
        { name: "fails", execute: () => { throw new Error("no"); } },
        { name: "steps", execute: async (_args, { progress }) => { for (const step of [1, 2, 2, 3]) progress({ progress: step, total: 3, message: `step ${step}` }); return "done"; } },
      ]);
      const trace: any[] = [];
      const { client, server, stop } = lib.createPageServer({
        tools, name: "shop", version: "9", instructions: "be kind",
        client: { protocol, name: "till", version: "3", trace: (direction, message) => trace.push([direction, structuredClone(message)]) },
      });
      const before = client.protocol;
      await client.connect();
      const notices: string[] = [];
      client.addEventListener("notification", (event) => notices.push((event as InstanceType<typeof lib.NotificationEvent>).method));
      const list = await client.tools();
      const steps: unknown[] = [];
      const results = {
        echo: await client.callTool("echo", { a: 1 }),
        through: await list[0]!.execute({ b: 2 }, undefined as any),
        fails: await client.callTool("fails"),
        steps: await client.callTool("steps", {}, { progress: (step) => steps.push(step) }),
        unknown: await kit.outcome(client.callTool("nobody")),
        method: await kit.outcome(client.request("no/such")),
      };
      tools.add({ name: "new", execute: () => 1 });
      tools.remove("fails");
      const names = (await client.tools()).map(({ name }) => name);
      const seen = {
        before, protocol: client.protocol, server: client.server, sessions: server.sessions, list: JSON.parse(JSON.stringify(list)), results, steps, names,
        notices, callers, pending: client.pending, methods: trace.filter(([way, { method }]) => way === "send" && method).map(([, { method }]) => method),
        ids: trace.filter(([way, { id }]) => way === "send" && id !== undefined).map(([, { id }]) => id),
        versions: trace.map(([, { jsonrpc }]) => jsonrpc),
      };
      stop();
      return { ...seen, after: [server.sessions, client.pending] };
    }, protocol);

    const modern = protocol === "auto" || protocol === "2026-07-28";
    const more = modern ? stamp : {};
    const text = (text: string) => ({ content: [{ type: "text", text }] });
    expect(seen.before).toBeUndefined();
    expect(seen.protocol).toBe(protocol === "auto" ? "2026-07-28" : protocol);
    expect(seen.server).toMatchObject(modern ? { supportedVersions: ["2026-07-28"], instructions: "be kind", ...stamp } : { protocolVersion: protocol, serverInfo: { name: "shop", version: "9" }, instructions: "be kind" });
    expect(seen.list).toEqual([
      { name: "echo", title: "Echo", description: "Says it again", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } },
      { name: "fails", inputSchema: { type: "object" } },
      { name: "steps", inputSchema: { type: "object" } },
    ]);
    expect(seen.results).toEqual({
      echo: { ...text('{"a":1}'), structuredContent: { a: 1 }, ...more },
      through: { ...text('{"b":2}'), structuredContent: { b: 2 }, ...more },
      fails: { ...text("no"), isError: true, ...more },
      steps: { ...text("done"), ...more },
      unknown: expect.objectContaining({ name: "ModelportError", code: "invalid-params", rpcCode: -32602 }),
      method: expect.objectContaining({ name: "ModelportError", code: "method-not-found", rpcCode: -32601 }),
    });
    expect(seen.steps).toEqual([1, 2, 3].map((step) => expect.objectContaining({ progress: step, total: 3, message: `step ${step}` })));
    expect(seen.callers).toEqual(Array(2).fill({ via: "session", client: expect.objectContaining({ name: "till", version: "3" }) }));
    expect(seen.names).toEqual(["echo", "steps", "new"]);
    expect(seen.notices).toEqual(modern ? [] : ["notifications/tools/list_changed"]);
    expect(seen.methods.slice(0, 2)).toEqual(modern ? ["server/discover", "tools/list"] : ["initialize", "notifications/initialized"]);
    expect(new Set(seen.ids).size, "every id is used once").toBe(seen.ids.length);
    expect(new Set(seen.versions)).toEqual(new Set(["2.0"]));
    expect(seen.pending).toBe(0);
    expect(seen.after).toEqual([0, 0]);
    expect(traffic.asked, "nothing leaves the page").toEqual([]);
  });
}

test("1 MB arrives by value: the same content, not the same object, and what JSON lacks as JSON makes it", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    let given: any;
    const tools = new lib.ToolManager([{ name: "take", execute: (args) => { given = args; return { length: args.text.length, rows: args.rows.length }; } }]);
    const { client } = lib.createPageServer({ tools });
    await client.connect();
    const args = { text: "x".repeat(1_000_000), rows: Array.from({ length: 1000 }, (_, n) => ({ n })), at: new Date(5), none: undefined, zero: -0 };
    const result = await client.callTool("take", args);
    args.rows.length = 0;
    const odd = await Promise.all([{ map: new Map() }, { list: [{ bytes: new Uint8Array(2) }] }, { fn: () => 1 }].map((more) => client.callTool("take", { ...args, ...more } as any).then(() => "taken", (error) => `${error.code}: ${error.message}`)));
    return { odd, result: result.structuredContent, same: given === args, rows: given.rows.length, at: given.at, names: Object.keys(given), zero: Object.is(given.zero, 0) };
  });
  expect(seen).toEqual({ result: { length: 1_000_000, rows: 1000 }, same: false, rows: 1000, at: "1970-01-01T00:00:00.005Z", names: ["text", "rows", "at", "zero"], zero: true,
    odd: ["map", "list.0.bytes", "fn"].map((path) => expect.stringMatching(`^send-failed: .*params\\.arguments\\.${path} is of type `)) });
});

test("results of kinds that JSON lacks", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const values: Record<string, unknown> = { undefined: undefined, date: new Date(0), map: new Map([[1, 2]]), inside: { u: undefined, d: new Date(0), n: NaN } };
    const tools = new lib.ToolManager(Object.entries(values).map(([name, value]) => ({ name, execute: async () => value })));
    const { client } = lib.createPageServer({ tools, client: { protocol: "2025-11-25" } });
    await client.connect();
    const results: Record<string, unknown> = {};
    for (const name of Object.keys(values)) results[name] = await client.callTool(name);
    return results;
  });
  const inside = { d: "1970-01-01T00:00:00.000Z", n: null };
  expect(seen).toEqual({
    undefined: { content: [] },
    date: { content: [{ type: "text", text: "1970-01-01T00:00:00.000Z" }] },
    map: { content: [{ type: "text", text: "{}" }], structuredContent: {} },
    inside: { content: [{ type: "text", text: JSON.stringify(inside) }], structuredContent: inside },
  });
});

test("an aborted call rejects with its reason, tells the tool why, and its late answer reaches nobody", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const started = kit.deferred();
    const told = kit.deferred<string>();
    const tools = new lib.ToolManager([{
      name: "slow",
      execute: (_args, { signal }) => new Promise((resolve) => {
        signal.addEventListener("abort", () => { told.resolve(String(signal.reason)); resolve("late"); });
        started.resolve();
      }),
    }]);
    const received: any[] = [];
    const { client } = lib.createPageServer({ tools, client: { trace: (direction, message) => direction === "receive" && received.push(message) } });
    await client.connect();
    const faults: unknown[] = [];
    client.addEventListener("error", (event) => faults.push(event));
    const controller = new AbortController();
    const call = client.callTool("slow", {}, { signal: controller.signal });
    await started.promise;
    const before = received.length;
    const reason = new Error("changed my mind");
    controller.abort(reason);
    const rejected = await call.catch((error) => error);
    const why = await told.promise;
    await client.tools();
    const never = await client.callTool("slow", {}, { signal: AbortSignal.abort("early") }).catch((error) => error);
    return { same: rejected === reason, why, answers: received.length - before, never, faults: faults.length, pending: client.pending };
  });
  expect(seen).toEqual({ same: true, why: expect.stringContaining("changed my mind"), answers: 1, never: "early", faults: 0, pending: 0 });
});

test("a timeout ends the call on both sides, per call or by the client's own default", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    let aborted = 0;
    const tools = new lib.ToolManager([
      { name: "stuck", execute: (_args, { signal }) => new Promise(() => signal.addEventListener("abort", () => (aborted += 1))) },
      { name: "later", execute: () => new Promise((resolve) => setTimeout(resolve, 150, "came")) },
    ]);
    const { client } = lib.createPageServer({ tools, client: { timeout: 60 } });
    await client.connect();
    const byDefault = await kit.outcome(client.callTool("stuck"));
    const byCall = await kit.outcome(client.callTool("stuck", {}, { timeout: 10 }));
    const never = await client.callTool("later", {}, { timeout: 0 });
    await kit.until(() => aborted === 2, "both tools to be told");
    return [byDefault.code, byCall.code, never.content];
  });
  expect(seen).toEqual(["timeout", "timeout", [{ type: "text", text: "came" }]]);
});

test("stop() ends what waits with closed, aborts what runs, and stays stopped", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const started = kit.deferred();
    let aborted = false;
    let closes = 0;
    const tools = new lib.ToolManager([{ name: "wait", execute: (_args, { signal }) => { started.resolve(); return new Promise(() => signal.addEventListener("abort", () => (aborted = true))); } }]);
    const pageServer = lib.createPageServer({ tools });
    const { client, server } = pageServer;
    client.addEventListener("close", () => (closes += 1));
    const early = await kit.outcome(client.callTool("wait"));
    await client.connect();
    const waiting = [client.callTool("wait"), client.callTool("wait", {}, { timeout: 0 }), client.tools()].map(kit.outcome);
    await started.promise;
    pageServer.stop();
    pageServer.stop();
    pageServer[Symbol.dispose]();
    const codes = (await Promise.all(waiting)).map(({ code }) => code);
    const { port1 } = new MessageChannel();
    const later = {
      call: await kit.outcome(client.callTool("wait")), tools: await kit.outcome(client.tools()), connect: await kit.outcome(client.connect()),
      server: await kit.outcome(server.connect(new lib.MessagePortTransport(port1))),
    };
    return { early: early.code, codes, aborted, closes, sessions: server.sessions, later: Object.values(later).map(({ code }) => code), tools: tools.size, still: (await kit.outcome(tools.call("nobody"))).code };
  });
  expect(seen).toEqual({
    early: "not-connected", codes: ["closed", "closed", "closed"], aborted: true, closes: 1, sessions: 0,
    later: ["closed", "closed", "closed", "closed"], tools: 1, still: "invalid-params",
  });
});

test("a page server may be stopped before and while it connects", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const tools = new lib.ToolManager();
    const one = lib.createPageServer({ tools });
    one.stop();
    const two = lib.createPageServer({ tools });
    const connecting = kit.outcome(two.client.connect());
    two.stop();
    const three = lib.createPageServer({ tools });
    await three.client.connect();
    const again = await kit.outcome(three.client.connect());
    return [(await kit.outcome(one.client.connect())).code, (await connecting).code, again.code, (await three.client.tools()).length];
  });
  expect(seen.slice(0, 2)).toEqual(["closed", "closed"]);
  expect(seen[2], "connecting twice is refused or harmless").toMatch(/^invalid-argument$/);
  expect(seen[3]).toBe(0);
});

test("many calls at once each get their own answer, and servers of one manager do not mix", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const tools = new lib.ToolManager([{ name: "echo", execute: async ({ n }) => { if (n % 3 === 0) await new Promise((go) => setTimeout(go, n % 7)); return n; } }]);
    const servers = [lib.createPageServer({ tools }), lib.createPageServer({ tools, client: { protocol: "2025-11-25" } })];
    await Promise.all(servers.map(({ client }) => client.connect()));
    const calls = servers.flatMap(({ client }, which) => Array.from({ length: 500 }, async (_, n) => [which, n, (await client.callTool("echo", { n })).content[0]]));
    const wrong = (await Promise.all(calls)).filter(([, n, block]: any) => block.text !== String(n)).length;
    servers[0]!.stop();
    return { wrong, alive: (await servers[1]!.client.callTool("echo", { n: 1 })).content };
  });
  expect(seen).toEqual({ wrong: 0, alive: [{ type: "text", text: "1" }] });
});

test("what passes between the halves looks as after a trip through JSON, however unusual", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    let given: any;
    const tools = new lib.ToolManager([{ name: "take", execute: (args) => { given = args; return "taken"; } }]);
    const { client } = lib.createPageServer({ tools });
    await client.connect();
    const shared = { deep: [1, [2, { three: 3 }]] };
    const values: Record<string, unknown> = {
      plain: { a: shared, b: shared, text: "\ud800 ü", no: null, yes: true, list: [undefined, NaN, -Infinity, -0, , "x"] },
      odd: { date: new Date(0), json: { toJSON: () => "made" }, boxed: new String("b"), [Symbol("key")]: 1 },
      proto: JSON.parse('{ "__proto__": { "polluted": true }, "a": 1 }'),
      bare: Object.assign(Object.create(null), { a: 1 }),
      made: Object.assign(Object.create({ inherited: 1 }), { own: 1 }),
    };
    const same: Record<string, boolean> = {};
    for (const [name, value] of Object.entries(values)) {
      given = undefined;
      await client.callTool("take", { value } as any);
      same[name] = JSON.stringify(given.value) === JSON.stringify(value) && JSON.stringify(Object.getOwnPropertyNames(given.value)) === JSON.stringify(Object.getOwnPropertyNames(JSON.parse(JSON.stringify(value))));
    }
    const cycle: any = {};
    cycle.self = cycle;
    const refused = await Promise.all([{ value: cycle }, { value: 1n }].map((args) => kit.outcome(client.callTool("take", args as any))));
    return { same, polluted: ({} as any).polluted, refused: refused.map((each) => each.code), still: (await client.callTool("take")).content };
  });
  expect(seen).toEqual({ same: { plain: true, odd: true, proto: true, bare: true, made: true }, polluted: undefined, refused: ["send-failed", "send-failed"], still: [{ type: "text", text: "taken" }] });
});

test("a page that calls in a loop still gets tasks in between", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const { client } = lib.createPageServer({ tools: new lib.ToolManager([{ name: "t", execute: () => "" }]) });
    await client.connect();
    let fired = false;
    setTimeout(() => (fired = true), 0);
    let calls = 0;
    while (!fired && calls < 100_000) {
      calls += 1;
      await client.callTool("t");
    }
    return { fired, calls: calls > 0 };
  });
  expect(seen).toEqual({ fired: true, calls: true });
});

test("closing while a carrier still starts ends connect() on either side", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const carrier = () => {
      let started!: () => void;
      const seen = { closed: 0 };
      const transport: any = { start: () => new Promise<void>((resolve) => (started = resolve)), send: async () => {}, close: async () => void seen.closed++ };
      return { transport, seen, start: () => started() };
    };
    const [one, other] = [carrier(), carrier()];
    const server = new lib.Server({ tools: new lib.ToolManager() });
    const client = new lib.Client();
    const ends = [kit.outcome(server.connect(one.transport)), kit.outcome(client.connect(other.transport))];
    await Promise.all([server.close(), client.close()]);
    one.start();
    other.start();
    const codes = (await Promise.all(ends)).map(({ code }) => code);
    return { codes, closed: [one.seen.closed, other.seen.closed], sessions: server.sessions };
  });
  expect(seen).toEqual({ codes: ["closed", "closed"], closed: [1, 1], sessions: 0 });
});
