// Reads the built type declarations: every exported name of an entry, its members, and what is said about them.

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "@babel/parser";

/** What a comment in front of a declaration says, without its stars. */
const said = (node) => {
  const comment = node.leadingComments?.filter(({ type, value }) => type === "CommentBlock" && value.startsWith("*")).at(-1);
  return comment ? comment.value.replace(/^\*/, "").replace(/^[ \t]*\* ?/gm, "").trim() : "";
};

/** A module of declarations: what it declares, by local name, and what it exports, from wherever. */
function moduleOf(file, cache) {
  if (cache.has(file)) return cache.get(file);
  const source = readFileSync(file, "utf8");
  const declared = new Map();
  const exported = new Map();
  const imported = new Map();
  const all = [];
  cache.set(file, { declared, exported, imported, all });
  const beside = ({ value }) => join(dirname(file), value.replace(/\.js$/, ".d.ts"));
  const declare = (node, outer) => {
    const names = node.id ? [node.id.name] : (node.declarations ?? []).map(({ id }) => id.name);
    for (const name of names) {
      const before = declared.get(name) ?? [];
      declared.set(name, [...before, { node, source, doc: said(outer) || said(node), file }]);
    }
    return names;
  };
  const text = parse(source, { sourceType: "module", plugins: [["typescript", { dts: true }]] });
  for (const node of text.program.body) {
    if (node.type === "ExportAllDeclaration") all.push(beside(node.source));
    else if (node.type === "ImportDeclaration") for (const { imported: from, local } of node.specifiers) from && imported.set(local.name, [beside(node.source), from.name]);
    else if (node.type !== "ExportNamedDeclaration") declare(node, node);
    else if (node.declaration) for (const name of declare(node.declaration, node)) exported.set(name, [file, name]);
    else for (const { local, exported: to } of node.specifiers) exported.set(to.name, [node.source ? beside(node.source) : file, local.name]);
  }
  return cache.get(file);
}

/** Follows a name from module to module to where it is declared. */
function find(file, name, cache) {
  const { declared, exported, imported, all } = moduleOf(file, cache);
  if (declared.has(name)) return declared.get(name);
  const [here, as] = exported.get(name) ?? [file, name];
  const [next, there] = here === file ? (imported.get(as) ?? []) : [here, as];
  if (next) return find(next, there, cache);
  if (declared.has(as)) return declared.get(as);
  for (const other of all) {
    const found = exportsOf(other, cache).includes(name) ? find(other, name, cache) : undefined;
    if (found) return found;
  }
  return undefined;
}

const exportsOf = (file, cache) => {
  const { exported, all } = moduleOf(file, cache);
  return [...new Set([...exported.keys(), ...all.flatMap((other) => exportsOf(other, cache))])];
};

/** A declaration without its comments, by two spaces a level; `within` is how deep it lies itself. */
const cut = (source, node, within = 0) =>
  source
    .slice(node.start, node.end)
    .replace(/\/\*\*[^]*?\*\/\s*/g, "")
    .replace(/^export /, "")
    .replace(/^declare /, "")
    .replace(/\n( +)/g, (_, { length }) => `\n${" ".repeat(Math.max(0, length - within) / 2)}`);

const kinds = { ClassDeclaration: "class", TSInterfaceDeclaration: "interface", TSTypeAliasDeclaration: "type", TSDeclareFunction: "function", VariableDeclaration: "const" };

/** A member's name as one writes it; nothing for what is not for users. */
function memberName({ key, type, computed, kind }) {
  if (type === "TSIndexSignature") return "[key]";
  if (type === "TSCallSignatureDeclaration") return "()";
  if (kind === "constructor") return "constructor";
  if (!key || type === "ClassPrivateProperty" || key.type === "PrivateName") return undefined;
  if (computed) return `[${key.object?.name}.${key.property?.name}]`;
  return key.name ?? key.value;
}

/** The members of a class or interface, and those of a base that users cannot name. */
function membersOf({ node, source, file }, isExported, cache) {
  const members = [];
  for (const member of node.body?.body ?? []) {
    const name = memberName(member);
    const doc = said(member);
    if (name === undefined || member.accessibility === "private" || member.accessibility === "protected" || doc.includes("@internal")) continue;
    const signature = cut(source, member, 4).replace(/;$/, "");
    const same = members.at(-1)?.name === name && members.at(-1);
    if (same) Object.assign(same, { signature: `${same.signature}\n${signature}`, doc: [same.doc, doc].filter(Boolean).join("\n\n") });
    else members.push({ name, signature, doc });
  }
  const base = node.superClass?.name;
  if (base && !isExported(base)) {
    const [above] = find(file, base, cache) ?? [];
    if (above) for (const member of membersOf(above, isExported, cache)) if (!members.some(({ name }) => name === member.name)) members.push(member);
  }
  return members;
}

/** Every export of an entry: `[{ name, kind, doc, signature, members: [{ name, signature, doc }] }]`. */
export function readEntry(file, cache = new Map()) {
  const names = exportsOf(file, cache);
  const isExported = (name) => names.includes(name);
  return names.map((name) => {
    const found = find(file, name, cache);
    if (!found) throw new Error(`${file} exports ${name}, which is declared nowhere.`);
    const [{ node, source }] = found;
    const kind = kinds[node.type] ?? "const";
    const doc = found.map((one) => one.doc).filter(Boolean).join("\n\n");
    const members = kind === "class" || kind === "interface" ? membersOf(found[0], isExported, cache) : [];
    const head = node.body && members.length ? source.slice(node.start, node.body.start).replace(/^export /, "").replace(/^declare /, "").trim() : undefined;
    return { name, kind, doc, members, signature: head ?? found.map((one) => cut(one.source, one.node)).join("\n") };
  });
}
