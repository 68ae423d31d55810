// The judge of sizes is judged here: that a part which grew, or that nobody has a budget for, is told; and that the
// report speaks of every byte there is.

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";

interface Size {
  raw: number;
  brotli: number;
}
type Parts = Record<string, Size>;

const root = new URL("../", import.meta.url);
const script = (name: string) => import(new URL(`scripts/size/${name}.mjs`, root).href) as Promise<unknown>;
const { judge, exactly } = (await script("budget")) as {
  judge(parts: Parts, budgets: Parts, excused?: string[]): { wrong: string[]; loose: string[] };
  exactly(parts: Parts): Parts;
};
const { anatomy } = (await script("anatomy")) as {
  anatomy(bytes: Uint8Array, names: string): { sections: Record<string, number>; functions: { name: string; bytes: number }[] };
};
const { placed } = (await script("names")) as { placed(name: string): { crate: string; module: string; name: string } };

const budgets: Parts = { wasm: { raw: 1000, brotli: 400 }, "react.js": { raw: 200, brotli: 100 } };
const react = { raw: 200, brotli: 100 };

test("a part may be 1 % off its budget, and not more", () => {
  const judged = (wasm: Size) => judge({ wasm, "react.js": react }, budgets);
  expect(judged({ raw: 1010, brotli: 396 })).toEqual({ wrong: [], loose: [] });
  expect(judged({ raw: 1011, brotli: 400 }).wrong).toEqual(["wasm: 1011 bytes raw, 1.1 % above its budget of 1000"]);
  expect(judged({ raw: 1000, brotli: 405 }).wrong).toHaveLength(1);
  const { wrong, loose } = judged({ raw: 1000, brotli: 300 });
  expect(wrong).toEqual([]);
  expect(loose[0]).toContain("25.0 % below its budget of 400");
});

test("an entry without a budget is told to get one, and a budget without an entry to go", () => {
  const parts = { wasm: budgets.wasm!, "form.js": react };
  const { wrong } = judge(parts, budgets);
  expect(wrong).toHaveLength(2);
  expect(wrong[0]).toMatch(/^form\.js has no budget: .*--bless/);
  expect(wrong[1]).toMatch(/^react\.js has a budget and is not there/);
  expect(judge(parts, exactly(parts)).wrong).toEqual([]);
});

test("what nobody can help is not judged, but needs a budget too", () => {
  const parts = { wasm: { raw: 2000, brotli: 800 }, "react.js": react };
  expect(judge(parts, budgets, ["wasm"]).wrong).toEqual([]);
  expect(judge(parts, { "react.js": react }, ["wasm"]).wrong).toHaveLength(1);
});

test("every byte of the wasm is in a section, and nearly every byte of code in a function", async () => {
  const wasm = new Uint8Array(await readFile(new URL("dist/modelport.wasm", root)));
  const { sections, functions } = anatomy(wasm, await readFile(fileURLToPath(new URL(".tools/build/functions.txt", root)), "utf8"));
  const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);
  expect(sum(Object.values(sections)) + 8).toBe(wasm.length);
  // What is left is the section's own header and the number of functions.
  expect(sections.code! - sum(functions.map(({ bytes }) => bytes))).toBeLessThan(16);
  expect(functions.filter(({ name }) => /^function \d+$/.test(name))).toEqual([]);
});

for (const [full, crate, module, name] of [
  ["modelport::core::slots::Slots<V>::take_if::h0123456789abcdef", "modelport", "modelport::core::slots", "modelport::core::slots::Slots<V>::take_if"],
  ["byn$mgfn-shared$modelport::core::code::word::h0123456789abcdef", "modelport", "modelport::core::code", "modelport::core::code::word"],
  ["<alloc::vec::Vec<T,A> as core::clone::Clone>::clone::h0123456789abcdef", "alloc", "alloc::vec", "<alloc::vec::Vec<T,A> as core::clone::Clone>::clone"],
  ["core::ptr::drop_in_place<alloc::vec::Vec<modelport::core::message::Id>>::h0123456789abcdef", "modelport", "modelport, dropping", "core::ptr::drop_in_place<alloc::vec::Vec<modelport::core::message::Id>>"],
  ["clienthandle_usePort externref shim", "modelport", "modelport::api, exported", "clienthandle_usePort"],
  ["memcpy", "compiler_builtins", "compiler_builtins", "memcpy"],
]) {
  test(`${full} has its place`, () => expect(placed(full!)).toEqual({ crate, module, name }));
}
