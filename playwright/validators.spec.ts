// Validators that follow Standard Schema, in a tool's place for a schema: agents see JSON Schema, and the validator
// decides and converts.

import { expect, test } from "./fixtures.ts";

const all = { zod: "zod", valibot: "valibot", arktype: "arktype" };

for (const vendor of Object.keys(all) as (keyof typeof all)[]) {
  test(`${vendor}: agents see its JSON Schema; it checks and converts, for every way in`, async ({ openPage, openAgent }) => {
    const page = await openPage();
    const agent = await openAgent();
    const seen = await page.evaluate(async (vendor) => {
      const { schemas } = await import("/bundles/validators.js" as any);
      const { city, degrees } = schemas[vendor];
      const ran: unknown[] = [];
      const execute = (args: any) => (ran.push(args), { degrees: args.city === "Oslo" ? 3 : "many" });
      const tool = { name: "weather", description: "The weather", inputSchema: city, outputSchema: degrees, execute };
      const tools = new lib.ToolManager([tool]);
      const { client, stop } = lib.createPageServer({ tools });
      await client.connect();
      const answers = [];
      for (const args of [{ city: "Oslo" }, { city: 7 }, { city: "Rome" }] as any[]) {
        const over = await client.callTool("weather", args);
        const near = await tools.call("weather", args);
        answers.push({ text: (over.content[0] as any).text, data: over.structuredContent, isError: over.isError ?? false, same: JSON.stringify(over.content) === JSON.stringify(near.content) });
      }
      const [listed] = await client.tools();
      stop();
      await lib.createModelContext()!.publish(tools);
      return { answers, ran, listed: { inputSchema: listed!.inputSchema, outputSchema: listed!.outputSchema }, kept: tools.get("weather")!.inputSchema };
    }, vendor);
    expect(seen.listed).toMatchObject({ inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] }, outputSchema: { type: "object", properties: { degrees: { type: "number" } } } });
    expect(seen.kept).toEqual(seen.listed.inputSchema);
    const [good, bad, unfit] = seen.answers;
    expect(good).toMatchObject({ data: { degrees: 3 }, isError: false, same: true });
    expect(bad).toMatchObject({ isError: true, same: true, text: expect.stringMatching(new RegExp(`^The tool did not run: its arguments do not fit\\.\\n/city: .*\\(${vendor}\\)$`)) });
    expect(unfit).toMatchObject({ isError: true, same: true, text: expect.stringMatching(/^The tool ran, but its result does not fit\.\n\/degrees: /) });
    // Defaults are the validator's, twice for each call that was let in.
    const [oslo, rome] = ["Oslo", "Rome"].map((city) => ({ city, days: 3 }));
    expect(seen.ran).toEqual([oslo, oslo, rome, rome]);
    expect(agent.tools.get("weather")).toMatchObject({ inputSchema: { properties: { city: { type: "string" } } } });
    expect(JSON.stringify(await agent.call("weather", { city: 7 }))).toContain("/city: ");
  });
}

test("an asynchronous validator is waited for, a caller who gives up meanwhile runs nothing, and modes are kept", async ({ openPage }) => {
  const page = await openPage();
  const seen = await page.evaluate(async () => {
    let release = () => {};
    const slow = {
      "~standard": {
        version: 1, vendor: "mine",
        validate: async (value: any) => {
          await new Promise<void>((resolve) => (release = resolve));
          return value.n > 0 ? { value: { n: value.n + 1 } } : { issues: [{ message: "must be more than 0", path: [{ key: "n" }] }] };
        },
        jsonSchema: { input: () => ({ type: "object" }), output: () => ({ type: "object" }) },
      },
    } as const;
    const ran: unknown[] = [];
    const execute = (args: any) => (ran.push(args), `ran with ${args.n}`);
    const call = async (check: "on" | "warn" | "off", n: number) => {
      const tools = new lib.ToolManager([{ name: "t", inputSchema: slow, execute }], { check });
      const warnings: string[] = [];
      tools.addEventListener("warning", ({ pointer, message }) => warnings.push(`${pointer} ${message}`));
      const answer = tools.call("t", { n });
      release();
      const { content, isError = false } = await answer;
      return [(content[0] as any).text, isError, ...warnings];
    };
    const answers = [await call("on", 1), await call("on", 0), await call("warn", 0), await call("off", 0)];
    const end = new AbortController();
    const tools = new lib.ToolManager([{ name: "t", inputSchema: slow, execute }]);
    ran.length = 0;
    const given = tools.call("t", { n: 5 }, { signal: end.signal }).catch((reason) => String(reason));
    end.abort("enough");
    const reason = await given;
    release();
    await new Promise((resolve) => setTimeout(resolve, 20));
    const refusal = (inputSchema: any) => {
      try {
        tools.add({ name: "u", inputSchema, execute });
        return "taken";
      } catch (error: any) {
        return `${error.code}: ${error.message}`;
      }
    };
    const { validate } = slow["~standard"];
    const mute = { "~standard": { version: 1, vendor: "mute", validate } };
    const odd = { "~standard": { version: 1, vendor: "odd", validate, jsonSchema: { input: () => { throw new Error("a date is no JSON"); } } } };
    return { answers, reason, ran, refusals: [refusal(mute), refusal(odd)], size: tools.size };
  });
  expect(seen).toEqual({
    answers: [
      ["ran with 2", false],
      ["The tool did not run: its arguments do not fit.\n/n: must be more than 0 (mine)", true],
      ["ran with 0", false, "/n must be more than 0"],
      ["ran with 0", false],
    ],
    reason: "enough",
    ran: [],
    refusals: [
      expect.stringMatching(/^invalid-argument: inputSchema of u: this schema of mute does not tell its JSON Schema/),
      "invalid-argument: inputSchema of u: this schema of odd has no form in JSON Schema: a date is no JSON.",
    ],
    size: 1,
  });
});
