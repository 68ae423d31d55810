// The MessagePort carrier beyond calls: in which form messages travel, bytes that are moved, a window of
// acknowledged messages, signs of life where no lock can be seen, and what JSON has no form for.

import { expect, test } from "./everywhere.ts";

const eras = ["2026-07-28", "2025-11-25"] as const;

for (const protocol of eras) {
  test(`${protocol}: two ends of Modelport send short values as text and long strings as clones, and a forced form is kept`, async ({ openPage }) => {
    const page = await openPage();
    const seen = await page.evaluate(async (protocol) => {
      const tools = new lib.ToolManager([{ name: "echo", execute: ({ value }) => ({ content: [], structuredContent: { value } }) }]);
      const talk = async (ours?: "clone" | "text", theirs?: "clone" | "text") => {
        const [near, far, forms] = kit.tappedPorts();
        const server = new lib.Server({ tools });
        await server.connect(new lib.MessagePortTransport(far, theirs && { form: theirs }));
        const client = new lib.Client({ protocol });
        await client.connect(new lib.MessagePortTransport(near, ours && { form: ours }));
        forms.length = 0;
        const call = async (value: unknown) => ((await client.callTool("echo", { value })).structuredContent as any).value;
        const short = await call([{ a: 1 }, { a: 2 }]);
        const long = ((await call("x".repeat(100_000))) as string).length;
        const records = ((await call(Array.from({ length: 2_000 }, (_, n) => ({ n, text: "some text" })))) as unknown[]).length;
        await client.close();
        await server.close();
        return { short, long, records, forms: forms.filter((form) => form.includes("call")).map((form) => form.split(" ")[0]) };
      };
      return { free: await talk(), clones: await talk("clone", "clone"), text: await talk("text", "text"), mixed: await talk("clone", "text") };
    }, protocol);
    const values = { short: [{ a: 1 }, { a: 2 }], long: 100_000, records: 2_000 };
    const both = (...forms: string[]) => forms.flatMap((form) => [form, form]);
    expect(seen).toEqual({
      free: { ...values, forms: both("text", "clone", "text") },
      clones: { ...values, forms: both("clone", "clone", "clone") },
      text: { ...values, forms: both("text", "text", "text") },
      mixed: { ...values, forms: ["clone", "text", "clone", "text", "clone", "text"] },
    });
  });

  test(`${protocol}: binary content is moved if both ends say so, and is Base64 to everybody else`, async ({ openPage }) => {
    const page = await openPage();
    const seen = await page.evaluate(async (protocol) => {
      const talk = async (ours: boolean, theirs: boolean) => {
        const made: ArrayBuffer[] = [];
        const tools = new lib.ToolManager([{
          name: "picture",
          execute: (): any => {
            const bytes = Uint8Array.of(1, 2, 3, 255);
            made.push(bytes.buffer);
            // One buffer whole, and a part of a larger one, which cannot be moved without the rest.
            return { content: [{ type: "image", mimeType: "image/png", data: bytes }, { type: "audio", mimeType: "audio/wav", data: new Uint8Array(8).subarray(2, 5) }] };
          },
        }]);
        const { port1, port2 } = new MessageChannel();
        const server = new lib.Server({ tools });
        await server.connect(new lib.MessagePortTransport(port1, { transfer: ours }));
        const client = new lib.Client({ protocol });
        await client.connect(new lib.MessagePortTransport(port2, { transfer: theirs }));
        const { content } = await client.callTool("picture");
        const [one, other] = (content as any[]).map(({ data }) => (typeof data === "string" ? data : [...data].join()));
        await client.close();
        await server.close();
        return { one, other, left: made[0]!.byteLength };
      };
      const page = lib.createPageServer({ tools: new lib.ToolManager([{ name: "picture", execute: (): any => ({ content: [{ type: "image", mimeType: "image/png", data: new ArrayBuffer(3) }] }) }]), client: { protocol } });
      await page.client.connect();
      return { both: await talk(true, true), server: await talk(true, false), client: await talk(false, true), within: ((await page.client.callTool("picture")).content as any[])[0].data };
    }, protocol);
    const asText = { one: "AQID/w==", other: "AAAA", left: 4 };
    expect(seen).toEqual({ both: { one: "1,2,3,255", other: "0,0,0", left: 0 }, server: asText, client: asText, within: "AAAA" });
  });

  test(`${protocol}: with a window no more messages are under way than it has, and all of them arrive in order`, async ({ openPage }) => {
    const page = await openPage();
    const seen = await page.evaluate(async (protocol) => {
      const order: number[] = [];
      const tools = new lib.ToolManager([{ name: "note", execute: ({ n }) => void order.push(n as number) }]);
      const [near, far, forms] = kit.tappedPorts();
      const server = new lib.Server({ tools });
      await server.connect(new lib.MessagePortTransport(far));
      const client = new lib.Client({ protocol });
      await client.connect(new lib.MessagePortTransport(near, { window: 8 }));
      // Both ends know each other now.
      await client.callTool("note", { n: 0 });
      forms.length = 0;
      const calls = Array.from({ length: 100 }, (_, n) => client.callTool("note", { n: n + 1 }));
      const atOnce = forms.filter((form) => form.includes("call >")).length;
      await Promise.all(calls);
      const acknowledged = forms.filter((form) => form.includes("port <")).length;
      const whole = order.length === 101 && order.every((n, place) => n === place);
      // Those that wait when the port closes are told so.
      const waiting = Array.from({ length: 20 }, () => kit.outcome(client.callTool("note", { n: 0 })));
      await client.close();
      const codes = new Set((await Promise.all(waiting)).map(({ code }: any) => code));
      return { atOnce, acknowledged: acknowledged > 10, whole, codes: [...codes], pending: client.pending };
    }, protocol);
    // Half a window may be unacknowledged from before.
    expect([5, 6, 7, 8]).toContain(seen.atOnce);
    expect(seen).toEqual({ atOnce: seen.atOnce, acknowledged: true, whole: true, codes: ["closed"], pending: 0 });
  });

  test(`${protocol}: an end that can see no lock and hears nothing takes the other one for gone`, async ({ openPage }) => {
    const page = await openPage();
    const seen = await page.evaluate(async (protocol) => {
      // A worker whose locks are hidden, as those of another origin are.
      const script = `
        Object.defineProperty(WorkerNavigator.prototype, "locks", { value: undefined });
        const lib = await import("${location.origin}/dist/index.js");
        await lib.ready();
        const tools = new lib.ToolManager([{ name: "ok", execute: () => "ok" }, { name: "freeze", execute: ({ for: wait }) => { const until = performance.now() + wait; while (performance.now() < until); return "thawed"; } }]);
        const server = new lib.Server({ tools });
        self.onmessage = ({ ports }) => server.connect(new lib.MessagePortTransport(ports[0]));
        self.postMessage("here");`;
      const thread = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })), { type: "module" });
      await new Promise((resolve) => (thread.onmessage = resolve));
      const connected = async (heartbeat: number) => {
        const { port1, port2 } = new MessageChannel();
        thread.postMessage("", [port1]);
        const client = new lib.Client({ protocol });
        await client.connect(new lib.MessagePortTransport(port2, { heartbeat }));
        return client;
      };
      const patient = await connected(5_000);
      const client = await connected(300);
      // Several beats go by in silence.
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      const alive = (await client.callTool("ok")).content;
      const started = performance.now();
      const calls = [kit.outcome(client.callTool("freeze", { for: 3_000 })), kit.outcome(client.callTool("ok"))];
      const slow = patient.callTool("freeze", { for: 10 });
      const codes = (await Promise.all(calls)).map((each: any) => each.code);
      const took = performance.now() - started;
      const survivor = (await slow).content;
      await patient.close();
      return { alive, codes, took, pending: client.pending, survivor };
    }, protocol);
    expect(seen).toEqual({ alive: [{ type: "text", text: "ok" }], codes: ["closed", "closed"], took: expect.any(Number), pending: 0, survivor: [{ type: "text", text: "thawed" }] });
    expect(seen.took).toBeLessThan(1_000);
  });
}

