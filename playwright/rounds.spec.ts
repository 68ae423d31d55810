// Rounds of input as they are on the wire: what a state is good for, handlers that are entered again,
// and how many calls may wait.

import { expect, test } from "./everywhere.ts";

const form = { message: "Who?", requestedSchema: { type: "object", properties: { name: { type: "string" } } } };
const able = { elicitation: {}, sampling: {}, roots: {} };
const accept = (name: string) => ({ action: "accept", content: { name } });

test("a state continues the very request it was made for, once, in its session, for a while", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async ([form, able, answer]) => {
    const aborted: string[] = [];
    const tools = new lib.ToolManager(["ask", "other"].map((name) => ({
      name,
      execute: async ({ a }: { a: number }, { elicit, signal }: import("../dist/index.js").ToolContext) => {
        signal.addEventListener("abort", () => aborted.push(name));
        return `${a} ${(await elicit(form)).content?.["name"]}`;
      },
    })));
    const server = new lib.Server({ tools, resources: { read: async (_uri, { elicit }) => String((await elicit(form)).action) }, limits: { inputWait: 2_500 } });
    const connect = async () => {
      const { port1, port2 } = new MessageChannel();
      await server.connect(new lib.MessagePortTransport(port1));
      return new kit.Peer(port2);
    };
    const [peer, stranger] = [await connect(), await connect()];
    const call = (more: object, by = peer, meta: object = able) => by.request("tools/call", { name: "ask", arguments: { a: 1, b: [{ c: 2, d: 3 }] }, ...more, _meta: kit.modernMeta(meta) });
    const inputResponses = { 1: answer };
    const short = ({ result, error }: any) => error?.code ?? (result.resultType === "complete" ? result.content[0].text : result.resultType);
    const state = async () => (await call({})).result.requestState as string;

    const first = (await call({})).result;
    const given = { requestState: first.requestState, inputResponses };
    const seen: any = { asks: first.inputRequests, opaque: !first.requestState.includes("Who") && !first.requestState.includes("ask") };
    const flipped = first.requestState.replace(/.(?=.{9}$)/, (letter: string) => (letter === "A" ? "B" : "A"));
    seen.tampered = short(await call({ ...given, requestState: flipped }));
    seen.cut = short(await call({ ...given, requestState: first.requestState.slice(0, 20) }));
    seen.madeUp = short(await call({ ...given, requestState: "nonsense" }));
    seen.noString = short(await call({ ...given, requestState: { a: 1 } }));
    seen.otherArguments = short(await call({ ...given, arguments: { a: 2, b: [{ c: 2, d: 3 }] } }));
    seen.otherTool = short(await call({ ...given, name: "other" }));
    seen.otherMethod = (await peer.request("resources/read", { uri: "a:1", ...given, _meta: kit.modernMeta(able) })).error.code;
    seen.otherSession = short(await call(given, stranger));
    // The members of the arguments may come in another order.
    seen.accepted = short(await call({ ...given, arguments: { b: [{ d: 3, c: 2 }], a: 1 } }));
    seen.replayed = short(await call(given));

    const missing = (await call({ requestState: await state() })).result;
    seen.missing = [missing.resultType, Object.keys(missing.inputRequests)];
    const senseless = (await call({ requestState: missing.requestState, inputResponses: { 1: { action: "perhaps" }, 2: {} } })).result;
    seen.senseless = senseless.resultType;
    seen.atLast = short(await call({ requestState: senseless.requestState, inputResponses: { 1: answer, unknown: answer } }));
    seen.beforehand = short(await call({ inputResponses }));

    const old = await state();
    await kit.until(() => aborted.length > 0, "the call that waits to be given up", 10_000);
    await new Promise((resolve) => setTimeout(resolve, 2_600));
    seen.expired = short(await call({ requestState: old, inputResponses }));
    await state();
    seen.abortedBefore = aborted.length;
    await server.close();
    seen.abortedAfter = aborted.length;
    return seen;
  }, [form, able, accept("Ada")] as const);

  expect(seen.asks).toEqual({ 1: { method: "elicitation/create", params: form } });
  expect(seen.opaque).toBe(true);
  for (const way of ["tampered", "cut", "madeUp", "noString", "otherArguments", "otherTool", "otherMethod", "otherSession", "replayed", "expired"]) expect(seen[way], way).toBe(-32602);
  expect(seen.accepted).toBe("1 Ada");
  expect(seen.missing).toEqual(["input_required", ["1"]]);
  expect(seen.senseless).toBe("input_required");
  expect(seen.atLast).toBe("1 Ada");
  expect(seen.beforehand).toBe("1 Ada");
  expect(seen.abortedAfter - seen.abortedBefore).toBe(1);
});

