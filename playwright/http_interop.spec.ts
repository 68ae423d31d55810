// `HttpTransport` between our `Client` and the official SDKs' HTTP servers, and under their clients.

import { expect, loadSdks } from "./everywhere.ts";
import { official, test } from "./http_server.ts";

const text = (text: string) => [{ type: "text", text }];

for (const [version, protocol, agreed] of [
  ["1.x", "auto", "2025-11-25"],
  ["1.x", "2025-06-18", "2025-06-18"],
  ["2.x", "auto", "2026-07-28"],
  ["2.x", "2025-11-25", "2025-11-25"],
] as const) {
  test(`our Client (${protocol}) works with the SDK's ${version} HTTP server`, async ({ openPage, http, expectNoise }) => {
    // The probe that a 1.x server refuses, an unknown method, and the stream that a 2.x server does not have.
    expectNoise(/the server responded with a status of 40[045]/);
    const { observed, ended, server } = official(http, version);
    const page = await openPage();
    const seen = await page.evaluate(async ([url, protocol]) => {
      const client = new lib.Client({ name: "ours", protocol });
      const faults: string[] = [];
      client.addEventListener("error", (event) => faults.push(String((event as any).error)));
      const notices: string[] = [];
      client.addEventListener("notification", (event) => notices.push((event as any).method));
      Object.assign(globalThis, { client, notices });
      const transport = new lib.HttpTransport(url);
      await client.connect(transport);
      const list = await client.tools();
      const steps: unknown[] = [];
      const results = [await client.callTool("echo", { text: "hi ☃" }), await list[0]!.execute({ text: "again" }, undefined as any), await client.callTool("fails"), await client.callTool("steps", { n: 3 }, { progress: (step) => steps.push(step.progress) })];
      const method = await kit.outcome(client.request("no/such"));
      const controller = new AbortController();
      const waiting = client.callTool("wait", {}, { signal: controller.signal }).catch((reason) => reason);
      Object.assign(globalThis, { controller, waiting });
      return { names: list.map(({ name }) => name), results, steps, method, faults, agreed: client.protocol, session: typeof transport.sessionId };
    }, [http.url, protocol] as const);
    await expect.poll(() => observed.calls).toEqual([{ text: "hi ☃" }, { text: "again" }, "wait"]);
    const rejected = await page.evaluate(async () => {
      (globalThis as any).controller.abort("enough");
      return await (globalThis as any).waiting;
    });
    // Their tool hears of it: by the end of its stream in the one era, by a notification in the other. The 2.x
    // server of the handshake era keeps nothing between requests, so nothing can reach the tool there.
    const stateful = version === "1.x";
    if (stateful || agreed === "2026-07-28") await expect.poll(() => observed.aborted.length).toBe(1);
    if (stateful) {
      server().registerTool("late", { description: "Late" }, async () => ({ content: text("late") }));
      await page.waitForFunction(() => (globalThis as any).notices.includes("notifications/tools/list_changed"));
    }
    // Closing ends what is under way, a notification too.
    if (agreed !== "2026-07-28") await expect.poll(() => http.story()).toContain("notifications/cancelled");
    await page.evaluate(() => (globalThis as any).client.close());

    expect(seen.agreed).toBe(agreed);
    expect(seen.names).toEqual(["echo", "fails", "steps", "wait"]);
    expect(seen.results.map((result: any) => result.content)).toEqual([text("hi ☃"), text("again"), text("their trouble"), text("true")]);
    expect(seen.steps).toEqual([1, 2, 3]);
    expect(seen.method).toMatchObject({ code: "method-not-found", rpcCode: -32601 });
    expect(seen.faults).toEqual([]);
    expect(rejected).toBe("enough");
    expect(seen.session).toBe(stateful ? "string" : "undefined");
    if (stateful) await expect.poll(() => ended.length).toBe(1);
    expect(http.story().includes("notifications/cancelled")).toBe(agreed !== "2026-07-28");
    const calls = http.seen.filter(({ message }) => message?.method === "tools/call");
    for (const { headers } of calls) {
      expect(headers["mcp-protocol-version"]).toBe(agreed);
      expect(headers["mcp-method"]).toBe(agreed === "2026-07-28" ? "tools/call" : undefined);
      expect(headers["mcp-session-id"] !== undefined).toBe(stateful);
    }
  });
}

for (const [client, server, agreed] of [
  ["1.x", "1.x", "2025-11-25"],
  ["1.x", "2.x", "2025-11-25"],
  ["2.x", "1.x", "2025-11-25"],
  ["2.x auto", "1.x", "2025-11-25"],
  ["2.x auto", "2.x", "2026-07-28"],
] as const) {
  test(`the SDK's ${client} client over our HttpTransport works with its ${server} server`, async ({ openPage, http, expectNoise }) => {
    expectNoise(/the server responded with a status of 40[05]/);
    const { observed, ended } = official(http, server);
    const page = await openPage();
    await loadSdks(page);
    const seen = await page.evaluate(async ([url, version]) => {
      const info = { name: "theirs", version: "4.5.6" };
      const client: any = version === "1.x" ? new sdk1.Client(info) : new sdk2.Client(info, version === "2.x auto" ? { versionNegotiation: { mode: "auto" } } : undefined);
      const faults: string[] = [];
      client.onerror = (error: Error) => faults.push(String(error));
      await client.connect(new lib.HttpTransport(url));
      const call = (name: string, args: object = {}, options?: object) => (version === "1.x" ? client.callTool({ name, arguments: args }, undefined, options) : client.callTool({ name, arguments: args }, options));
      const { tools } = await client.listTools();
      const steps: unknown[] = [];
      const results = [await call("echo", { text: "hi ☃" }), await call("fails"), await call("steps", { n: 2 }, { onprogress: (step: any) => steps.push(step.progress) })];
      const controller = new AbortController();
      const waiting = call("wait", {}, { signal: controller.signal }).catch((error: any) => error.message ?? String(error));
      Object.assign(globalThis, { client, controller, waiting });
      return { names: tools.map(({ name }: any) => name), contents: results.map(({ content }) => content), steps, faults };
    }, [http.url, client] as const);
    await expect.poll(() => observed.calls).toEqual([{ text: "hi ☃" }, "wait"]);
    const rejected = await page.evaluate(() => ((globalThis as any).controller.abort("enough"), (globalThis as any).waiting));
    if (server === "1.x" || agreed === "2026-07-28") await expect.poll(() => observed.aborted.length).toBe(1);
    await page.evaluate(() => (globalThis as any).client.close());
    expect(seen.names).toEqual(["echo", "fails", "steps", "wait"]);
    expect(seen.contents).toEqual([text("hi ☃"), text("their trouble"), text("true")]);
    expect(seen.steps).toEqual([1, 2]);
    expect(seen.faults).toEqual([]);
    expect(String(rejected)).toContain("enough");
    expect(http.seen.find(({ message }) => message?.method === "tools/call")!.headers["mcp-protocol-version"]).toBe(agreed);
    if (server === "1.x") await expect.poll(() => ended.length).toBe(1);
  });
}
