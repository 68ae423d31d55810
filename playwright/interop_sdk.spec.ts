// The official SDKs at the other end: their clients with our `Server`, our `Client` with their
// servers, over their own transports and over ours plugged into theirs.

import { expect, loadSdks, test } from "./everywhere.ts";

const text = (text: string) => [{ type: "text", text }];

for (const official of ["1.x", "2.x", "2.x auto"] as const) {
  for (const carrier of ["their own transport", "our MessagePortTransport", "their InMemoryTransport"] as const) {
    test(`the SDK's ${official} client over ${carrier} works with our Server`, async ({ openPage }) => {
      const page = await openPage();
      await loadSdks(page);
      const seen = await page.evaluate(async ([official, carrier]) => {
        const started = kit.deferred();
        const told = kit.deferred<string>();
        const callers: unknown[] = [];
        const tools = new lib.ToolManager([
          { name: "echo", title: "Echo", description: "Says it again", inputSchema: { type: "object", properties: { text: { type: "string" } } }, annotations: { readOnlyHint: true }, execute: ({ text }, { caller }) => { callers.push(caller); return text; } },
          { name: "object", execute: () => ({ a: [1, null] }) },
          { name: "typed", outputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] }, execute: () => ({ n: 5 }) },
          { name: "fails", execute: () => { throw new Error("our trouble"); } },
          { name: "steps", execute: async (_args, { progress }) => { for (const step of [1, 2, 3]) { progress({ progress: step, total: 3, message: `step ${step}` }); await null; } return "done"; } },
          { name: "wait", execute: (_args, { signal }) => { started.resolve(); return new Promise(() => signal.addEventListener("abort", () => told.resolve(String(signal.reason)))); } },
        ]);
        const { client, server, call, notices } = await kit.officialClient(official, carrier, tools);
        const { tools: list } = await client.listTools();
        const steps: unknown[] = [];
        const results = {
          echo: await call("echo", { text: "hi ☃" }),
          object: await call("object"),
          typed: await call("typed"),
          fails: await call("fails"),
          steps: await call("steps", {}, { onprogress: (step: any) => steps.push(step) }),
        };
        const unknown = await call("nobody").catch((error: any) => ({ code: error.code, message: error.message }));
        const controller = new AbortController();
        const waiting = call("wait", {}, { signal: controller.signal }).catch((error: any) => error.message ?? String(error));
        await started.promise;
        controller.abort("enough");
        const rejected = String(await waiting);
        const reason = await told.promise;
        tools.add({ name: "late", execute: () => "late" });
        tools.remove("wait");
        const late = await call("late");
        const names = (await client.listTools()).tools.map(({ name }: { name: string }) => name);
        const [serverInfo, instructions] = [client.getServerVersion(), client.getInstructions()];
        const sessions = server.sessions;
        const revision = client.getNegotiatedProtocolVersion?.();
        await client.close();
        await server.close();
        return { list, results, steps, unknown, rejected, reason, late: late.content, names, notices, callers, serverInfo, revision, instructions, sessions };
      }, [official, carrier] as const);

      const modern = official === "2.x auto";
      expect(seen.list.map(({ name }: { name: string }) => name)).toEqual(["echo", "object", "typed", "fails", "steps", "wait"]);
      expect(seen.list[0]).toMatchObject({ title: "Echo", description: "Says it again", inputSchema: { type: "object", properties: { text: { type: "string" } } }, annotations: { readOnlyHint: true } });
      expect(seen.results.echo.content).toEqual(text("hi ☃"));
      expect(seen.results.object).toMatchObject({ content: text('{"a":[1,null]}'), structuredContent: { a: [1, null] } });
      expect(seen.results.typed).toMatchObject({ structuredContent: { n: 5 } });
      expect(seen.results.fails).toMatchObject({ content: text("our trouble"), isError: true });
      expect(seen.results.steps.content).toEqual(text("done"));
      expect(seen.steps).toEqual([1, 2, 3].map((progress) => expect.objectContaining({ progress, total: 3, message: `step ${progress}` })));
      expect(seen.unknown).toEqual({ code: -32602, message: expect.stringContaining("nobody") });
      expect(seen.rejected).toContain("enough");
      expect(seen.reason).toContain("enough");
      expect(seen.late).toEqual(text("late"));
      expect(seen.names).toEqual(["echo", "object", "typed", "fails", "steps", "late"]);
      expect(seen.notices).toEqual(modern ? [] : ["list_changed"]);
      expect(seen.callers).toEqual([{ via: "session", client: expect.objectContaining({ name: "theirs", version: "4.5.6" }) }]);
      expect(seen.serverInfo).toMatchObject({ name: "ours", version: "1.2.3" });
      expect(seen.instructions).toBe("be kind");
      if (official !== "1.x") expect(seen.revision).toBe(modern ? "2026-07-28" : "2025-11-25");
      expect(seen.sessions).toBe(1);
    });
  }
}