test("only so many calls of a peer may wait for input; what the last round declares is what counts", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async ([form, able, answer]) => {
    let aborted = 0;
    const tools = new lib.ToolManager([{ name: "ask", execute: async (_args, { elicit, signal }) => {
      signal.addEventListener("abort", () => (aborted += 1));
      await elicit(form);
      return String((await elicit({ ...form, message: "And?" })).action);
    } }]);
    const { port1, port2 } = new MessageChannel();
    const server = new lib.Server({ tools, limits: { parkedCalls: 2 } });
    await server.connect(new lib.MessagePortTransport(port1));
    const peer = new kit.Peer(port2);
    const call = (more: object = {}, capabilities: object = able) => peer.request("tools/call", { name: "ask", ...more, _meta: kit.modernMeta(capabilities) });
    const waiting = [(await call()).result, (await call()).result];
    const third = (await call()).result;
    const second = (await call({ requestState: waiting[0].requestState, inputResponses: { 1: answer } })).result;
    const lacking = (await call({ requestState: second.requestState, inputResponses: {} }, {})).error;
    const room = (await call()).result.resultType;
    await server.close();
    return { waiting: waiting.map(({ resultType }) => resultType), third, second: second.inputRequests, lacking, room, aborted };
  }, [form, able, accept("Ada")] as const);
  expect(seen.waiting).toEqual(["input_required", "input_required"]);
  expect(seen.third).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("2") }] });
  expect(seen.second).toEqual({ 2: { method: "elicitation/create", params: { ...form, message: "And?" } } });
  expect(seen.lacking).toMatchObject({ code: -32021, data: { requiredCapabilities: { elicitation: {} } } });
  expect(seen.room).toBe("input_required");
  expect(seen.aborted).toBe(2);
});

