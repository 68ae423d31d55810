// Where a function of the wasm comes from: the crate, the module and the name, out of what the compiler calls it.

/** What a name ends in if the compiler made it: a hash, which changes with every edit. */
const hash = /::h[0-9a-f]{16}$/;
/** wasm-opt's mark on what it made of several functions that were alike. */
const merged = /^byn\$mgfn-shared\$/;
const dropped = /^core::ptr::drop_in_place<(.+)>$/;
/** Crates whose types only wrap others: what is dropped is what they hold. */
const wrappers = new Set(["core", "alloc", "std", "hashbrown", "indexmap", "wasm_bindgen"]);
/** Functions without a path that are compiler-builtins' own. */
const builtins = /^(?:mem(?:cpy|move|set|cmp)|__(?:mul|u?div|u?mod|ashl|lshr)\w*)$/;

const pathsIn = (name) => name.match(/[A-Za-z_]\w*(?:::[A-Za-z_]\w*)+/g) ?? [];

/** `{ crate, module, name }`. Dropping counts for whoever's type is dropped, as nobody else could make it less. */
export function placed(full) {
  const name = full.replace(merged, "").replace(hash, "");
  const inner = dropped.exec(name)?.[1];
  if (inner) {
    const found = pathsIn(inner);
    const owner = (found.find((path) => path.startsWith("modelport::")) ?? found.find((path) => !wrappers.has(path.split("::")[0])) ?? found[0] ?? "core").split("::")[0];
    return { crate: owner, module: `${owner}, dropping`, name };
  }
  const path = pathsIn(name)[0];
  if (path) {
    const parts = path.split("::");
    // Modules are what comes before the first type, or before the function itself.
    const type = parts.findIndex((part) => /^[A-Z]/.test(part));
    const modules = parts.slice(0, type > 0 ? type : Math.max(1, name.startsWith("<") || name.startsWith(`${path}::<`) ? parts.length : parts.length - 1));
    return { crate: parts[0], module: modules.slice(0, parts[0] === "modelport" ? 3 : 2).join("::"), name };
  }
  if (builtins.test(name)) return { crate: "compiler_builtins", module: "compiler_builtins", name };
  // What JavaScript calls: wasm-bindgen has made it, around a function of src/api that is mostly within it.
  if (/^__(?:wbindgen|externref)/.test(name)) return { crate: "wasm_bindgen", module: "wasm_bindgen, exported", name };
  return { crate: "modelport", module: "modelport::api, exported", name: name.replace(/ (?:externref|multivalue) shim$/, "") };
}

/** The same without what a generic function is made for, so that copies of one count together. */
export const generic = (name) => (dropped.test(name) ? "core::ptr::drop_in_place<…>" : name);