test("our transport serves other people's clients: undefined is absent, odd values are refused by path both ways", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const { port1, port2 } = new MessageChannel();
    const transport = new lib.MessagePortTransport(port1);
    const heard: unknown[] = [];
    transport.onmessage = (message) => void heard.push(message);
    transport.onerror = (error) => void heard.push(error.message);
    await transport.start();
    const answers: unknown[] = [];
    port2.onmessage = ({ data }) => void answers.push(data);
    port2.postMessage({ jsonrpc: "2.0", id: 1, method: "a", params: { u: undefined, n: 1 } });
    port2.postMessage({ jsonrpc: "2.0", id: 2, method: "a", params: { set: new Set() } });
    port2.postMessage({ jsonrpc: "2.0", id: 3, result: { deep: [{ when: new Date() }] } });
    port2.postMessage({ jsonrpc: "2.0", method: "n", params: { big: 1n } });
    await kit.until(() => heard.length === 3 && answers.length === 1, "all of it is heard");
    const sent = [
      await kit.outcome(transport.send({ jsonrpc: "2.0", id: 4, method: "a", params: { fn() {} } })),
      await kit.outcome(transport.send({ jsonrpc: "2.0", id: 5, method: "a", params: { at: new Date(0), u: undefined, proxy: new Proxy({ a: [1] }, {}) } })),
    ];
    await kit.until(() => answers.length === 2, "the second one is heard");
    await transport.close();
    return { heard, answers, code: (sent[0] as any).code, said: (sent[0] as any).message, keys: Object.keys((heard[0] as any).params) };
  });
  const noForm = (path: string) => `${path}, for which JSON has no form.`;
  expect(seen).toEqual({
    heard: [
      { jsonrpc: "2.0", id: 1, method: "a", params: { n: 1 } },
      { jsonrpc: "2.0", id: 3, error: { code: -32603, message: noForm("result.deep.0.when is of type Date") } },
      noForm("params.big is of type bigint"),
    ],
    answers: [
      { jsonrpc: "2.0", id: 2, error: { code: -32602, message: noForm("params.set is of type Set") } },
      { jsonrpc: "2.0", id: 5, method: "a", params: { at: "1970-01-01T00:00:00.000Z", proxy: { a: [1] } } },
    ],
    code: "send-failed",
    said: noForm("params.fn is of type function"),
    keys: ["n"],
  });
});