for (const protocol of ["2026-07-28", "2025-11-25"] as const) {
  for (const carrier of ["page server", "MessagePort"] as const) {
    test(`${protocol}, ${carrier}: a handler that is entered again sees the answers and its own state`, async ({ openPage }) => {
      const page = await openPage();
      const seen = await page.evaluate(async ([protocol, carrier, form]) => {
        const entries: unknown[] = [];
        const wish = (method: string, params: object, requestState?: string) => ({ resultType: "input_required" as const, inputRequests: { q: { method, params } }, ...(requestState && { requestState }) });
        const step = (inputs: any, state: string | undefined) => {
          entries.push([inputs ?? null, state ?? null]);
          if (!state) return wish("elicitation/create", form, "step:1 ☃");
          if (state === "step:1 ☃") return wish("roots/list", {}, `step:2 ${inputs.q.content.name}`);
          return undefined;
        };
        const tools = new lib.ToolManager([
          { name: "again", execute: (_args, { inputs, state }) => step(inputs, state) ?? `${state} ${(inputs as any).q.roots.length}` },
          { name: "odd", execute: () => ({ resultType: "input_required", inputRequests: { q: { method: "no/such" } } }) },
          { name: "lacking", execute: () => wish("sampling/createMessage", { messages: [], maxTokens: 1 }) },
          { name: "declined", execute: (_args, { inputs }) => (inputs ? JSON.stringify(inputs) : { ...wish("elicitation/create", form), more: 1 }) },
        ]);
        const { client, stop } = await kit.pair(carrier, {
          tools,
          resources: { read: (_uri, { inputs, state }) => step(inputs, state) ?? "read" },
          prompts: [{ name: "again", get: (_args, { inputs, state }) => step(inputs, state) ?? "made" }],
        }, { protocol, elicit: () => ({ action: "accept", content: { name: "Ada" } }), roots: [{ uri: "file:///a" }] });
        const again = (await client.callTool("again")).content;
        const read = (await client.readResource("a:1")).contents[0];
        const made = (await client.getPrompt("again")).messages[0]?.content;
        const odd = await kit.outcome(client.callTool("odd"));
        const lacking = await kit.outcome(client.callTool("lacking"));
        const declined = (await client.callTool("declined")).content;
        const { pending } = client;
        await stop();
        return { again, read, made, odd, lacking, declined, entries, pending };
      }, [protocol, carrier, form] as const);

      const rounds = [[null, null], [{ q: accept("Ada") }, "step:1 ☃"], [{ q: { roots: [{ uri: "file:///a" }] } }, "step:2 Ada"]];
      expect(seen.again).toEqual([{ type: "text", text: "step:2 Ada 1" }]);
      expect(seen.read).toMatchObject({ text: "read" });
      expect(seen.made).toEqual({ type: "text", text: "made" });
      expect(seen.entries).toEqual([...rounds, ...rounds, ...rounds]);
      expect(seen.odd).toMatchObject({ code: "internal-error" });
      expect(seen.lacking).toMatchObject({ code: "missing-capability", rpcCode: -32021, data: { requiredCapabilities: { sampling: {} } } });
      expect(seen.declined).toEqual([{ type: "text", text: JSON.stringify({ q: accept("Ada") }) }]);
      expect(seen.pending).toBe(0);
    });
  }
}

test("somebody's own sealer seals, binds and may fail", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async ([form, able, answer]) => {
    const bounds: string[] = [];
    let broken = false;
    const tools = new lib.ToolManager([{ name: "ask", execute: async ({ a }, { elicit }) => `${a} ${(await elicit(form)).content?.["name"]}` }]);
    const server = new lib.Server({
      tools,
      sealer: {
        seal: (text, bound) => { if (broken) throw new Error("no seal"); bounds.push(bound); return `mine:${btoa(JSON.stringify([text, bound]))}`; },
        open: async (sealed, bound) => { const [text, was] = JSON.parse(atob(sealed.slice(5))); if (was !== bound) throw new Error("not so"); bounds.push(bound); return text; },
      },
    });
    const { port1, port2 } = new MessageChannel();
    await server.connect(new lib.MessagePortTransport(port1));
    const peer = new kit.Peer(port2);
    const call = (a: number, more: object = {}) => peer.request("tools/call", { name: "ask", arguments: { a }, ...more, _meta: kit.modernMeta(able) });
    const { requestState } = (await call(1)).result;
    const other = (await call(2, { requestState, inputResponses: { 1: answer } })).error?.code;
    const right = (await call(1, { requestState, inputResponses: { 1: answer } })).result.content;
    const again = (await call(1, { requestState, inputResponses: { 1: answer } })).error?.code;
    broken = true;
    const unsealed = (await call(3)).result;
    await server.close();
    return { requestState, other, right, again, unsealed, same: new Set(bounds).size, bounds: bounds[0] };
  }, [form, able, accept("Ada")] as const);
  expect(seen.requestState).toMatch(/^mine:/);
  expect(seen.other).toBe(-32602);
  expect(seen.right).toEqual([{ type: "text", text: "1 Ada" }]);
  expect(seen.again).toBe(-32602);
  expect(seen.unsealed).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("sealed") }] });
  expect(seen.same).toBe(1);
  expect(seen.bounds).toContain('"ask"');
});
