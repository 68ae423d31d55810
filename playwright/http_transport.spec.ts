// `HttpTransport` against servers that answer by script: headers, event streams, failures, sign-in,
// cancellation, resumption and endings. What counts is what the server saw and the client got.

import { expect } from "./everywhere.ts";
import { complete, json, openHttp, speaking, stream, test } from "./http_server.ts";

const meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
const ask = (id: number, method = "tools/call", params: object = {}) => ({ jsonrpc: "2.0", id, method, params: { ...params, _meta: meta } });
const ok = (id: unknown, result: object = {}) => ({ jsonrpc: "2.0", id, result: complete(result) });
/** Answers of HTTP that the browser remarks on. */
const status = /the server responded with a status of|net::ERR_|blocked by CORS policy/;

declare global {
  var client: import("../dist/index.js").Client;
  var kept: any;
}

test("the stateless era says method, name and annotated arguments in headers", async ({ openPage, http }) => {
  const annotated = (name: string, properties: object) => ({ name, inputSchema: { type: "object", properties } });
  const region = { type: "string", "x-mcp-header": "Region" };
  const tools = [
    annotated("näme", { region, inner: { type: "object", properties: { deep: { type: "integer", "x-mcp-header": "Deep" } } }, other: { type: "string" } }),
    annotated("twice", { a: region, b: { type: "string", "x-mcp-header": "region" } }),
    annotated("number", { a: { type: "number", "x-mcp-header": "Region" } }),
    annotated("in items", { a: { type: "array", items: region } }),
    annotated("in anyOf", { a: { anyOf: [region] } }),
    annotated("spaced", { a: { type: "string", "x-mcp-header": "a b" } }),
    annotated("default", { a: { type: "object", default: { "x-mcp-header": 5 } } }),
    { name: "bare", inputSchema: { type: "object", properties: { region } } },
  ];
  http.handle = speaking("stateless", ({ message: { id, method } }, response) => json(response, ok(id, method === "tools/list" ? { tools } : { content: [], messages: [], contents: [] })));
  const page = await openPage();
  const seen = await page.evaluate(async (url) => {
    const client = new lib.Client();
    const faults: string[] = [];
    client.addEventListener("error", (event) => faults.push((event as any).error.message));
    await client.connect(new lib.HttpTransport(url, { headers: { Authorization: "Basic b3Vycw==", Accept: "text/html" } }));
    const names = (await client.tools()).map(({ name }) => name);
    await client.callTool("näme", { region: " é", inner: { deep: 42 }, other: "x" });
    await client.callTool("näme", { region: null, inner: { deep: 1.5 } });
    await client.callTool("bare", { region: "=?base64?eA==?=" });
    await client.request("prompts/get", { name: "a b" });
    await client.request("resources/read", { uri: "file:///x" });
    await client.close();
    return { names, faults };
  }, http.url);

  expect(seen.names).toEqual(["näme", "default", "bare"]);
  expect(seen.faults).toHaveLength(5);
  const base64 = (text: string) => `=?base64?${Buffer.from(text).toString("base64")}?=`;
  const headers = http.seen.map(({ headers: { "mcp-method": method, "mcp-name": name, "mcp-param-region": region, "mcp-param-deep": deep } }) => [method, name, region, deep]);
  expect(headers).toEqual([
    ["server/discover", undefined, undefined, undefined],
    ["tools/list", undefined, undefined, undefined],
    ["tools/call", base64("näme"), base64(" é"), "42"],
    ["tools/call", base64("näme"), undefined, undefined],
    ["tools/call", "bare", base64("=?base64?eA==?="), undefined],
    ["prompts/get", "a b", undefined, undefined],
    ["resources/read", "file:///x", undefined, undefined],
  ]);
  for (const { headers, verb } of http.seen) {
    expect(verb).toBe("POST");
    expect(headers).toMatchObject({ accept: "application/json, text/event-stream", "content-type": "application/json", "mcp-protocol-version": "2026-07-28", authorization: "Basic b3Vycw==" });
    expect(headers["mcp-session-id"]).toBeUndefined();
  }
});

