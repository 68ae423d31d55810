// Tools that run as tasks (extension `io.modelcontextprotocol/tasks`), for clients that know tasks and for others.

import { expect, test } from "./everywhere.ts";

const form = { message: "Who?", requestedSchema: { type: "object", properties: { name: { type: "string" } } } };
const carriers = ["page server", "MessagePort"] as const;

for (const carrier of carriers) {
  test(`${carrier}: a client that knows tasks follows one to its end, with its messages and its questions`, async ({ openPage }) => {
    const page = await openPage();
    const seen = await page.evaluate(async ([carrier, form]) => {
      const tasks = new lib.Tasks({ pollInterval: 5 });
      const asked: string[] = [];
      const frames: any[] = [];
      const tools = new lib.ToolManager([
        tasks.defer({ name: "long", execute: async ({ n }, { progress, elicit, sample, roots, caller }) => {
          progress({ progress: 1, message: "begun" });
          await new Promise((resolve) => setTimeout(resolve, 40));
          const [one, two] = await Promise.all([elicit(form), elicit({ ...form, message: "And?" }, { key: "other" })]);
          progress({ progress: 2, message: "known" });
          await new Promise((resolve) => setTimeout(resolve, 40));
          const said = await sample({ messages: [], maxTokens: n });
          return { one: one.content?.["name"], two: two.content?.["name"], said: said.model, roots: (await roots()).roots.length, caller: caller?.client?.name };
        } }),
      ]);
      const { client, stop } = await kit.pair(carrier, { tools, tasks }, {
        tasks: true, name: "till",
        trace: (direction, message: any) => void (direction === "receive" && message.result && frames.push(message.result)),
        elicit: async ({ message }) => { asked.push(message); await new Promise((resolve) => setTimeout(resolve, 30)); return { action: "accept", content: { name: `to ${message}` } }; },
        sample: ({ maxTokens }) => ({ role: "assistant", model: `m${maxTokens}`, content: { type: "text", text: "" } }),
        roots: [{ uri: "file:///a" }],
      });
      const steps: unknown[] = [];
      const result = await client.callTool("long", { n: 7 }, { progress: (step) => steps.push(step) });
      const created = frames.find(({ resultType }) => resultType === "task");
      const statuses = [...new Set(frames.map(({ status }) => status).filter(Boolean))];
      const last = await client.request("tasks/get", { taskId: created.taskId });
      const { pending } = client;
      await stop();
      tasks.clear();
      return { result: result.structuredContent, steps, created, statuses, last, asked, pending, extensions: (client.server as any).capabilities.extensions, size: tasks.size };
    }, [carrier, form] as const);

    expect(seen.result).toEqual({ one: "to Who?", two: "to And?", said: "m7", roots: 1, caller: "till" });
    expect(seen.steps).toEqual([{ progress: 1, message: "begun" }, { progress: 2, message: "known" }]);
    expect(seen.created).toMatchObject({ resultType: "task", taskId: expect.any(String), status: "working", ttlMs: 3_600_000, pollIntervalMs: 5, createdAt: expect.stringMatching(/^\d{4}-/), lastUpdatedAt: expect.any(String) });
    expect(seen.statuses).toEqual(["working", "input_required", "completed"]);
    expect(seen.last).toMatchObject({ status: "completed", statusMessage: "known", result: { structuredContent: { said: "m7" } } });
    expect(seen.last).not.toHaveProperty("inputRequests");
    // Each question once, however often the task was asked about meanwhile.
    expect(seen.asked.sort()).toEqual(["And?", "Who?"]);
    expect(seen.extensions).toEqual({ "io.modelcontextprotocol/tasks": {} });
    expect([seen.pending, seen.size]).toEqual([0, 0]);
  });

  test(`${carrier}: a task is given up by the caller's signal, also while the person is asked`, async ({ openPage }) => {
    const page = await openPage();
    const seen = await page.evaluate(async ([carrier, form]) => {
      const tasks = new lib.Tasks({ pollInterval: 5 });
      const told: string[] = [];
      const frames: any[] = [];
      const tools = new lib.ToolManager([
        tasks.defer({ name: "works", execute: (_args, { signal }) => new Promise(() => signal.addEventListener("abort", () => told.push("tool"))) }),
        tasks.defer({ name: "asks", execute: async (_args, { elicit, signal }) => { signal.addEventListener("abort", () => told.push("tool")); return elicit(form); } }),
        tasks.defer({ name: "moves on", execute: async (_args, { elicit }) => { void elicit(form).catch(() => told.push("question")); await new Promise((resolve) => setTimeout(resolve, 60)); return "without"; } }),
      ]);
      let failing = false;
      let asked = 0;
      const { client, stop } = await kit.pair(carrier, { tools, tasks }, {
        tasks: true,
        trace: (direction, message: any) => void (direction === "receive" && frames.push(message)),
        elicit: (_params, { signal }) => {
          asked += 1;
          if (failing) throw new Error("no person here");
          return new Promise(() => signal.addEventListener("abort", () => told.push("person")));
        },
      });
      const give = async (name: string, ready: () => boolean) => {
        const controller = new AbortController();
        const call = client.callTool(name, {}, { signal: controller.signal }).catch((reason: unknown) => reason);
        await kit.until(ready, "the task to be under way");
        controller.abort("enough");
        return call;
      };
      const reasons = [await give("works", () => frames.some(({ result }) => result?.status === "working"))];
      await kit.until(() => told.length === 1, "the tool to be told");
      reasons.push(await give("asks", () => asked === 1));
      await kit.until(() => told.length === 3, "both sides to be told");
      const both = told.splice(0).slice(1).sort();
      const without = (await client.callTool("moves on")).content;
      await kit.until(() => told.length === 2, "the person and the tool's question to be told");
      const moved = told.splice(0).sort();
      failing = true;
      const failed = await kit.outcome(client.callTool("asks"));
      await kit.until(() => told.length === 1, "the tool of the failed call to be told");
      const statuses = [];
      for (const taskId of new Set<string>(frames.flatMap(({ result }) => (result?.taskId ? [result.taskId] : [])))) statuses.push((await client.request("tasks/get", { taskId }))["status"]);
      const { pending } = client;
      await stop();
      tasks.clear();
      return { reasons, both, without, moved, failed, statuses, pending };
    }, [carrier, form] as const);

    expect(seen.reasons).toEqual(["enough", "enough"]);
    expect(seen.both).toEqual(["person", "tool"]);
    expect(seen.without).toEqual([{ type: "text", text: "without" }]);
    expect(seen.moved).toEqual(["person", "question"]);
    expect(seen.failed.message).toContain("no person here");
    expect(seen.statuses).toEqual(["cancelled", "cancelled", "completed", "cancelled"]);
    expect(seen.pending).toBe(0);
  });
}

