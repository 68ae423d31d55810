// A handler that asks its caller for a person's input, a model's or the roots: the same one in both
// eras, over a page server and over a MessagePort.

import { expect, native, test } from "./everywhere.ts";

const eras = ["2026-07-28", "2025-11-25", "2025-06-18"] as const;
const carriers = ["page server", "MessagePort"] as const;
const isModern = (protocol: string) => protocol === "2026-07-28";
const form = { message: "Who?", requestedSchema: { type: "object", properties: { name: { type: "string" } } } };

for (const protocol of eras) {
  for (const carrier of carriers) {
    test(`${protocol}, ${carrier}: elicit, sample and roots, one after the other and at once`, async ({ openPage }) => {
      const page = await openPage();
      const seen = await page.evaluate(async ([protocol, carrier, form]) => {
        const sampling = { messages: [{ role: "user" as const, content: { type: "text", text: "Say" } }], maxTokens: 10 };
        const contexts: unknown[] = [];
        const tools = new lib.ToolManager([
          { name: "chain", execute: async (_args, { elicit, sample, roots, capabilities, progress }) => {
            contexts.push(capabilities);
            progress({ progress: 1 });
            const { action, content } = await elicit(form);
            progress({ progress: 2 });
            const said = await sample(sampling);
            progress({ progress: 3 });
            return { action, name: content?.["name"], said: (said.content as { text: string }).text, roots: (await roots()).roots };
          } },
          { name: "together", execute: async (_args, { elicit, sample, roots }) => {
            const [one, two, said, all] = await Promise.all([elicit(form, { key: "first" }), elicit({ ...form, message: "And?" }), sample(sampling), roots()]);
            return [one.content?.["name"], two.content?.["name"], said.model, all.roots.length].join(" ");
          } },
        ]);
        const asked: any[] = [];
        const results: any[] = [];
        const requests: any[] = [];
        const { client, stop, server } = await kit.pair(carrier, {
          tools,
          resources: [{ uri: "page://ask", name: "ask", read: async (_uri, { elicit }) => `read by ${(await elicit(form)).content?.["name"]}` }],
          prompts: [{ name: "ask", get: async (_args, { elicit }) => `for ${(await elicit(form)).content?.["name"]}` }],
        }, {
          protocol,
          trace: (direction: string, { result, id, method, params }: any) => {
            if (direction === "receive" && result?.resultType) results.push(result);
            if (direction === "send" && method === "tools/call") requests.push([id, params]);
          },
          elicit: async (params: any, { signal }: any) => { asked.push([params.message, signal.aborted]); return { action: "accept", content: { name: `to ${params.message}` } }; },
          sample: ({ maxTokens }: any) => ({ role: "assistant", model: `m${maxTokens}`, content: { type: "text", text: "said" } }),
          roots: [{ uri: "file:///home", name: "home" }],
        });
        const steps: number[] = [];
        const chain = await client.callTool("chain", {}, { progress: ({ progress }) => steps.push(progress) });
        const rounds = results.filter(({ resultType }) => resultType === "input_required").length;
        results.length = 0;
        const together = await client.callTool("together");
        const round = results.filter(({ resultType }) => resultType === "input_required");
        const read = (await client.readResource("page://ask")).contents;
        const prompt = (await client.getPrompt("ask")).messages;
        const { pending } = client;
        const sessions = server.sessions;
        await stop();
        return { chain: chain.structuredContent, together: together.content, steps, rounds, round: round.map(({ inputRequests }) => Object.entries(inputRequests).map(([key, { method }]: any) => [key, method])), ids: requests.map(([id]) => id), carried: requests[1]?.[1], asked, read, prompt, contexts, pending, sessions };
      }, [protocol, carrier, form] as const);

      expect(seen.chain).toEqual({ action: "accept", name: "to Who?", said: "said", roots: [{ uri: "file:///home", name: "home" }] });
      expect(seen.steps).toEqual([1, 2, 3]);
      expect(seen.together).toEqual([{ type: "text", text: "to Who? to And? m10 1" }]);
      expect(seen.asked.map(([message, aborted]) => `${message} ${aborted}`).sort()).toEqual(["And? false", ...Array(4).fill("Who? false")]);
      expect(seen.read).toEqual([{ uri: "page://ask", text: "read by to Who?" }]);
      expect(seen.prompt).toEqual([{ role: "user", content: { type: "text", text: "for to Who?" } }]);
      expect(seen.contexts).toEqual([{ elicitation: { form: {} }, sampling: {}, roots: { listChanged: true } }]);
      expect(seen.rounds).toBe(isModern(protocol) ? 3 : 0);
      expect(seen.round).toEqual(isModern(protocol) ? [[["1", "elicitation/create"], ["2", "sampling/createMessage"], ["3", "roots/list"], ["first", "elicitation/create"]]] : []);
      expect(new Set(seen.ids).size).toBe(seen.ids.length);
      if (isModern(protocol)) expect(seen.carried).toMatchObject({ name: "chain", inputResponses: { 1: { action: "accept", content: { name: "to Who?" } } }, requestState: expect.any(String) });
      expect([seen.pending, seen.sessions]).toEqual([0, 1]);
    });

    test(`${protocol}, ${carrier}: declined, cancelled, failed and senseless answers`, async ({ openPage }) => {
      const page = await openPage();
      const seen = await page.evaluate(async ([protocol, carrier, form]) => {
        let answer: () => any = () => undefined;
        let calls = 0;
        let aborted = 0;
        const tools = new lib.ToolManager([{ name: "ask", execute: async (_args, { elicit, signal }) => {
          signal.addEventListener("abort", () => (aborted += 1));
          return JSON.stringify(await elicit(form).catch(({ code, message }) => ({ code, message })));
        } }]);
        const { client, stop } = await kit.pair(carrier, { tools, limits: { inputRounds: 4 } }, { protocol, elicit: () => { calls += 1; return answer(); } });
        const ask = async (given: () => any) => {
          answer = given;
          calls = 0;
          const { value, code, message } = await kit.outcome(client.callTool("ask"));
          return { ...(value ? { value: JSON.parse(value.content[0].text) } : { code, message }), calls };
        };
        const seen = {
          declined: await ask(() => ({ action: "decline" })),
          cancelled: await ask(async () => ({ action: "cancel" })),
          thrown: await ask(() => { throw new Error("no person here"); }),
          rejected: await ask(() => Promise.reject(new lib.ModelportError("invalid-params", "odd question", { rpcCode: -32602 }))),
          senseless: await ask(() => ({ action: "perhaps" })),
          nothing: await ask(() => undefined),
        };
        const { pending } = client;
        await stop();
        return { ...seen, pending, aborted };
      }, [protocol, carrier, form] as const);

      expect(seen.declined).toEqual({ value: { action: "decline" }, calls: 1 });
      expect(seen.cancelled).toEqual({ value: { action: "cancel" }, calls: 1 });
      if (isModern(protocol)) {
        // A stateless server cannot be told: the call ends at the client.
        expect(seen.thrown).toEqual({ code: "internal-error", message: expect.stringContaining("no person here"), calls: 1 });
        expect(seen.rejected).toEqual({ code: "invalid-params", message: expect.stringContaining("odd question"), calls: 1 });
      } else {
        expect(seen.thrown).toEqual({ value: { code: "internal-error", message: expect.stringContaining("no person here") }, calls: 1 });
        expect(seen.rejected).toEqual({ value: { code: "invalid-params", message: expect.stringContaining("odd question") }, calls: 1 });
      }
      // A stateless server asks again, as often as it may; one of the handshake era has had its answer.
      expect(seen.senseless).toEqual({ value: { code: isModern(protocol) ? "internal-error" : "invalid-response", message: expect.any(String) }, calls: isModern(protocol) ? 4 : 1 });
      const none = { code: "internal-error", message: expect.stringContaining("elicitation/create") };
      expect(seen.nothing).toEqual(isModern(protocol) ? { ...none, calls: 1 } : { value: none, calls: 1 });
      expect(seen.pending).toBe(0);
      // Those that ended at the client waited in the server until its end.
      expect(seen.aborted).toBe(isModern(protocol) ? 3 : 0);
    });

    test(`${protocol}, ${carrier}: what the client has not declared is refused, and names what is lacking`, async ({ openPage }) => {
      const page = await openPage();
      const seen = await page.evaluate(async ([protocol, carrier, form]) => {
        const caught: unknown[] = [];
        const tools = new lib.ToolManager([
          { name: "elicit", execute: (_args, { elicit }) => elicit(form) },
          { name: "url", execute: (_args, { elicit }) => elicit({ mode: "url", message: "Go", url: "https://example.org/", elicitationId: "e" }) },
          { name: "sample", execute: (_args, { sample }) => sample({ messages: [], maxTokens: 1 }) },
          { name: "withTools", execute: (_args, { sample }) => sample({ messages: [], maxTokens: 1, tools: [{ name: "t" }] }) },
          { name: "roots", execute: (_args, { roots }) => roots() },
          { name: "copes", execute: async (_args, { elicit }) => { try { return await elicit(form); } catch (error: any) { caught.push([error.name, error.code]); return "alone"; } } },
        ]);
        const bare = await kit.pair(carrier, { tools }, { protocol });
        const able = await kit.pair(carrier, { tools }, { protocol, elicit: () => ({ action: "decline" }), sample: () => ({ role: "assistant", content: { type: "text", text: "s" } }), capabilities: { elicitation: { url: {} } } });
        const refused = [];
        for (const name of ["elicit", "url", "sample", "withTools", "roots"]) refused.push(await kit.outcome(bare.client.callTool(name)));
        const copes = (await bare.client.callTool("copes")).content;
        const form2 = await kit.outcome(able.client.callTool("elicit"));
        const url = await kit.outcome(able.client.callTool("url"));
        const sampled = await kit.outcome(able.client.callTool("sample"));
        const withTools = await kit.outcome(able.client.callTool("withTools"));
        await Promise.all([bare.stop(), able.stop()]);
        return { refused, caught, copes, form: form2, url: url.value?.structuredContent, sampled: !!sampled.value, withTools };
      }, [protocol, carrier, form] as const);

      const missing = (requiredCapabilities: object) => expect.objectContaining({ name: "ModelportError", code: "missing-capability", rpcCode: -32021, data: { requiredCapabilities } });
      expect(seen.refused).toEqual([{ elicitation: {} }, { elicitation: { url: {} } }, { sampling: {} }, { sampling: { tools: {} } }, { roots: {} }].map(missing));
      expect(seen.caught).toEqual([["ModelportError", "missing-capability"]]);
      expect(seen.copes).toEqual([{ type: "text", text: "alone" }]);
      expect(seen.form).toEqual(missing({ elicitation: {} }));
      expect(seen.url).toEqual({ action: "decline" });
      expect(seen.sampled).toBe(true);
      expect(seen.withTools).toEqual(missing({ sampling: { tools: {} } }));
    });

    test(`${protocol}, ${carrier}: given up while the person is asked, by a signal or by the end`, async ({ openPage }) => {
      const page = await openPage();
      const seen = await page.evaluate(async ([protocol, carrier, form]) => {
        const told: string[] = [];
        const asked: string[] = [];
        const tools = new lib.ToolManager([{ name: "ask", execute: async ({ n }, { elicit, signal }) => {
          signal.addEventListener("abort", () => told.push(`tool ${n}`));
          return elicit({ ...form, message: n });
        } }]);
        const { client, stop, server } = await kit.pair(carrier, { tools, limits: { inputWait: 250 } }, {
          protocol,
          elicit: ({ message }: any, { signal }: any) => { asked.push(message); return new Promise(() => signal.addEventListener("abort", () => told.push(`person ${message}`))); },
        });
        const controller = new AbortController();
        const first = client.callTool("ask", { n: "1" }, { signal: controller.signal }).catch((reason: unknown) => reason);
        await kit.until(() => asked.length === 1, "the person to be asked");
        const during = client.pending;
        controller.abort("enough");
        const reason = await first;
        await kit.until(() => told.length === 2, "both sides to be told");
        const pending = client.pending;
        const last = kit.outcome(client.callTool("ask", { n: "2" }));
        await kit.until(() => asked.length === 2, "the person to be asked again");
        await stop();
        const closed = (await last).code;
        await kit.until(() => told.length === 4, "both sides to be told of the end");
        return { reason, during, pending, closed, told, sessions: server.sessions };
      }, [protocol, carrier, form] as const);

      expect(seen.reason).toBe("enough");
      expect([seen.during, seen.pending]).toEqual([1, 0]);
      expect(seen.told.slice(0, 2).sort()).toEqual(["person 1", "tool 1"]);
      expect(seen.closed).toBe("closed");
      expect(seen.told.slice(2).sort()).toEqual(["person 2", "tool 2"]);
      expect(seen.sessions).toBe(0);
    });
  }

  test(`${protocol}: nobody answers within inputWait, and a call asks only so often`, async ({ openPage }) => {
    const page = await openPage();
    const seen = await page.evaluate(async ([protocol, form]) => {
      const told: unknown[] = [];
      const tools = new lib.ToolManager([
        { name: "once", execute: async (_args, { elicit, signal }) => { signal.addEventListener("abort", () => told.push("aborted")); return elicit(form).catch((error) => { told.push(error.code ?? error.name); throw error; }); } },
        { name: "often", execute: async ({ times }, { elicit }) => { for (let n = 0; n < times; n++) await elicit(form); return "done"; } },
      ]);
      const late = await kit.pair("page server", { tools, limits: { inputWait: 40 } }, { protocol, timeout: 1_000, elicit: () => new Promise((resolve) => setTimeout(resolve, 150, { action: "cancel" })) });
      const waited = await kit.outcome(late.client.callTool("once"));
      await late.stop();
      const eager = await kit.pair("page server", { tools, limits: { inputRounds: 3 } }, { protocol, elicit: () => ({ action: "decline" }) });
      const three = await kit.outcome(eager.client.callTool("often", { times: 3 }));
      const four = await kit.outcome(eager.client.callTool("often", { times: 4 }));
      await eager.stop();
      const strict = await kit.pair("page server", { tools }, { protocol, limits: { inputRounds: 3 }, elicit: () => ({ action: "decline" }) });
      const given = await kit.outcome(strict.client.callTool("often", { times: 4 }));
      await strict.stop();
      return { waited, told, three: three.value?.content, four, given };
    }, [protocol, form] as const);

    if (isModern(protocol)) {
      expect(seen.told).toContain("aborted");
      expect(seen.waited).toMatchObject({ code: "invalid-params" });
    } else {
      expect(seen.told).toEqual(["timeout"]);
      expect(seen.waited.value).toMatchObject({ isError: true });
    }
    expect(seen.three).toEqual([{ type: "text", text: "done" }]);
    expect(seen.four.value).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("3") }] });
    // A handshake client answers requests; it does not know which call they belong to.
    if (isModern(protocol)) expect(seen.given).toMatchObject({ code: "invalid-response" });
    else expect(seen.given.value?.content).toEqual([{ type: "text", text: "done" }]);
  });
}