test("an event stream may be cut anywhere and end its lines in any way", async ({ openPage }) => {
  const page = await openPage();
  const results = await page.evaluate(async ([message]) => {
    const answer = JSON.stringify({ jsonrpc: "2.0", id: 1, result: { text: "☃ é" } });
    const [head, tail] = [answer.slice(0, 15), answer.slice(15)];
    const outcomes: string[] = [];
    for (const end of ["\n", "\r", "\r\n"]) {
      const lines = ["\ufeff: hello", "id: 1", "retry: 5", "data", "", "event: ping", "data: {}", "", "event: message", "data:{\"jsonrpc\":\"2.0\",\"method\":\"note\"}", "", `data: ${head.slice(0, 1)}`, `data:${head.slice(1)}${tail}`, "unknown: x", "", "data: {\"jsonrpc\":\"2.0\",\"method\":\"unfinished\"}", ""];
      const bytes = new TextEncoder().encode(lines.join(end));
      const cuts = [...bytes.keys()].map((cut) => [bytes.slice(0, cut), bytes.slice(cut)]);
      for (const pieces of [[bytes], [...bytes].map((byte) => Uint8Array.of(byte)), ...cuts]) {
        const body = new ReadableStream({ start(controller) { pieces.forEach((piece) => controller.enqueue(piece)); controller.close(); } });
        const transport = new lib.HttpTransport("https://nowhere.test", { fetch: async () => new Response(body, { headers: { "Content-Type": "Text/Event-Stream; charset=utf-8" } }) });
        const got: unknown[] = [];
        transport.onmessage = (message) => got.push(message.method ?? message.result?.text);
        transport.onerror = (error) => got.push(String(error));
        await transport.start();
        await transport.send(message);
        outcomes.push(JSON.stringify(got));
        await transport.close();
      }
    }
    return { number: outcomes.length, kinds: [...new Set(outcomes)] };
  }, [ask(1)] as const);
  expect(results.number).toBeGreaterThan(600);
  expect(results.kinds).toEqual(['["note","☃ é"]']);
});

test("what a server sends is there when it is sent, not when the stream ends", async ({ openPage, http }) => {
  let finish!: () => void;
  http.handle = speaking("stateless", ({ message: { id, params } }, response) => {
    const send = stream(response);
    send({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: params._meta.progressToken, progress: 1 } });
    finish = () => (send(ok(id, { content: [] })), response.end());
  });
  const page = await openPage();
  await page.evaluate(async (url) => {
    globalThis.client = new lib.Client();
    await client.connect(new lib.HttpTransport(url));
    kept = { steps: [] };
    kept.call = client.callTool("slow", {}, { progress: ({ progress }) => kept.steps.push(progress) });
  }, http.url);
  await page.waitForFunction(() => kept.steps.length === 1);
  finish();
  expect(await page.evaluate(async () => [(await kept.call).content, kept.steps])).toEqual([[], [1]]);
});

test("in the stateless era the server loses the stream of a cancelled call, and gets no message", async ({ openPage, http }) => {
  http.handle = speaking("stateless", (_seen, response) => void stream(response)(": open\n\n"));
  const page = await openPage();
  // They may arrive in any order.
  const gone = () => ["one", "two", "three"].map((name) => http.seen.find(({ message }) => message.params.name === name)?.gone);
  await page.evaluate(async (url) => {
    globalThis.client = new lib.Client({ timeout: 60_000 });
    await client.connect(new lib.HttpTransport(url));
    kept = new AbortController();
    kept.first = client.callTool("one", {}, { signal: kept.signal }).catch((reason) => reason);
    kept.second = kit.outcome(client.callTool("two", {}, { timeout: 200 }));
    kept.third = kit.outcome(client.callTool("three"));
  }, http.url);
  await expect.poll(gone).toEqual([false, expect.any(Boolean), false]);
  expect((await page.evaluate(() => kept.second)).code).toBe("timeout");
  await expect.poll(gone).toEqual([false, true, false]);
  expect(await page.evaluate(() => (kept.abort("enough"), kept.first))).toBe("enough");
  await expect.poll(gone).toEqual([true, true, false]);
  await page.evaluate(() => client.close());
  await expect.poll(gone).toEqual([true, true, true]);
  expect((await page.evaluate(() => kept.third)).code).toBe("closed");
  expect(http.story()).toEqual(["server/discover", "tools/call", "tools/call", "tools/call"]);
});

