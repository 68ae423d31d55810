// What there is beside tools, with the official SDKs at the other end, in both directions and over
// every pair of transports: theirs, ours, ours plugged into theirs, and JSON text.

import { expect, loadSdks, test } from "./everywhere.ts";

const carriers = ["their own transport", "our MessagePortTransport", "their InMemoryTransport", "JSON text"] as const;
const text = (text: string) => [{ type: "text", text }];

for (const official of ["1.x", "2.x", "2.x auto"] as const) {
  for (const carrier of carriers) {
    test(`the SDK's ${official} client over ${carrier}: what our Server offers and asks`, async ({ openPage }) => {
      const page = await openPage();
      await loadSdks(page);
      const seen = await page.evaluate(async ([official, carrier]) => {
        const form = { message: "Who?", requestedSchema: { type: "object", properties: { name: { type: "string" } } } };
        const sampling = { messages: [{ role: "user" as const, content: { type: "text", text: "Say" } }], maxTokens: 9 };
        const told = kit.deferred<string>();
        const asking = kit.deferred();
        const server = new lib.Server({
          tools: new lib.ToolManager([
            { name: "asks", execute: async (_args, { elicit, sample, roots }) => {
              const [who, said, all] = await Promise.all([elicit(form), sample(sampling), roots()]);
              return `${who.content?.["name"]} ${said.model} ${all.roots.length} ${(await elicit({ ...form, message: "Sure?" })).action}`;
            } },
            { name: "again", execute: (_args, { inputs, state }) => (inputs ? `${state} ${(inputs as any).who.content.name}` : { resultType: "input_required", inputRequests: { who: { method: "elicitation/create", params: form } }, requestState: "mine" }) },
            { name: "logs", execute: (_args, { log }) => { log("debug", "fine"); log("warning", "careful"); return "logged"; } },
            { name: "steps", execute: async (_args, { progress }) => { for (const step of [1, 2]) { progress({ progress: step, total: 2 }); await null; } return "done"; } },
            { name: "waits", execute: (_args, { signal }) => { asking.resolve(); return new Promise(() => signal.addEventListener("abort", () => told.resolve(String(signal.reason)))); } },
          ]),
          resources: [
            { uri: "page://static", name: "static", mimeType: "text/plain", read: () => "held" },
            { uri: "page://bytes", name: "bytes", read: () => new Uint8Array([1, 2, 3]) },
            { uriTemplate: "page://note/{id}", name: "note", read: (_uri, _context, { id }) => `note ${id}` },
          ],
          prompts: [{ name: "greet", arguments: [{ name: "who", required: true }], get: ({ who }) => `Greet ${who}` }],
          complete: (_ref, { value }, known) => ["Ada", "Alan"].filter((name) => name.startsWith(value)).concat(Object.keys(known)),
          logging: true, limits: { pageSize: 1 }, cache: { ttlMs: 5, scope: "public" },
        });
        const { client, call, follow, heard, asked, theirs } = await kit.askableClient(official, carrier, server);
        const all = async (method: "listResources" | "listPrompts", member: string) => {
          const names: string[] = [];
          let cursor: string | undefined;
          do {
            const listed = await client[method](cursor === undefined ? undefined : { cursor });
            names.push(...listed[member].map(({ name }: { name: string }) => name));
            cursor = listed.nextCursor;
          } while (cursor !== undefined);
          return [...new Set(names)];
        };
        const error = (work: Promise<unknown>) => work.catch(({ code, data }: any) => ({ code, data }));
        const seen: any = {
          resources: await all("listResources", "resources"),
          templates: (await client.listResourceTemplates()).resourceTemplates,
          prompts: await all("listPrompts", "prompts"),
          held: (await client.readResource({ uri: "page://static" })).contents,
          bytes: (await client.readResource({ uri: "page://bytes" })).contents,
          note: (await client.readResource({ uri: "page://note/7" })).contents,
          none: await error(client.readResource({ uri: "page://none" })),
          greet: (await client.getPrompt({ name: "greet", arguments: { who: "Ada" } })).messages,
          bad: await error(client.getPrompt({ name: "greet" })),
          completed: (await client.complete({ ref: { type: "ref/prompt", name: "greet" }, argument: { name: "who", value: "Al" }, context: { arguments: { how: "x" } } })).completion,
          asks: (await call({ name: "asks", arguments: {} })).content,
          again: (await call({ name: "again", arguments: {} })).content,
        };
        const steps: number[] = [];
        await call({ name: "steps", arguments: {} }, { onprogress: ({ progress }: any) => steps.push(progress) });
        const modern = official === "2.x auto";
        if (!modern) await client.setLoggingLevel("warning");
        await call({ name: "logs", arguments: {}, ...(modern && { _meta: { "io.modelcontextprotocol/logLevel": "warning" } }) });
        await kit.until(() => heard.length === 1, "the log");
        const { granted, ended, stop } = await follow("page://static");
        server.resourceUpdated("page://static");
        server.resourceUpdated("page://bytes");
        server.resourcesChanged();
        server.promptsChanged();
        await kit.until(() => heard.length >= 4, "the changes");
        await stop();
        // What was sent before the server has heard that is still due.
        await client.listTools();
        server.resourceUpdated("page://static");
        await client.listTools();
        const controller = new AbortController();
        const waiting = call({ name: "waits", arguments: {} }, { signal: controller.signal }).catch(String);
        await asking.promise;
        controller.abort("enough");
        await waiting;
        seen.told = await told.promise;
        const again = modern ? await client.listen({ resourceSubscriptions: ["page://static"] }) : undefined;
        await server.close();
        seen.ended = [await ended, await again?.closed];
        await client.close();
        return { ...seen, steps, heard, asked, granted, forms: theirs.forms?.slice(1) };
      }, [official, carrier] as const);

      const modern = official === "2.x auto";
      expect(seen.resources).toEqual(["static", "bytes"]);
      expect(seen.templates).toEqual([{ uriTemplate: "page://note/{id}", name: "note" }]);
      expect(seen.prompts).toEqual(["greet"]);
      expect(seen.held).toEqual([{ uri: "page://static", mimeType: "text/plain", text: "held" }]);
      expect(seen.bytes).toEqual([{ uri: "page://bytes", blob: "AQID" }]);
      expect(seen.note).toEqual([{ uri: "page://note/7", text: "note 7" }]);
      // The 2.x client makes one code of both eras' by itself.
      expect(seen.none).toEqual({ code: official === "1.x" ? -32002 : -32602, data: { uri: "page://none" } });
      expect(seen.greet).toEqual([{ role: "user", content: { type: "text", text: "Greet Ada" } }]);
      expect(seen.bad.code).toBe(-32602);
      expect(seen.completed).toEqual({ values: ["Alan", "how"], total: 2, hasMore: false });
      expect(seen.asks).toEqual(text("Ada m9 1 accept"));
      expect(seen.again).toEqual(text("mine Ada"));
      expect(seen.asked.sort()).toEqual(["Sure?", "Who?", "Who?"]);
      expect(seen.steps).toEqual([1, 2]);
      expect(seen.heard).toEqual([["message", "careful"], ["resources/updated", "page://static"], ["prompts/list_changed", null], ["resources/list_changed", null]]);
      expect(seen.told).toContain("enough");
      if (modern) {
        expect(seen.granted).toEqual({ resourceSubscriptions: ["page://static"], resourcesListChanged: true, promptsListChanged: true });
        expect(seen.ended).toEqual(["local", "graceful"]);
      }
      if (carrier === "JSON text") expect(new Set(seen.forms)).toEqual(new Set(["string"]));
    });
  }
}

