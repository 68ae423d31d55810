// Tools that answer with something other than a result: with the wish for input, to be entered again, or
// with a task that has begun.

import { expect, native, test } from "./everywhere.ts";

const nobody = { content: [{ type: "text", text: "Whoever called this tool cannot be asked." }], isError: true };

native("registry")("a tool that returns its wish for input is entered again for a peer; the page and the registry are told that they cannot be asked", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const ask = { method: "elicitation/create", params: { message: "Who?", requestedSchema: { type: "object", properties: { name: { type: "string" } } } } };
    const tools = new lib.ToolManager([
      {
        name: "greet",
        description: "Greets",
        execute: (_, { inputs, state }: any) => (state === "asked" ? `Hello, ${inputs.who.content.name}!` : { resultType: "input_required", inputRequests: { who: ask }, requestState: "asked" }),
      },
    ]);
    const peer = await kit.served(tools);
    const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": { elicitation: {} } };
    const { result: round } = await peer.request("tools/call", { name: "greet", _meta });
    const answers = { inputResponses: { who: { action: "accept", content: { name: "Ann" } } }, requestState: round.requestState };
    const { result: done } = await peer.request("tools/call", { name: "greet", _meta, ...answers });
    const bridge = lib.createModelContext()!;
    await bridge.publish(tools, { strict: true });
    const context = (document as any).modelContext;
    const [published] = await context.getTools();
    const registry = JSON.parse(await context.executeTool(published, {}));
    bridge.destroy();
    return { round, done, page: await tools.call("greet"), registry };
  });
  expect(seen.round).toMatchObject({ resultType: "input_required", inputRequests: { who: { method: "elicitation/create" } }, requestState: expect.not.stringMatching(/^asked$/) });
  expect(seen.done).toMatchObject({ resultType: "complete", content: [{ type: "text", text: "Hello, Ann!" }] });
  expect(seen.page).toEqual(nobody);
  expect(seen.registry).toEqual(nobody);
});

test("a deferred tool becomes a task for a stateless request that knows tasks, and answers itself to anybody else", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const tasks = new lib.Tasks();
    const tools = new lib.ToolManager([tasks.defer({ name: "slow", description: "Slow", execute: () => "done" })]);
    const peer = await kit.served(tools);
    const capabilities = { extensions: { "io.modelcontextprotocol/tasks": {} } };
    const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": capabilities };
    const { result: task } = await peer.request("tools/call", { name: "slow", _meta });
    await peer.request("initialize", { protocolVersion: "2025-11-25", capabilities, clientInfo: { name: "c", version: "1" } });
    const { result: handshake } = await peer.request("tools/call", { name: "slow" });
    tasks.clear();
    return { task, handshake, page: await tools.call("slow") };
  });
  expect(seen.task).toMatchObject({ resultType: "task", taskId: expect.any(String), status: "working" });
  const done = { content: [{ type: "text", text: "done" }] };
  expect(seen.handshake).toEqual(done);
  expect(seen.page).toEqual(done);
});