test("in the handshake era a session is kept, a cancelled call is told of, and the end is told by DELETE", async ({ openPage, http, expectNoise }) => {
  expectNoise(status);
  let notify!: (event: object) => void;
  http.handle = speaking("handshake", ({ verb, message }, response) => {
    if (verb === "GET") notify = stream(response);
    else if (verb === "DELETE" || !message.id) response.writeHead(202).end();
    else stream(response)(": open\n\n");
  });
  const page = await openPage();
  await page.evaluate(async (url) => {
    globalThis.client = new lib.Client();
    const transport = new lib.HttpTransport(url);
    await client.connect(transport);
    kept = { transport, notices: [], controller: new AbortController() };
    client.addEventListener("notification", (event) => kept.notices.push((event as any).method));
    kept.call = client.callTool("one", {}, { signal: kept.controller.signal }).catch((reason) => reason);
  }, http.url);
  await expect.poll(() => http.story().sort()).toEqual(["GET", "initialize", "notifications/initialized", "server/discover", "tools/call"]);
  notify({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
  await page.waitForFunction(() => kept.notices.length === 1);
  expect(await page.evaluate(() => (kept.controller.abort("enough"), kept.call))).toBe("enough");
  const call = http.seen.find(({ message }) => message?.method === "tools/call")!;
  await expect.poll(() => call.gone).toBe(true);
  await page.evaluate(() => client.close());
  await expect.poll(() => http.story().slice(-2)).toEqual(["notifications/cancelled", "DELETE"]);
  await expect.poll(() => http.seen.find(({ verb }) => verb === "GET")!.gone).toBe(true);
  expect(http.seen.find(({ message }) => message?.method === "notifications/cancelled")!.message.params).toEqual({ requestId: call.message.id, reason: "enough" });
  for (const { headers } of http.seen.slice(2)) {
    expect(headers["mcp-session-id"]).toBe("session-1");
    expect(headers["mcp-protocol-version"]).toBe("2025-11-25");
    expect(headers["mcp-method"]).toBeUndefined();
  }
  expect(http.seen[1]!.headers).not.toHaveProperty("mcp-session-id");
  expect(http.seen[1]!.headers).not.toHaveProperty("mcp-protocol-version");
});

test("a broken stream is taken up after its last event, when the server says, and given up in the end", async ({ openPage, http, expectNoise }) => {
  expectNoise(status);
  const breaks: (() => void)[] = [];
  const of = (verb: string) => http.seen.filter((one) => one.verb === verb && (verb === "POST" ? one.message.method === "tools/call" : one.headers["last-event-id"]));
  http.handle = speaking("handshake", ({ verb, headers, message }, response) => {
    if (verb === "POST") {
      const send = stream(response);
      send("id: a\nretry: 300\ndata:\n\n");
      send(`id: ${message.params.name}\ndata: {"jsonrpc":"2.0","method":"note"}\n\n`);
      breaks.push(() => response.destroy());
    } else if (headers["last-event-id"] === "b") {
      // Nothing new at first, then the answer.
      const send = stream(response);
      if (of("GET").length > 1) send({ jsonrpc: "2.0", id: of("POST")[0]!.message.id, result: { content: [] } });
      response.end();
    } else response.writeHead(headers["last-event-id"] ? 503 : 405).end();
  });
  const page = await openPage();
  await page.evaluate(async (url) => {
    globalThis.client = new lib.Client();
    kept = { notes: 0 };
    client.addEventListener("notification", () => kept.notes++);
    await client.connect(new lib.HttpTransport(url));
  }, http.url);
  const outcomes = [];
  for (const [index, name] of ["b", "z"].entries()) {
    await page.evaluate((name) => void (kept.call = kit.outcome(client.callTool(name))), name);
    await page.waitForFunction((notes) => kept.notes === notes, index + 1);
    breaks[index]!();
    outcomes.push(await page.evaluate(() => kept.call));
  }
  expect(outcomes).toEqual([{ value: { content: [] } }, expect.objectContaining({ code: "send-failed", message: expect.stringContaining("HTTP 503") })]);
  const resumed = of("GET");
  expect(resumed.map(({ headers }) => headers["last-event-id"])).toEqual(["b", "b", "z", "z", "z", "z", "z"]);
  // A lower bound is the protocol's demand, not a measure of speed; two processes' timers differ a little.
  const broken = [of("POST")[0]!, resumed[0]!, of("POST")[1]!, ...resumed.slice(2, 6)];
  expect(resumed.map(({ at }, index) => at - broken[index]!.at > 280)).toEqual(Array(7).fill(true));
});

test("a token is asked for again once when the server says 401", async ({ openPage, http, expectNoise }) => {
  expectNoise(status);
  let valid = "two";
  const speak = speaking("stateless", ({ message: { id } }, response) => json(response, ok(id, { content: [] })));
  http.handle = (seen, response) => {
    if (seen.headers.authorization === `Bearer ${valid}`) return speak(seen, response);
    response.writeHead(401, { "WWW-Authenticate": 'Bearer realm="x"', "Content-Type": "application/json" }).end('{"error":"invalid_token"}');
  };
  const page = await openPage();
  const first = await page.evaluate(async (url) => {
    kept = { tokens: ["one", "two", "two", "three", "four"], asked: 0 };
    globalThis.client = new lib.Client();
    await client.connect(new lib.HttpTransport(url, { token: async () => kept.tokens[kept.asked++] }));
    return (await client.callTool("x")).content;
  }, http.url);
  expect(first).toEqual([]);
  valid = "five";
  const second = await page.evaluate(() => kit.outcome(client.callTool("y")));
  expect(second).toMatchObject({ code: "send-failed", message: expect.stringContaining("HTTP 401") });
  expect(http.seen.map(({ headers }) => headers.authorization)).toEqual(["one", "two", "two", "three", "four"].map((token) => `Bearer ${token}`));
  // Without the rights to ask, nothing is known of the era, and no handshake is tried.
  const third = await page.evaluate((url) => kit.outcome(new lib.Client().connect(new lib.HttpTransport(url))), http.url);
  expect(third).toMatchObject({ code: "send-failed", message: expect.stringContaining("HTTP 401") });
  expect(http.story()).not.toContain("initialize");
  const raw = await page.evaluate(async ([url, message]) => {
    const transport = new lib.HttpTransport(url);
    await transport.start();
    return kit.outcome(transport.send(message));
  }, [http.url, ask(1)] as const);
  expect(raw).toMatchObject({ name: "ModelportError", code: "send-failed", data: { status: 401, challenge: 'Bearer realm="x"' } });
});

test("an HTTP error with a JSON-RPC body is that answer; any other is a failure with its status", async ({ openPage, http, expectNoise }) => {
  expectNoise(status);
  const error = { code: -32601, message: "No such method" };
  const answers: Record<string, [number, string, string]> = {
    rpc: [404, "application/json", JSON.stringify({ jsonrpc: "2.0", id: null, error })],
    page: [502, "text/html", "<h1>Bad gateway</h1>"],
    oauth: [403, "application/json", '{"error":"insufficient_scope"}'],
    html: [200, "text/html", "<h1>Welcome</h1>"],
    junk: [200, "application/json", "{"],
    silent: [200, "text/event-stream", "data: {}\n\n"],
    empty: [200, "application/json", ""],
  };
  http.handle = speaking("stateless", ({ message: { params } }, response) => {
    const [code, type, body] = answers[params.name]!;
    response.writeHead(code, { "Content-Type": type }).end(body);
  });
  const page = await openPage();
  const seen = await page.evaluate(async ([url, names]) => {
    const client = new lib.Client();
    await client.connect(new lib.HttpTransport(url));
    const outcomes: Record<string, any> = {};
    for (const name of names) outcomes[name] = await kit.outcome(client.callTool(name));
    await client.close();
    return outcomes;
  }, [http.url, Object.keys(answers)] as const);
  expect(seen.rpc).toMatchObject({ code: "method-not-found", message: "No such method" });
  for (const [name, words] of Object.entries({ page: "HTTP 502", oauth: "HTTP 403", html: "text/html", junk: "too early", silent: "too early", empty: "too early" })) {
    expect(seen[name], name).toMatchObject({ code: "send-failed", message: expect.stringContaining(words) });
  }
});

test("a page that may not send the new headers falls back to the handshake; a broken server is no reason to", async ({ openPage, http, expectNoise }) => {
  expectNoise(status);
  http.allows = "content-type, accept, mcp-protocol-version, mcp-session-id, last-event-id";
  http.handle = speaking("handshake", ({ verb, message }, response) => (verb === "POST" ? json(response, { jsonrpc: "2.0", id: message.id, result: { tools: [{ name: "old", inputSchema: { type: "object" } }] } }) : response.writeHead(405).end()));
  const page = await openPage();
  const old = await page.evaluate(async (url) => {
    const client = new lib.Client();
    await client.connect(new lib.HttpTransport(url));
    const names = (await client.tools()).map(({ name }) => name);
    await client.close();
    return [client.protocol, names];
  }, http.url);
  expect(old).toEqual(["2025-11-25", ["old"]]);
  expect(http.story()).not.toContain("server/discover");

  http.allows = "accept";
  // Another address, as that one is known to be old by now, and to the browser as open.
  const shut = await page.evaluate((url) => kit.outcome(new lib.Client().connect(new lib.HttpTransport(url))), `${http.url}?shut`);
  expect(shut).toMatchObject({ code: "send-failed", message: expect.stringContaining("CORS") });

  const broken = await openHttp();
  broken.handle = (_seen, response) => json(response, { jsonrpc: "2.0", id: null, error: { code: -32603, message: "down" } }, 503);
  const down = await page.evaluate((url) => kit.outcome(new lib.Client().connect(new lib.HttpTransport(url))), broken.url);
  expect(down).toMatchObject({ code: "send-failed", message: expect.stringContaining("HTTP 503") });
  expect(broken.story()).toEqual(["server/discover"]);
  await broken.close();

});

test("a server that turned out to be old is not probed again, unless only this client insisted on that", async ({ openPage, http, expectNoise }) => {
  expectNoise(status);
  const page = await openPage();
  http.handle = speaking("handshake", (_seen, response) => response.writeHead(405).end());
  const connect = (options: object) =>
    page.evaluate(async ({ url, options }) => {
      const client = new lib.Client(options);
      await client.connect(new lib.HttpTransport(url));
      await client.close();
    }, { url: http.url, options });
  const opened = async (options = {}) => {
    http.seen.length = 0;
    await connect(options);
    // What the session before said last may arrive late.
    return http.story().find((step) => step === "initialize" || step === "server/discover");
  };
  expect(await opened({ protocol: "2025-11-25" })).toBe("initialize");
  expect(await opened()).toBe("server/discover");
  expect(await opened()).toBe("initialize");
});

test("closing is once, for all, and final; a session that the server has ended ends the client", async ({ openPage, http, expectNoise }) => {
  expectNoise(status);
  let lost = false;
  http.handle = speaking("handshake", ({ verb, message }, response) => {
    if (verb === "GET") return stream(response);
    if (verb === "DELETE") return response.writeHead(405).end();
    return lost ? json(response, { jsonrpc: "2.0", id: null, error: { code: -32001, message: "Session not found" } }, 404) : json(response, { jsonrpc: "2.0", id: message.id, result: {} });
  });
  const page = await openPage();
  await page.evaluate(async (url) => {
    kept = { events: [] };
    globalThis.client = new lib.Client();
    client.addEventListener("error", (event) => kept.events.push((event as any).error.code));
    client.addEventListener("close", () => kept.events.push("close"));
    await client.connect(new lib.HttpTransport(url));
  }, http.url);
  await expect.poll(() => http.story()).toContain("GET");
  lost = true;
  expect(await page.evaluate(() => kit.outcome(client.callTool("x")))).toMatchObject({ code: "closed" });
  expect(await page.evaluate(() => kept.events)).toEqual(["closed", "close"]);
  await expect.poll(() => http.seen.find(({ verb }) => verb === "GET")!.gone).toBe(true);
  expect(http.story()).not.toContain("DELETE");

  const ended = await page.evaluate(async ([url, message]) => {
    const controller = new AbortController();
    const transport = new lib.HttpTransport(new URL(url), { signal: controller.signal });
    let closes = 0;
    transport.onclose = () => closes++;
    const early = await kit.outcome(transport.send(message));
    await transport.start();
    const again = await kit.outcome(transport.start());
    controller.abort();
    await transport.close();
    const late = await kit.outcome(transport.send(message));
    const unborn = await kit.outcome(new lib.HttpTransport(url, { signal: controller.signal }).start());
    return { closes, codes: [early, again, late, unborn].map(({ code }) => code) };
  }, [http.url, ask(1)] as const);
  expect(ended).toEqual({ closes: 1, codes: ["closed", "invalid-argument", "closed", "closed"] });
});

test("nothing a server sends is kept without bound", async ({ openPage, http }) => {
  const page = await openPage();
  const codes = await page.evaluate(async ([message]) => {
    const outcomes: unknown[] = [];
    const piece = new TextEncoder().encode("x".repeat(2 ** 20));
    for (const [type, first] of [["application/json", '"'], ["text/event-stream", "data: "], ["text/event-stream", "nonsense"]] as const) {
      let sent = 0;
      let cancelled = false;
      const body = new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode(first)),
        pull: (controller) => void (sent++, controller.enqueue(piece)),
        cancel: () => void (cancelled = true),
      });
      const transport = new lib.HttpTransport("https://nowhere.test", { fetch: async (_url, init) => (init!.signal!.addEventListener("abort", () => (cancelled = true)), new Response(body, { headers: { "Content-Type": type } })) });
      await transport.start();
      outcomes.push([(await kit.outcome(transport.send(message))).code, sent > 63 && sent < 70, cancelled]);
    }
    return outcomes;
  }, [ask(1)] as const);
  expect(codes).toEqual(Array(3).fill(["invalid-response", true, true]));
  // A server that goes on after its answer is left a moment later.
  http.handle = speaking("stateless", ({ message: { id } }, response) => void stream(response)(ok(id, { content: [] })));
  await page.evaluate(async (url) => {
    globalThis.client = new lib.Client();
    await client.connect(new lib.HttpTransport(url));
    await client.callTool("x");
  }, http.url);
  await expect.poll(() => http.seen.at(-1)!.gone).toBe(true);
});
