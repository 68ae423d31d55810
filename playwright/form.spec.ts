// `modelport/form`: what an agent sees of a form, what it fills in, and what the page hears of it.

import { expect, test, type Page } from "./fixtures.ts";

const EVERYTHING = `
  <form id="booking" aria-label="Books seats">
    <label>Your name <input name="person" required minlength="2" maxlength="20" placeholder="As on the card"></label>
    <label>E-mail <input name="mail" type="email"></label>
    <label>Site <input name="site" type="url"></label>
    <label>Code <input name="code" pattern="[A-Z]{3}"></label>
    <label>Seats <input name="seats" type="number" min="1" max="8"></label>
    <label>Price <input name="price" type="number" step="0.5"></label>
    <label>Volume <input name="volume" type="range" min="0" max="10" step="5"></label>
    <label>Day <input name="day" type="date"></label>
    <label>From <input name="from" type="time"></label>
    <label>Colour <input name="colour" type="color"></label>
    <label>Remarks <textarea name="remarks"></textarea></label>
    <label>Row <select name="row"><option>A</option><option>B</option></select></label>
    <label>Hall <select name="hall" required><option value="">Choose</option><option value="n">North</option><option value="s">South</option></select></label>
    <label>Extras <select name="extras" multiple><option>coat</option><option>drink</option><option>ride</option></select></label>
    <fieldset><legend>Pay by</legend>
      <label><input type="radio" name="pay" value="card" required>Card</label><label><input type="radio" name="pay" value="cash">Cash</label></fieldset>
    <fieldset><legend>Days</legend>
      <label><input type="checkbox" name="days" value="mon">mon</label><label><input type="checkbox" name="days" value="tue">tue</label></fieldset>
    <label><input type="checkbox" name="terms" required>I accept the terms</label>
    <label><input type="checkbox" name="news">News</label>
    <input name="elements" aria-label="A name that forms have themselves">
    <input name="id" toolparamdescription="In the author's words" title="not these">
    <input type="password" name="secret"><input type="file" name="file"><input type="hidden" name="token" value="t"><input name="off" disabled><input name="fixed" readonly value="f">
    <button>Book</button>
  </form>`;

const GOOD = {
  person: "Ada", mail: "ada@example.org", site: "https://example.org/", code: "ABC", seats: 2, price: 10.5, volume: 5, day: "2027-01-31", from: "20:00", colour: "#ff0000", remarks: "two\nlines",
  row: "B", hall: "s", extras: ["drink", "ride"], pay: "cash", days: ["tue"], terms: true, news: false, elements: "x", id: "y",
};

/** Puts a form into the page, publishes it, and writes down what the page hears. */
const publish = (page: Page, html: string, options: object = {}) =>
  page.evaluate(async ({ html, options }) => {
    const { addForm } = await import("/dist/form.js" as any);
    document.body.innerHTML = html;
    const form = document.querySelector("form")!;
    const submitted: unknown[] = [];
    HTMLFormElement.prototype.addEventListener.call(form, "submit", (event) => {
      event.preventDefault();
      const data = new FormData(form);
      submitted.push(Object.fromEntries([...new Set(data.keys())].map((key) => [key, data.getAll(key)])));
    });
    const tools = new lib.ToolManager();
    const remove = addForm(tools, form, { result: (data: FormData) => ({ booked: data.get("person") }), ...options });
    await lib.createModelContext()!.publish(tools);
    Object.assign(globalThis, { submitted, remove, form });
  }, { html, options });

