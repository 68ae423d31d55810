// Arguments and results against a tool's own schemas: what the caller is told, whether the tool ran,
// and what a listener hears.

import { readFileSync } from "node:fs";
import { expect, native, test } from "./everywhere.ts";

const sample = (name: string) => JSON.parse(readFileSync(new URL(`../tests/data/${name}.json`, import.meta.url), "utf8"));
const wrongPattern = sample("S15-wrong-regex-in-the-wild");

native("registry")("C45: bad arguments are answered with place and rule and do not run; warned about; or let through", async ({ openPage, openAgent }) => {
  const page = await openPage();
  const agent = await openAgent();
  const seen = await page.evaluate(async ({ tool, valid_arguments: good, invalid_arguments: bad }) => {
    const ran: unknown[] = [];
    const execute = (args: unknown) => (ran.push(args), "picked");
    const said = ({ content, isError = false }: any) => [content[0].text, isError];
    const all: Record<string, unknown> = {};
    for (const check of [undefined, "on", "warn", "off"] as const) {
      const tools = new lib.ToolManager([{ ...tool, execute }], check && { check });
      const warnings: string[] = [];
      tools.addEventListener("warning", ({ tool, pointer, keyword }) => warnings.push(`${tool} ${pointer} ${keyword}`));
      const { client, stop } = lib.createPageServer({ tools });
      await client.connect();
      const answers = [await tools.call("pick_show", bad), await client.callTool("pick_show", bad), await client.callTool("pick_show", good)].map(said);
      stop();
      all[String(check)] = { answers, ran: ran.splice(0).length, warnings };
    }
    // The tool's own word goes first.
    const own = new lib.ToolManager([{ ...tool, execute, check: "off" }, { ...tool, name: "second", execute, check: "on" }], { check: "warn" });
    all["own"] = [said(await own.call("pick_show", bad)), said(await own.call("second", bad))[1], ran.splice(0).length];
    // The registry's callers are told the same.
    const published = new lib.ToolManager([{ ...tool, execute }]);
    (globalThis as any).ran = ran;
    await lib.createModelContext()!.publish(published);
    return all;
  }, wrongPattern);
  const refused = ['The tool did not run: its arguments do not fit.\n/time: must match the pattern ^[1-12]:[0-5][0-9] (AM|PM)$, but is "8:30 PM" (pattern)', true];
  const picked = ["picked", false];
  const on = { answers: [refused, refused, picked], ran: 1, warnings: [] };
  const through = { answers: [picked, picked, picked], ran: 3 };
  const warning = "pick_show /time pattern";
  expect(seen).toEqual({ undefined: on, on, warn: { ...through, warnings: [warning, warning] }, off: { ...through, warnings: [] }, own: [picked, true, 1] });
  const outside = (await agent.call("pick_show", wrongPattern.invalid_arguments)) as any;
  expect(JSON.stringify(outside)).toContain("/time: must match the pattern");
  expect(await page.evaluate(() => (globalThis as any).ran)).toEqual([]);
});