test("a client without the extension gets the plain result, in both eras, and may not ask about tasks", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async (form) => {
    const tasks = new lib.Tasks({ limit: 1, pollInterval: 5 });
    const gate = kit.deferred();
    const tools = new lib.ToolManager([
      tasks.defer({ name: "asks", execute: async (_args, { elicit }) => (await elicit(form)).action }),
      tasks.defer({ name: "waits", execute: async () => { await gate.promise; return "waited"; } }),
      tasks.defer({ name: "quick", execute: () => "quick" }),
    ]);
    const results = [];
    for (const [protocol, knows] of [["2026-07-28", false], ["2025-11-25", false], ["2025-11-25", true]] as const) {
      const { client, stop } = await kit.pair("page server", { tools, tasks }, { protocol, tasks: knows, elicit: () => ({ action: "decline" }) });
      results.push([(await client.callTool("asks")).content, (await kit.outcome(client.request("tasks/get", { taskId: "x" }))), tasks.size]);
      await stop();
    }
    // No room for a second task: it is answered as if the client knew none.
    const { client, stop } = await kit.pair("page server", { tools, tasks }, { tasks: true });
    const first = client.callTool("waits");
    await kit.until(() => tasks.size === 1, "the task");
    const second = await client.callTool("quick");
    gate.resolve();
    const outcome = [(await first).content, second.content, tasks.size];
    const unknown = await kit.outcome(client.request("tasks/get", { taskId: "made up" }));
    const unnamed = await kit.outcome(client.request("tasks/cancel", {}));
    await stop();
    tasks.clear();
    return { results, outcome, unknown, unnamed };
  }, form);
  const text = (text: string) => [{ type: "text", text }];
  const required = { requiredCapabilities: { extensions: { "io.modelcontextprotocol/tasks": {} } } };
  expect(seen.results).toEqual([
    [text("decline"), expect.objectContaining({ code: "missing-capability", rpcCode: -32021, data: required }), 0],
    [text("decline"), expect.objectContaining({ code: "method-not-found" }), 0],
    [text("decline"), expect.objectContaining({ code: "method-not-found" }), 0],
  ]);
  expect(seen.outcome).toEqual([text("waited"), text("quick"), 1]);
  expect(seen.unknown).toMatchObject({ code: "invalid-params", rpcCode: -32602 });
  expect(seen.unnamed).toMatchObject({ code: "invalid-params", rpcCode: -32602 });
});