test("every kind of control: its schema, what an agent fills in, and what is submitted", async ({ openPage, openAgent }) => {
  const page = await openPage();
  const agent = await openAgent();
  await publish(page, EVERYTHING);
  await expect.poll(() => agent.tools.has("booking")).toBe(true);
  const text = { type: "string" };
  expect(agent.tools.get("booking")).toMatchObject({ description: "Books seats" });
  expect(agent.tools.get("booking")!.inputSchema).toEqual({
    type: "object",
    properties: {
      person: { ...text, minLength: 2, maxLength: 20, description: "Your name. As on the card" },
      mail: { ...text, format: "email", description: "E-mail" },
      site: { ...text, format: "uri", description: "Site" },
      code: { ...text, pattern: "^(?:[A-Z]{3})$", description: "Code" },
      seats: { type: "integer", minimum: 1, maximum: 8, description: "Seats" },
      price: { type: "number", description: "Price" },
      volume: { type: "integer", minimum: 0, maximum: 10, multipleOf: 5, description: "Volume" },
      day: { ...text, format: "date", description: "Day" },
      from: { ...text, pattern: expect.any(String), description: "From" },
      colour: { ...text, pattern: "^#[0-9a-fA-F]{6}$", description: "Colour" },
      remarks: { ...text, description: "Remarks" },
      row: { ...text, enum: ["A", "B"], description: "Row" },
      hall: { ...text, enum: ["n", "s"], anyOf: [{ const: "n", title: "North" }, { const: "s", title: "South" }], description: "Hall" },
      extras: { type: "array", items: { ...text, enum: ["coat", "drink", "ride"] }, uniqueItems: true, description: "Extras" },
      pay: { ...text, enum: ["card", "cash"], anyOf: [{ const: "card", title: "Card" }, { const: "cash", title: "Cash" }], description: "Pay by" },
      days: { type: "array", items: { ...text, enum: ["mon", "tue"] }, uniqueItems: true, description: "Days" },
      terms: { type: "boolean", const: true, description: "I accept the terms" },
      news: { type: "boolean", description: "News" },
      elements: { ...text, description: "A name that forms have themselves" },
      id: { ...text, description: "In the author's words. not these" },
    },
    required: ["person", "hall", "pay", "terms"],
    additionalProperties: false,
  });
  await page.evaluate(() => {
    const heard: string[] = ((globalThis as any).heard = []);
    for (const type of ["input", "change"]) document.addEventListener(type, ({ target }) => heard.push(`${type} ${(target as HTMLInputElement).name}`));
  });
  expect(JSON.stringify(await agent.call("booking", GOOD))).toContain('\\"booked\\":\\"Ada\\"');
  const seen = await page.evaluate(() => ({ submitted: (globalThis as any).submitted, heard: (globalThis as any).heard }));
  const sent = Object.fromEntries(Object.entries(GOOD).filter(([name]) => name !== "news").map(([name, value]) => [name, [value].flat().map((one) => (one === true ? "on" : String(one)))]));
  expect(seen.submitted).toEqual([{ ...sent, secret: [""], file: [expect.anything()], token: ["t"], fixed: ["f"] }]);
  for (const name of ["person", "hall", "extras", "pay", "days", "terms", "elements"]) expect(seen.heard.filter((one: string) => one.endsWith(` ${name}`))).toEqual([`input ${name}`, `change ${name}`]);
  // What is as it was is not touched.
  expect(seen.heard.filter((one: string) => one.endsWith(" news"))).toEqual([]);
});

test("what the form does not accept is answered and not submitted; the author's failure is the tool's", async ({ openPage, openAgent, expectNoise }) => {
  expectNoise(/does not conform to the required format/);
  const page = await openPage();
  const agent = await openAgent();
  await publish(page, `<form id="f" aria-label="F"><input name="a" required><input name="b" type="date"><input type="password" name="secret" required><button>Go</button></form>`);
  await expect.poll(() => agent.tools.has("f")).toBe(true);
  const refused = JSON.stringify(await agent.call("f", { a: "x" }));
  expect(refused).toContain("The form was filled in and not submitted");
  expect(refused).toContain("secret: ");
  expect(JSON.stringify(await agent.call("f", { a: "x", b: "soon" }))).toContain("b: does not take soon");
  expect(JSON.stringify(await agent.call("f", { c: 1 }))).toContain("The tool did not run");
  expect(await page.evaluate(() => (globalThis as any).submitted)).toEqual([]);
  // A page that takes the form away has nothing to fill in.
  await page.evaluate(() => (globalThis as any).form.remove());
  expect(JSON.stringify(await agent.call("f", { a: "x" }))).toContain("no longer in the page");
  const page2 = await openPage();
  const failing = await page2.evaluate(async () => {
    const { formTool } = await import("/dist/form.js" as any);
    document.body.innerHTML = `<form name="g"><input name="a"><button type="submit">Go</button></form>`;
    const form = document.querySelector("form")!;
    form.onsubmit = (event) => event.preventDefault();
    const tools = new lib.ToolManager([formTool(form, { description: "G", result: async () => { throw new Error("sold out"); } })]);
    const answers = [await tools.call("g", { a: "1" })];
    tools.add(formTool(form, { name: "left", description: "G", submit: false }));
    answers.push(await tools.call("left", { a: "2" }));
    return { answers, focus: document.activeElement?.tagName, value: form.querySelector("input")!.value };
  });
  expect(failing).toMatchObject({ answers: [{ isError: true, content: [{ text: "sold out" }] }, { content: [{ text: expect.stringContaining("has to look at it") }] }], focus: "BUTTON", value: "2" });
});

test("follows its controls until it is taken away, and stands beside the browser's own form tools", async ({ openPage, openAgent }) => {
  const page = await openPage();
  const agent = await openAgent();
  await publish(page, `<form id="f" aria-label="F"><input name="a"></form><form toolname="native" tooldescription="The browser's"><input name="z"></form>`);
  const fields = () => Object.keys((agent.tools.get("f")?.inputSchema as any)?.properties ?? {}).join();
  await expect.poll(fields).toBe("a");
  await expect.poll(() => [...agent.tools.keys()].sort()).toEqual(["f", "native"]);
  await page.evaluate(() => void (globalThis as any).form.insertAdjacentHTML("beforeend", `<input name="b" required>`));
  await expect.poll(fields).toBe("a,b");
  await page.evaluate(() => void ((globalThis as any).form.querySelector("[name=a]").disabled = true));
  await expect.poll(fields).toBe("b");
  await page.evaluate(() => (globalThis as any).remove());
  await expect.poll(() => [...agent.tools.keys()]).toEqual(["native"]);
  // Nobody follows it any more.
  await page.evaluate(() => void (globalThis as any).form.insertAdjacentHTML("beforeend", `<input name="c">`));
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
  expect([...agent.tools.keys()]).toEqual(["native"]);
});
