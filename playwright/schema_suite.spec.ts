// The validator for JavaScript values, from outside: the official suite, schemas from the wild, its
// faults by name and its bounds. The suite runs in Node, what depends on the browser's engine in Chromium.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, test, type Tab } from "./everywhere.ts";
import type * as Validator from "./kit/schema.ts";

declare global {
  var validator: typeof Validator;
}

const data = (path: string) => JSON.parse(readFileSync(fileURLToPath(new URL(`../tests/data/${path}`, import.meta.url)), "utf8"));
const inNode = (): Promise<typeof Validator> => import(pathToFileURL(join(process.env["MODELPORT_BUNDLES"]!, "schema.js")).href);
const intoPage = (page: Tab) => page.evaluate("import('/bundles/schema.js').then((all) => { globalThis.validator = all; })");

/** Whether a schema names a document that the suite serves or the web has, and is refused for it. */
const needsDocuments = (schema: unknown, reason: string) =>
  /localhost:1234|"\$ref":"http/.test(JSON.stringify(schema)) && /^(unknown dialect|is in another document)/.test(reason);

for (const [draft, dialect, atLeast, atMostRefused] of [
  ["draft2020-12", "https://json-schema.org/draft/2020-12/schema", 1_200, 80],
  ["draft7", "http://json-schema.org/draft-07/schema#", 800, 60],
  ["draft2019-09", "https://json-schema.org/draft/2019-09/schema", 1_100, 80],
] as const) {
  test(`the required cases of the official suite, ${draft}`, async () => {
    const { check, schemaProblem } = await inNode();
    let [passed, refused] = [0, 0];
    const wrong: string[] = [];
    for (const [file, groups] of Object.entries<any[]>(data(`json_schema_suite/${draft}.json`))) {
      for (const group of groups) {
        // Most cases of the older drafts do not name theirs; a schema that is a boolean cannot.
        const schema = typeof group.schema === "object" ? { $schema: dialect, ...group.schema } : { $schema: dialect, allOf: [group.schema] };
        const problem = schemaProblem(schema);
        if (problem && needsDocuments(group.schema, problem.reason)) refused += group.tests.length;
        else if (problem) wrong.push(`${file}: ${group.description}: ${problem.pointer}: ${problem.reason}`);
        else {
          for (const one of group.tests) {
            const failures = check(schema, one.data);
            if ((failures === undefined) === one.valid) passed += 1;
            else wrong.push(`${file}: ${group.description}: ${one.description}: ${JSON.stringify(failures)}`);
          }
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(passed).toBeGreaterThan(atLeast);
    expect(refused).toBeLessThan(atMostRefused);
  });
}

test("schemas from the wild pass what they are for, and refuse the rest at the right place", async ({ openPage }) => {
  const page = await openPage({ ready: false });
  await intoPage(page);
  const folder = fileURLToPath(new URL("../tests/data", import.meta.url));
  const samples = readdirSync(folder).filter((name) => name.endsWith(".json")).map((name) => data(name));
  expect(samples).toHaveLength(14);
  const seen = await page.evaluate((all) => all.map(({ id, tool, valid_arguments, invalid_arguments }) => ({
    id, valid: validator.check(tool.inputSchema, valid_arguments), invalid: validator.check(tool.inputSchema, invalid_arguments),
  })), samples);
  for (const [index, { id, valid, invalid }] of seen.entries()) {
    const { invalid_at: at, invalid_keyword: keyword } = samples[index];
    expect(valid, id).toBeUndefined();
    // An empty schema accepts what MCP itself refuses.
    if (id === "S16") expect(invalid, id).toBeUndefined();
    else {
      expect(invalid?.[0]?.pointer, id).toBe(at);
      expect(invalid?.filter((one) => one.pointer === at).map((one) => one.keyword), id).toContain(keyword);
    }
  }
  const output = await page.evaluate((schema) => validator.schemaProblem(schema), samples.find(({ id }) => id === "S04").tool.outputSchema);
  expect(output).toEqual({ pointer: "/properties/screen/$ref", reason: "leads nowhere: #/$defs/Screen" });
});

test("faults of a schema are told by place and reason", async () => {
  const { schemaProblem } = await inNode();
  const deep = (levels: number) => Array.from({ length: levels }).reduce<object>((inner) => ({ items: inner }), {});
  const cycle: any = { type: "object" };
  cycle.properties = { cycle };
  for (const [schema, pointer, word] of [
    [{ $schema: "http://json-schema.org/draft-04/schema#" }, "/$schema", "draft-04"],
    [{ $ref: "https://json-schema.org/draft/2020-12/schema" }, "/$ref", "https://json-schema.org/draft/2020-12/schema"],
    [{ items: { $ref: "#/$defs/a" } }, "/items/$ref", "#/$defs/a"],
    [{ $ref: "#a" }, "/$ref", "#a"],
    [{ $ref: "https://example.org/a" }, "/$ref", "https://example.org/a"],
    [{ not: { type: "strnig" } }, "/not/type", "strnig"],
    [{ properties: { "a/b": { minLength: -1 } } }, "/properties/a~1b/minLength", "-1"],
    [{ items: [true] }, "/items", "object or a boolean"],
    [{ required: "a" }, "/required", "array of strings"],
    [{ dependentRequired: { a: "b" } }, "/dependentRequired/a", "array of strings"],
    [{ allOf: [3] }, "/allOf/0", "object or a boolean"],
    [{ exclusiveMinimum: true }, "/exclusiveMinimum", "number"],
    [{ multipleOf: 0 }, "/multipleOf", "more than 0"],
    [{ pattern: "[" }, "/pattern", "no regular expression"],
    [{ patternProperties: { "(": true } }, "/patternProperties/(", "no regular expression"],
    [{ $ref: "#" }, "", "refers to itself"],
    [{ $ref: "#/$defs/a", $defs: { a: { allOf: [{ $ref: "#/$defs/b" }] }, b: { allOf: [{ $ref: "#/$defs/a" }] } } }, "/$defs/a", "refers to itself"],
    [deep(200), "/items".repeat(129), "deeply"],
    [cycle, "", "circular"],
  ] as [object, string, string][]) {
    const problem = schemaProblem(schema);
    expect(problem?.pointer, word).toBe(pointer);
    expect(problem?.reason).toContain(word);
  }
});

test("C43: deep, recursive and branching schemas and values end in a reason, and the page lives", async ({ openPage, traffic }) => {
  const page = await openPage({ ready: false });
  await intoPage(page);
  traffic.asked.length = 0;
  const seen = await page.evaluate(() => {
    const { check } = validator;
    const nest = (levels: number) => Array.from({ length: levels }).reduce<unknown>((inner) => ({ next: inner }), {});
    const list = { $id: "https://example.org/list", properties: { next: { $ref: "#" } } };
    const cyclic: any = {};
    cyclic.next = cyclic;
    const twice = (keyword: string) => {
      const $defs: Record<string, unknown> = { d0: { type: "number" } };
      for (let level = 1; level < 40; level++) $defs[`d${level}`] = { [keyword]: [{ $ref: `#/$defs/d${level - 1}` }, { $ref: `#/$defs/d${level - 1}` }] };
      return { $defs, $ref: "#/$defs/d39" };
    };
    const reasons = (schema: object, value: unknown) => check(schema, value)?.map(({ keyword, message }) => `${keyword}: ${message}`);
    return {
      lists: [reasons(list, nest(150)), reasons(list, nest(2_000)), reasons(list, cyclic)],
      deepValues: reasons({ uniqueItems: true }, [nest(2_000)]),
      condition: reasons({ if: true, then: { $ref: "#" } }, 1),
      dynamic: reasons({ $dynamicAnchor: "a", $dynamicRef: "#a" }, 1),
      bombs: [reasons(twice("allOf"), 1), reasons(twice("oneOf"), 1), reasons(twice("anyOf"), "a")],
      branches: reasons({ oneOf: Array.from({ length: 10_000 }, (_, index) => ({ const: index })) }, 9_999),
      unique: reasons({ uniqueItems: true }, Array.from({ length: 100_000 }, (_, index) => ({ index }))),
      twins: reasons({ uniqueItems: true }, [{ a: 1, b: [2] }, { b: [2.0], a: 1 }]),
      failures: check({ items: { type: "string" } }, Array(50).fill(1))?.length,
      getter: reasons({ properties: { a: true, b: { type: "string" } } }, { get a() { throw new Error("no"); } }),
      after: reasons(list, nest(3)),
    };
  });
  const limit = (words: string) => [`limit: could not be checked: ${words}`];
  const deep = limit("it is nested too deeply");
  const steps = limit("it takes too many steps");
  expect(seen).toEqual({
    lists: [undefined, deep, deep], deepValues: deep, condition: deep, dynamic: deep, bombs: [steps, steps, steps], branches: undefined, unique: undefined,
    twins: ["uniqueItems: must have no two equal items, but is an array of 2"], failures: 20, getter: limit("it cannot be read"), after: undefined,
  });
  expect(traffic.asked).toEqual([]);
});

test("C41: patterns are the host's own, and one that could run away never runs", async ({ openPage }) => {
  const page = await openPage({ ready: false });
  await intoPage(page);
  const seen = await page.evaluate(() => {
    const { check, schemaProblem } = validator;
    const said = (pattern: string, text: string, trusted = true) => check({ pattern }, text, { trusted })?.[0]?.message.replace(/^.*: /, "") ?? "passes";
    const costly = ["(a+)+$", "^(a|a)*$", "^(\\w+\\s?)+$", "^(a?b?)*$", "(x+x+)+y", "(?:(?=a)a|(?=a)a)*$", "((a{1,5}){1,5})$", "(a{2}|a{3})*$", "(a*){30}$", "(a?){30}a{30}$", `${"a?".repeat(30)}${"a".repeat(30)}$`, `^(?:${"(?:a|aa)".repeat(30)})$`, "(\\u0416|[\\u0410-\\u042f])+$", "(?:a|b|ab)*c", "(.*)*x", "x".repeat(2_001)];
    return {
      costly: costly.map((pattern) => said(pattern, `${"a".repeat(40)}!`)).filter((words) => words !== "pattern too costly"),
      strange: [said("^(['\"]).*\\1$", "'a'"), said("^(['\"]).*\\1$", "'a'", false)],
      named: [said("^(?<year>\\d{4})$", "2026"), said("^\\p{L}+$", "Ünï"), said("^\\p{L}+$", "a1").slice(0, 4), said("^.$", "😀"), said("^\\-$", "-")],
      long: [said("a+b", "a".repeat(20_000)), said("^a+$", "a".repeat(90_000)), said("^a+$", "a".repeat(100_001))],
      invalid: schemaProblem({ properties: { a: { pattern: "[" } } }),
    };
  });
  expect(seen).toEqual({
    costly: [], strange: ["passes", "pattern too costly"], named: ["passes", "passes", "must", "passes", "passes"],
    long: ["pattern too costly", "passes", "pattern too costly"], invalid: { pointer: "/properties/a/pattern", reason: "no regular expression: [" },
  });
});

test("sentences say what to do, and the branch that was meant is explained", async () => {
  const { check, checkResult, textOf } = await inNode();
  const schema = {
    properties: {
      size: { enum: ["s", "m"] }, count: { type: ["integer", "null"], minimum: 1 }, "a/b": { items: { multipleOf: 0.01 } },
      shape: { oneOf: [
        { properties: { kind: { const: "circle" }, r: { type: "number" } }, required: ["kind", "r"] },
        { properties: { kind: { const: "box" } }, required: ["kind"], additionalProperties: false },
      ] },
    },
    required: ["size"],
    additionalProperties: false,
  };
  const told = (value: unknown) => textOf(check(schema, value) ?? []).split("\n");
  expect(told({ size: "xl" })).toEqual(['/size: must be one of ["s","m"], but is "xl" (enum)']);
  expect(told({ size: "s", count: "2" })).toEqual(['/count: must be integer or null, but is "2" (type)']);
  expect(told({})).toEqual(['must have "size" (required)']);
  expect(told({ size: "s", color: 1 })).toEqual(['must not have "color"; allowed: "size", "count", "a/b", "shape" (additionalProperties)']);
  expect(told({ size: "s", "a/b": [4.35, 0.3, 0.305] })).toEqual(["/a~1b/2: must be a multiple of 0.01, but is 0.305 (multipleOf)"]);
  expect(told({ size: "s", shape: { kind: "circle", r: "1" } })[1]).toBe('/shape/r: must be number, but is "1" (type)');
  expect(check(schema, { size: "xl" })).toMatchObject([{ pointer: "/size", keyword: "enum", rule: "/properties/size/enum" }]);
  expect(check({ maxLength: 2, minLength: 2 }, "😀😀")).toBeUndefined();

  const output = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
  const content = [{ type: "text", text: "their words" }];
  expect(checkResult(output, { content, structuredContent: { n: 1 } })).toBeUndefined();
  expect(checkResult(output, { content, isError: true, structuredContent: { err: 1 } })).toBeUndefined();
  expect(checkResult(output, { resultType: "input_required" })).toBeUndefined();
  expect(checkResult({ $ref: "#/$defs/none" }, { content })).toBeUndefined();
  expect(checkResult(output, { content, structuredContent: { n: "x" } })).toMatch(/\/n: must be number, but is "x" \(type\)\ntheir words$/);
  expect(checkResult(output, { content })).toMatch(/structuredContent is missing\ntheir words$/);
});