native("registry")("nobody can be asked by a tool that the browser's registry or the page itself calls", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async (form) => {
    const codes: unknown[] = [];
    const tools = new lib.ToolManager([
      { name: "asks", description: "Asks", execute: async (_args, { elicit }) => elicit(form) },
      { name: "wishes", description: "Wishes", execute: () => ({ resultType: "input_required", inputRequests: { q: { method: "elicitation/create", params: form } } }) },
      { name: "copes", description: "Copes", execute: async (_args, { elicit, sample, roots }) => {
        const outcomes = await Promise.allSettled([elicit(form), sample({ messages: [], maxTokens: 1 }), roots()]);
        codes.push(...outcomes.map((outcome: any) => [outcome.reason.name, outcome.reason.code]));
        return "alone";
      } },
    ]);
    const byPage = [await tools.call("asks"), await tools.call("wishes"), await tools.call("copes")];
    const bridge = lib.createModelContext()!;
    await bridge.publish(tools);
    const registry = new Map((await document.modelContext.getTools()).map((tool: any) => [tool.name, tool]));
    const byRegistry = [];
    for (const name of ["asks", "wishes", "copes"]) byRegistry.push(await kit.outcome(document.modelContext.executeTool(registry.get(name), {})));
    bridge.destroy();
    return { byPage, byRegistry, codes };
  }, form);
  const refused = { isError: true, content: [{ text: expect.stringContaining("cannot be asked") }] };
  expect(seen.byPage).toMatchObject([refused, refused, { content: [{ text: "alone" }] }]);
  for (const answer of seen.byRegistry.slice(0, 2)) expect(JSON.stringify(answer)).toContain("cannot be asked");
  expect(JSON.stringify(seen.byRegistry[2])).toContain("alone");
  expect(seen.codes).toEqual(Array(6).fill(["ModelportError", "missing-capability"]));
});