const servers = [
  ["1.x", "auto", "2025-11-25"],
  ["2.x connect", "auto", "2025-11-25"],
  ["2.x both eras", "auto", "2026-07-28"],
  ["2.x both eras", "2025-11-25", "2025-11-25"],
] as const;

for (const [official, protocol, agreed] of servers) {
  for (const carrier of carriers) {
    test(`our Client (${protocol}) over ${carrier}: what the SDK's ${official} server offers and asks`, async ({ openPage }) => {
      const page = await openPage();
      await loadSdks(page);
      const seen = await page.evaluate(async ([official, carrier, protocol]) => {
        const told: string[] = [];
        let stuck = false;
        let asked = 0;
        const { client, observed, faults, server, theirs } = await kit.offeringServer(official, carrier, {
          protocol,
          elicit: (_params, { signal }) => {
            asked += 1;
            if (stuck) return new Promise(() => signal.addEventListener("abort", () => told.push("person")));
            return { action: "accept", content: { name: "Ada" } };
          },
          sample: ({ maxTokens }) => ({ role: "assistant", model: `m${maxTokens}`, content: { type: "text", text: "said" } }),
          roots: async () => [{ uri: "file:///home", name: "home" }],
        });
        const seen: any = {
          resources: (await client.listResources()).map(({ name, uri, title }) => [name, uri, title]),
          templates: (await client.listResourceTemplates()).map(({ uriTemplate }) => uriTemplate),
          prompts: (await client.listPrompts()).map(({ name, arguments: args }) => [name, args?.map(({ name }) => name)]),
          held: (await client.readResource("page://static")).contents,
          note: (await client.readResource("page://note/7")).contents,
          none: await kit.outcome(client.readResource("page://none")),
          greet: (await client.getPrompt("greet", { who: "Ada" })).messages,
          unknown: await kit.outcome(client.getPrompt("nobody")),
          completed: await client.complete({ type: "ref/prompt", name: "greet" }, { name: "who", value: "Al" }),
          id: await client.complete({ type: "ref/resource", uri: "page://note/{id}" }, { name: "id", value: "o" }),
          asks: (await client.callTool("asks")).content,
        };
        const log: unknown[] = [];
        client.addEventListener("notification", (event) => {
          const { method, params } = event as any;
          if (method === "notifications/message") log.push([params.level, params.data]);
        });
        await client.setLoggingLevel("warning");
        await client.callTool("logs");
        await client.setLoggingLevel("error");
        await client.callTool("logs");
        const subscription = client.listen({ resourcesListChanged: true, resourceSubscriptions: ["page://static"] });
        await subscription.granted;
        await server().server.sendResourceUpdated({ uri: "page://static" });
        await server().sendResourceListChanged();
        seen.notices = [(await subscription.next()).value, (await subscription.next()).value].map(({ method, params }: any) => [method, params?.uri]);
        await subscription.return();
        stuck = true;
        const before = asked;
        const controller = new AbortController();
        const waiting = client.callTool("waits", {}, { signal: controller.signal }).catch((reason: unknown) => reason);
        await kit.until(() => asked > before, "the person to be asked");
        controller.abort("enough");
        seen.reason = await waiting;
        await kit.until(() => told.length === 1, "the person to be told");
        if (official === "1.x") await kit.until(() => observed.aborted.length === 1, "their tool to be told");
        await client.tools();
        const { pending } = client;
        const agreed = client.protocol;
        await client.close();
        return { ...seen, log, pending, agreed, faults, followed: observed.followed, forms: (theirs as any).forms };
      }, [official, carrier, protocol] as const);

      expect(seen.agreed).toBe(agreed);
      expect(seen.resources).toEqual([["static", "page://static", "Static"]]);
      expect(seen.templates).toEqual(["page://note/{id}"]);
      expect(seen.prompts).toEqual([["greet", ["who"]]]);
      expect(seen.held).toEqual([{ uri: "page://static", mimeType: "text/plain", text: "held" }]);
      expect(seen.note).toEqual([{ uri: "page://note/7", text: "note 7" }]);
      // 1.x answers invalid-params, 2.x the code of its era.
      expect([-32602, -32002]).toContain(seen.none.rpcCode);
      expect(seen.greet).toEqual([{ role: "user", content: { type: "text", text: "Greet Ada" } }]);
      expect(seen.unknown).toMatchObject({ code: "invalid-params" });
      expect(seen.completed).toMatchObject({ values: ["Alan"] });
      expect(seen.id).toMatchObject({ values: ["one"] });
      expect(seen.asks).toEqual(text("Ada m9 1"));
      // 1.x leaves it to the tool to mind the level.
      expect(seen.log).toEqual(Array(seen.log.length).fill(["warning", "careful"]));
      expect(seen.log.length).toBe(official === "1.x" ? 2 : 1);
      expect(seen.notices).toEqual([["notifications/resources/updated", "page://static"], ["notifications/resources/list_changed", undefined]]);
      expect(seen.followed).toEqual(agreed === "2026-07-28" ? [] : ["resources/subscribe page://static", "resources/unsubscribe page://static"]);
      expect(seen.reason).toBe("enough");
      expect(seen.pending).toBe(0);
      expect(seen.faults).toEqual([]);
      // The first message is ours, before there is anything to go by.
      if (carrier === "JSON text") expect(new Set(seen.forms.slice(2))).toEqual(new Set(["string"]));
    });
  }
}