test("C36, C41, C42: one tool with an odd schema is set apart by a warning, and the others work", async ({ openPage, traffic }) => {
  const page = await openPage();
  const odd = {
    S04: sample("S04-outputschema-dangling-ref").tool, S06: sample("S06-boolean-subschemas").tool, S07: sample("S07-root-anyof-without-type").tool, S16: sample("S16-empty-schemas").tool,
    S09: { inputSchema: { properties: { n: { type: "number", exclusiveMinimum: true } } } },
    S20: { inputSchema: { properties: { n: { $ref: "https://example.org/n.json" } } } },
    bracket: { inputSchema: { properties: { n: { pattern: "[" } } } },
    costly: { inputSchema: { properties: { n: { pattern: "(a+)+$" } } } },
    dialect: { inputSchema: { $schema: "http://json-schema.org/draft-04/schema#" } },
  };
  const valid = Object.fromEntries(["S04-outputschema-dangling-ref", "S06-boolean-subschemas", "S07-root-anyof-without-type", "S16-empty-schemas"].map((name) => [name.slice(0, 3), sample(name).valid_arguments]));
  traffic.asked.length = 0;
  const seen = await page.evaluate(async ({ odd, valid }) => {
    const good = ["a", "b", "c"].map((name) => ({ name, inputSchema: { type: "object", properties: { n: { type: "integer" } } }, execute: ({ n }: any) => `${name}${n}` }));
    const all: Record<string, unknown> = {};
    for (const [name, tool] of Object.entries<any>(odd)) {
      const tools = new lib.ToolManager([...good, { ...tool, name, execute: () => ({ count: 1 }) }]);
      const warnings: string[] = [];
      tools.addEventListener("warning", ({ tool, pointer, keyword }) => warnings.push([tool, pointer, keyword].join(" ")));
      const { client, stop } = lib.createPageServer({ tools });
      await client.connect();
      const listed = (await client.tools()).map((one) => one.name).join();
      const answers = await Promise.all(good.map(async (one) => ((await client.callTool(one.name, { n: 1 })).content[0] as any).text));
      const { isError = false, content } = await client.callTool(name, valid[name] ?? { n: `${"a".repeat(40)}!` });
      stop();
      all[name] = { works: listed === `a,b,c,${name}` && answers.join() === "a1,b1,c1", isError, said: isError ? (content[0] as any).text.split("\n")[1] : undefined, warnings };
    }
    return all;
  }, { odd, valid });
  const fine = { works: true, isError: false, warnings: [] };
  const apart = (name: string, pointer: string, reason: string) => ({ works: true, isError: true, said: `${pointer}: inputSchema cannot be used: ${reason} (schema)`, warnings: [`${name} ${pointer} schema`] });
  expect(seen).toEqual({
    S04: { ...fine, warnings: ["S04 /properties/screen/$ref schema"] }, S06: fine, S07: fine, S16: fine,
    S09: apart("S09", "/properties/n/exclusiveMinimum", "must be a number, not true"),
    S20: apart("S20", "/properties/n/$ref", "is in another document, and none is fetched: https://example.org/n.json"),
    bracket: apart("bracket", "/properties/n/pattern", "no regular expression: ["),
    costly: apart("costly", "/properties/n/pattern", "pattern too costly"),
    dialect: apart("dialect", "/$schema", "unknown dialect: http://json-schema.org/draft-04/schema#"),
  });
  expect(traffic.asked).toEqual([]);
});

test("C38, C39: results are what the output schema promises, or say what they lack; failures are left alone", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const outputSchema = { type: "object", properties: { n: { type: "number" }, when: { type: "string" } }, required: ["n"] };
    const content = [{ type: "text", text: "words" }] as const;
    const results: Record<string, () => unknown> = {
      plain: () => ({ n: 1 }),
      later: async () => ({ n: 1 }),
      made: () => ({ content, structuredContent: { n: 1 } }),
      date: () => ({ n: 1, when: new Date(0) }),
      failed: () => ({ content, isError: true }),
      "failed with structure": () => ({ content, isError: true, structuredContent: { err: 1 } }),
      missing: () => ({ content }),
      nothing: () => {},
      mismatch: () => ({ content, structuredContent: { n: "x" } }),
      "plain mismatch": () => ({ n: "x" }),
      "later mismatch": async () => ({ n: "x" }),
      array: () => [1],
      throws: () => { throw new Error("own words"); },
      rejects: async () => { throw new Error("own words"); },
      cycle: () => { const cycle: any = { n: 1 }; return (cycle.cycle = cycle); },
    };
    const list = { name: "list", outputSchema: { type: "array" }, execute: () => [1, 2] };
    const tools = new lib.ToolManager([...Object.entries(results).map(([name, execute]) => ({ name, outputSchema, execute })), list]);
    const peer = await kit.served(tools);
    const all: Record<string, unknown> = {};
    for (const { name } of tools) {
      const { isError = false, structuredContent, content } = (await peer.request("tools/call", { name })).result;
      all[name] = [isError, structuredContent, isError ? content[0].text.split("\n").pop() : undefined];
    }
    const warned = new lib.ToolManager([{ name: "mismatch", outputSchema, execute: results["mismatch"]! }], { check: "warn" });
    const warnings: string[] = [];
    warned.addEventListener("warning", ({ pointer, keyword, message }) => warnings.push([pointer, keyword, message].join(" ")));
    const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} };
    const stateless = (await peer.request("tools/call", { name: "list", _meta })).result.structuredContent;
    return { all, stateless, warned: (await warned.call("mismatch")).structuredContent, warnings };
  });
  const good = [false, { n: 1 }, undefined];
  const bad = (text: string) => [true, undefined, text];
  const wrong = bad('/n: must be number, but is "x" (type)');
  const missing = bad("structuredContent is missing (outputSchema)");
  expect(seen.all).toEqual({
    plain: good, later: good, made: good, date: [false, { n: 1, when: "1970-01-01T00:00:00.000Z" }, undefined],
    failed: bad("words"), "failed with structure": bad("words"), missing, nothing: missing, mismatch: wrong, "plain mismatch": wrong, "later mismatch": wrong,
    array: bad("must be object, but is an array of 1 (type)"), throws: bad("own words"), rejects: bad("own words"),
    cycle: bad(expect.stringMatching(/circle|cyclic/) as unknown as string), 
    // Peers of the handshake era would refuse a result whose structured content is no object.
    list: [false, undefined, undefined],
  });
  expect(seen).toMatchObject({ stateless: [1, 2], warned: { n: "x" }, warnings: ['/n type must be number, but is "x"'] });
});