const servers = [
  ["1.x", "auto", "2025-11-25"],
  ["1.x", "2025-06-18", "2025-06-18"],
  ["2.x connect", "auto", "2025-11-25"],
  ["2.x both eras", "auto", "2026-07-28"],
  ["2.x both eras", "2025-11-25", "2025-11-25"],
] as const;

for (const [official, protocol, agreed] of servers) {
  for (const carrier of ["their own transport", "our MessagePortTransport", "their InMemoryTransport"] as const) {
    test(`our Client (${protocol}) over ${carrier} works with the SDK's ${official} server`, async ({ openPage }) => {
      const page = await openPage();
      await loadSdks(page);
      const seen = await page.evaluate(async ([official, protocol, carrier]) => {
        const { client, observed, notices, faults, server } = await kit.officialServer(official, carrier, protocol);
        const list = await client.tools();
        const steps: unknown[] = [];
        const results = {
          echo: await client.callTool("echo", { text: "hi ☃" }),
          through: await list[0]!.execute({ text: "again" }, undefined as any),
          fails: await client.callTool("fails"),
          invalid: await client.callTool("echo", { text: 5 }),
          steps: await client.callTool("steps", { n: 3 }, { progress: (step) => steps.push(step) }),
        };
        const unknown = await kit.outcome(client.callTool("nobody"));
        const method = await kit.outcome(client.request("no/such"));
        const controller = new AbortController();
        const waiting = client.callTool("wait", {}, { signal: controller.signal }).catch((reason) => reason);
        await kit.until(() => observed.calls.includes("wait"), "their tool to run");
        controller.abort("enough");
        const rejected = await waiting;
        await kit.until(() => observed.aborted.length === 1, "their tool to be told");
        server().registerTool("late", { description: "Late" }, async () => ({ content: [{ type: "text", text: "late" }] }));
        const late = await client.callTool("late");
        const names = (await client.tools()).map(({ name }) => name);
        const serverInfo = client.server;
        await client.close();
        return { list: JSON.parse(JSON.stringify(list)), results, steps, unknown, method, rejected, aborted: observed.aborted, calls: observed.calls, late: late.content, names, notices, faults, agreed: client.protocol, serverInfo };
      }, [official, protocol, carrier] as const);

      expect(seen.agreed).toBe(agreed);
      expect(JSON.stringify(seen.serverInfo)).toContain('"name":"theirs"');
      expect(seen.list.map(({ name }: { name: string }) => name)).toEqual(["echo", "fails", "steps", "wait"]);
      expect(seen.list[0]).toMatchObject({ title: "Echo", description: "Says it again", inputSchema: { type: "object", required: ["text"] }, annotations: { readOnlyHint: true } });
      expect(seen.calls).toEqual([{ text: "hi ☃" }, { text: "again" }, "wait"]);
      expect(seen.results.echo.content).toEqual(text("hi ☃"));
      expect((seen.results.through as any).content).toEqual(text("again"));
      expect(seen.results.fails).toMatchObject({ content: text("their trouble"), isError: true });
      expect(seen.results.invalid).toMatchObject({ isError: true });
      expect(seen.results.steps.content).toEqual(text("true"));
      expect(seen.steps).toEqual([1, 2, 3].map((progress) => expect.objectContaining({ progress, total: 3 })));
      // The SDK's 1.x server answers an unknown tool with a result; 2.x with the protocol's error.
      const { value, code } = seen.unknown;
      expect(value?.isError === true || code === "invalid-params").toBe(true);
      expect(seen.method).toMatchObject({ code: "method-not-found", rpcCode: -32601 });
      expect(seen.rejected).toBe("enough");
      expect(seen.aborted).toEqual([expect.stringContaining("enough")]);
      expect(seen.late).toEqual(text("late"));
      expect(seen.names).toEqual(["echo", "fails", "steps", "wait", "late"]);
      expect(seen.notices).toEqual(agreed === "2026-07-28" ? [] : ["notifications/tools/list_changed"]);
      expect(seen.faults).toEqual([]);
    });
  }
}