test("a task tells those who named it of every change; what fails in it is a result or the protocol's error", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async (form) => {
    const tasks = new lib.Tasks({ pollInterval: 60_000 });
    const gate = kit.deferred();
    const tools = new lib.ToolManager([
      tasks.defer({ name: "talks", execute: async (_args, { progress, elicit }) => { await gate.promise; progress({ progress: 1, message: "on" }); return (await elicit(form, { key: "q" })).action; } }),
      tasks.defer({ name: "fails", execute: () => { throw new Error("our trouble"); } }),
      tasks.defer({ name: "aborts", execute: () => { throw new DOMException("gone", "NotFoundError"); } }),
      tasks.defer({ name: "refuses", execute: () => { throw new lib.ModelportError("invalid-params", "not so", { rpcCode: -32602, data: { why: 1 } }); } }),
      tasks.defer({ name: "samples", execute: (_args, { sample }) => sample({ messages: [], maxTokens: 1 }) }),
    ]);
    const extension = { "io.modelcontextprotocol/tasks": {} };
    const { client, stop } = await kit.pair("MessagePort", { tools, tasks }, { capabilities: { extensions: extension, elicitation: {} } });
    const start = async (name: string) => (await client.callTool(name))["taskId"] as string;
    const talks = await start("talks");
    const subscription = client.listen({ taskIds: [talks, "other"] });
    const granted = await subscription.granted;
    gate.resolve();
    const notices: any[] = [];
    const next = async () => { const { value } = await subscription.next(); notices.push([value!.method, value!.params["status"], value!.params["statusMessage"], value!.params["inputRequests"]]); };
    await next();
    await next();
    const odd = await kit.outcome(client.request("tasks/update", { taskId: talks, inputResponses: null }));
    const update = await client.request("tasks/update", { taskId: talks, inputResponses: { q: { action: "cancel" }, unknown: {} } });
    await next();
    await next();
    const result = (await client.request("tasks/get", { taskId: talks }))["result"];
    await client.request("tasks/cancel", { taskId: talks });
    const after = (await client.request("tasks/get", { taskId: talks }))["status"];
    const ended: any = {};
    for (const name of ["fails", "aborts", "refuses", "samples"]) {
      const taskId = await start(name);
      await new Promise((resolve) => setTimeout(resolve, 10));
      const { status, result, error } = await client.request("tasks/get", { taskId });
      ended[name] = { status, result, error };
    }
    await subscription.return();
    await stop();
    tasks.clear();
    return { granted, notices, odd, update, result, after, ended };
  }, form);
  const notice = "notifications/tasks";
  const question = { q: { method: "elicitation/create", params: form } };
  expect(seen.granted).toEqual({ taskIds: expect.any(Array) });
  expect(seen.notices).toEqual([[notice, "working", "on", undefined], [notice, "input_required", "on", question], [notice, "working", "on", undefined], [notice, "completed", "on", undefined]]);
  expect(seen.odd).toMatchObject({ code: "invalid-params" });
  expect(seen.update).toMatchObject({ resultType: "complete" });
  expect(seen.result).toMatchObject({ content: [{ text: "cancel" }] });
  expect(seen.after).toBe("completed");
  expect(seen.ended.fails).toMatchObject({ status: "completed", result: { isError: true, content: [{ text: "our trouble" }] } });
  expect(seen.ended.aborts).toMatchObject({ status: "completed", result: { isError: true, content: [{ text: expect.stringContaining("gone") }] } });
  expect(seen.ended.refuses).toEqual({ status: "failed", error: { code: -32602, message: "not so", data: { why: 1 } } });
  expect(seen.ended.samples).toMatchObject({ status: "failed", error: { code: -32021, data: { requiredCapabilities: { sampling: {} } } } });
});

test("a task is kept for its ttl and cancelled at its end", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const tasks = new lib.Tasks({ ttl: 60, pollInterval: 5 });
    let aborted = false;
    const tools = new lib.ToolManager([tasks.defer({ name: "waits", execute: (_args, { signal }) => new Promise(() => signal.addEventListener("abort", () => (aborted = true))) })]);
    const { client, stop } = await kit.pair("page server", { tools, tasks }, { tasks: true });
    const outcome = await kit.outcome(client.callTool("waits"));
    const { pending } = client;
    await stop();
    return { code: outcome.code, aborted, size: tasks.size, pending };
  });
  expect(seen).toEqual({ code: expect.stringMatching(/cancelled|invalid-params/), aborted: true, size: 0, pending: 0 });
});