test("what is no final result passes unchecked", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const round = { resultType: "input_required", content: [{ type: "text", text: "which one?" }] };
    const tools = new lib.ToolManager([{ name: "asks", outputSchema: { type: "object", required: ["n"] }, execute: () => round }]);
    const { isError, content } = await tools.call("asks");
    return { isError, content };
  });
  expect(seen).toEqual({ isError: undefined, content: [{ type: "text", text: "which one?" }] });
});

test("C40: checks work where nothing may be evaluated", async ({ openPage }) => {
  const page = await openPage({ csp: "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src data:; require-trusted-types-for 'script'; trusted-types 'none'" });
  const seen = await page.evaluate(async () => {
    const inputSchema = { type: "object", properties: { day: { pattern: "^\\d{4}-\\d{2}$" } }, required: ["day"], additionalProperties: false };
    const outputSchema = { type: "object", properties: { day: { $ref: "#/$defs/day" } }, $defs: { day: { type: "string" } }, unevaluatedProperties: false };
    const tools = new lib.ToolManager([{ name: "a", inputSchema, outputSchema, execute: ({ day }) => (day === "2026-01" ? { day } : { day, more: 1 }) }]);
    const { client, stop } = lib.createPageServer({ tools });
    await client.connect();
    const answers = [];
    for (const args of [{ day: "2026-01" }, { day: "2026-02" }, { day: "x" }]) answers.push((await client.callTool("a", args)).isError ?? false);
    stop();
    return { answers, violations };
  });
  expect(seen).toEqual({ answers: [false, true, true], violations: [] });
});

native("registry")("adopted tools are not checked here unless they say so", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const inputSchema = { type: "object", properties: { n: { type: "number" } } };
    await (document as any).modelContext.registerTool({ name: "theirs", description: "d", inputSchema, execute: ({ n }: any) => `got ${n}` });
    const bridge = lib.createModelContext()!;
    const [once] = (await bridge.adopt()) as any[];
    const live = await bridge.adopt({ live: true });
    const followed = live.get("theirs")!;
    const answers: unknown[] = [];
    for (const tool of [once, followed, [...live][0]!]) {
      const tools = new lib.ToolManager([tool], { check: "on" });
      answers.push(tools.get("theirs") === tool, ((await tools.call("theirs", { n: "x" })).content[0] as any).text);
    }
    once.check = "on";
    const { isError, content } = await new lib.ToolManager([once]).call("theirs", { n: "x" });
    bridge.destroy();
    return { answers, own: [isError, (content[0] as any).text.split("\n")[1]] };
  });
  expect(seen).toEqual({ answers: Array(3).fill([true, "got x"]).flat(), own: [true, '/n: must be number, but is "x" (type)'] });
});

test("another validator is asked once for each schema, and what it throws is the schema's fault", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    const asked: unknown[] = [];
    const validator = (schema: any) => {
      asked.push(schema.title);
      if (schema.title === "bad") throw new Error("I do not know that");
      return (value: any) => (value.n > 1 ? [{ pointer: "/n", keyword: "mine", rule: "", message: "is too much" }] : undefined);
    };
    const tool = (name: string) => ({ name, inputSchema: { title: name }, execute: ({ n }: any) => `${n}` });
    const tools = new lib.ToolManager([tool("good"), tool("bad")], { validator });
    const text = async (name: string, n: number) => ((await tools.call(name, { n })).content[0] as any).text;
    return { answers: [await text("good", 1), await text("good", 2), await text("bad", 1), await text("bad", 1)], asked };
  });
  const refused = "The tool did not run: its arguments do not fit.\n";
  const bad = `${refused}inputSchema cannot be used: I do not know that (schema)`;
  expect(seen).toEqual({ answers: ["1", `${refused}/n: is too much (mine)`, bad, bad], asked: ["good", "bad"] });
});
