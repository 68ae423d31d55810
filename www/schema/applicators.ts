// Keywords that ask other schemas, about the same value or about parts of it. Each adds its tests to
// the site it stands at; a test tells its own failures.

import { aside, explain, isMarked, mark, part, quiet, quietly, within, type Key, type Node, type Test } from "./run.js";
import type { Form } from "./assertions.js";
import type { Resource } from "./resources.js";
import { has, isObject, namesOf } from "./values.js";

/** A place in a schema that is being compiled. */
export interface Site {
  schema: Record<string, any>;
  draft: number;
  /** Whether anything in the document asks what has been evaluated. */
  tracks: boolean;
  /** Adds a test, and what tells its failure if it does not do so itself. */
  add(test: Test, tell?: (value: unknown) => void): void;
  /** Tells a failure; always false. */
  fail(keyword: string, message: () => string): false;
  /** What a keyword, and keys within its value, lead to; it must have this form. */
  read(form: Form, ...keys: Key[]): any;
  /** The node of what they lead to. */
  node(...keys: Key[]): Node;
  /** The node where the reference leads, and those that take over. */
  reference(keyword: string): [Node, Map<Resource, Node>];
  /** Notes that these are asked about the very same value. */
  same(nodes: Node[]): Node[];
  pattern(pattern: string, ...keys: Key[]): (text: string) => boolean;
}

/** Whether all hold; without a listener the first that does not ends it. */
const all = <T>(list: Iterable<T>, holds: (one: T) => boolean): boolean => {
  let valid = true;
  for (const one of list) {
    if (!holds(one)) {
      if (quiet()) return false;
      valid = false;
    }
  }
  return valid;
};

const list = (site: Site, keyword: string): Node[] => (site.read("an array of schemas", keyword) as unknown[]).map((_, index) => site.node(keyword, index));
const map = (site: Site, keyword: string): [string, Node][] => Object.keys(site.read("an object", keyword)).map((name) => [name, site.node(keyword, name)]);
const quoted = (name: string) => JSON.stringify(name);
const mustNot = "must not have ";

const missing = (site: Site, keyword: string, name: string, because = "") => site.fail(keyword, () => "must have " + quoted(name) + because);

/** `properties`, `required`, `patternProperties` and `additionalProperties` in one look at the object. */
function members(site: Site) {
  const { schema } = site;
  const given = (keyword: string) => schema[keyword] !== undefined;
  const named = new Map(given("properties") ? map(site, "properties") : []);
  const needed = new Set<string>(given("required") ? site.read("an array of strings", "required") : []);
  const looks = [...new Set([...named.keys(), ...needed])].map((name) => ({ name, node: named.get(name), needed: needed.has(name), odd: name in Object.prototype }));
  const matching = given("patternProperties") ? map(site, "patternProperties").map(([name, node]) => ({ node, matches: site.pattern(name, "patternProperties", name) })) : [];
  const rest = given("additionalProperties") ? site.node("additionalProperties") : undefined;
  const closed = schema["additionalProperties"] === false;
  const allowed = () => [...named.keys()].slice(0, 20).map(quoted).join(", ") + (named.size > 20 ? ", …" : "");

  const others = (value: any, names: string[]) =>
    all(names, (name) => {
      let known = named.has(name);
      const valid = all(matching, ({ node, matches }) => !matches(name) || ((known = true), part(node, value[name], name)));
      if (known || !rest) return valid;
      return closed ? site.fail("additionalProperties", () => mustNot + quoted(name) + "; allowed: " + allowed()) : part(rest, value[name], name);
    });

  site.add((value) => {
    if (!isObject(value)) return true;
    let valid = true;
    let found = 0;
    for (let index = 0; index < looks.length; index++) {
      const { name, node, needed, odd } = looks[index]!;
      if (value[name] !== undefined && (!odd || has(value, name, odd))) {
        if (!node || (found++, part(node, value[name], name))) continue;
      } else if (!needed || missing(site, "required", name)) continue;
      if (quiet()) return false;
      valid = false;
    }
    if (!rest && !matching.length) return valid;
    const names = namesOf(value);
    return ((closed && !matching.length && names.length === found) || others(value, names)) && valid;
  });
}

/** `prefixItems` and `items`, by whatever names the draft knows them. */
function items(site: Site) {
  const { schema, draft } = site;
  const old = draft < 2020 && Array.isArray(schema["items"]);
  const first = old ? (schema["items"] as unknown[]).map((_, index) => site.node("items", index)) : draft > 2019 && schema["prefixItems"] !== undefined ? list(site, "prefixItems") : [];
  const keyword = old ? "additionalItems" : "items";
  const rest = schema[keyword] === undefined ? undefined : site.node(keyword);
  const closed = schema[keyword] === false;
  site.add((value) => {
    if (!Array.isArray(value)) return true;
    let valid = true;
    const end = rest && !closed ? value.length : Math.min(value.length, first.length);
    for (let index = 0; index < end; index++) {
      if (part(index < first.length ? first[index]! : rest!, value[index], index)) continue;
      if (quiet()) return false;
      valid = false;
    }
    return closed && value.length > end ? site.fail(keyword, () => "must have at most " + end + " items, but has " + value.length) : valid;
  });
}

function contains(site: Site) {
  const node = site.node("contains");
  const bound = (keyword: string, fallback: number) => (site.draft < 8 || site.schema[keyword] === undefined ? fallback : site.read("a whole number that is not negative", keyword));
  const least = bound("minContains", 1);
  const most = bound("maxContains", Infinity);
  site.add((value) => {
    if (!Array.isArray(value)) return true;
    let count = 0;
    value.forEach((item, index) => {
      if (!aside(node, item)) return;
      count++;
      if (site.draft > 2019) mark(index);
    });
    const told = (keyword: string, words: string) => site.fail(keyword, () => "must have at " + words + " items of the form in \"contains\", but has " + count);
    if (count < least) return told(least === 1 ? "contains" : "minContains", "least " + least);
    return count <= most || told("maxContains", "most " + most);
  });
}

/** Members or items that nothing beside or below has evaluated. */
const unevaluated = (keysOf: (value: any) => Iterable<string | number>) => (site: Site, keyword: string) => {
  const node = site.node(keyword);
  const closed = site.schema[keyword] === false;
  site.add((value) =>
    all(keysOf(value), (key) => {
      if (isMarked(key)) return true;
      return closed ? site.fail(keyword, () => mustNot + (typeof key === "number" ? "an item at " + key : quoted(key))) : part(node, value[key], key);
    }),
  );
};

const implies = (site: Site, keyword: string, names: string[]) => {
  const schemas = names.map((name) => [name, site.node(keyword, name)] as const);
  site.same(schemas.map(([, node]) => node));
  site.add((value) => !isObject(value) || all(schemas, ([name, node]) => !has(value, name) || node.test(value)));
};
const needs = (site: Site, keyword: string, names: string[]) => {
  const lists = names.map((name): [string, string[]] => [name, site.read("an array of strings", keyword, name)]);
  site.add((value) => !isObject(value) || all(lists, ([name, list]) => !has(value, name) || all(list, (other) => has(value, other) || missing(site, keyword, other, ", as it has " + quoted(name)))));
};
/** Names that ask for other names, and names that ask for a schema: `dependencies` has both. */
const depend = (listed: boolean, also: boolean) => (site: Site, keyword: string) => {
  const given = site.read("an object", keyword);
  const isListed = (name: string) => (also ? Array.isArray(given[name]) : listed);
  const names = Object.keys(given);
  needs(site, keyword, names.filter(isListed));
  implies(site, keyword, names.filter((name) => !isListed(name)));
};

const refer = (site: Site, keyword: string) => {
  const [node, instead] = site.reference(keyword);
  if (keyword === "$ref") {
    site.same([node]);
    site.add((value) => node.test(value));
  } else {
    site.add((value) => {
      const resource = within().find((one) => instead.has(one as Resource));
      return (resource ? instead.get(resource as Resource)! : node).test(value);
    });
  }
};

const branches = (site: Site, keyword: string): [Node[], (value: unknown) => false] => {
  const nodes = site.same(list(site, keyword));
  const words = nodes.map((_, index) => site.schema[keyword][index]?.const).filter((word) => word !== undefined);
  const none = (value: unknown): false => {
    site.fail(keyword, () => (words.length === nodes.length ? "must be one of " + JSON.stringify(words).slice(0, 400) : "matches none of the " + nodes.length + " forms in " + quoted(keyword)));
    return explain(nodes, value);
  };
  return [nodes, none];
};

/** A keyword's work, and the first and the last draft that knows it. */
type Applicator = [work: (site: Site, keyword: string) => void, since?: number, until?: number];

export const applicators: Record<string, Applicator> = {
  $ref: [refer],
  $dynamicRef: [refer, 2020],
  $recursiveRef: [refer, 2019, 2019],
  properties: [members],
  items: [items],
  contains: [contains],
  propertyNames: [(site, keyword) => {
    const node = site.node(keyword);
    site.add((value) => !isObject(value) || all(namesOf(value), (name) => aside(node, name) || site.fail(keyword, () => mustNot + quoted(name))));
  }],
  dependentRequired: [depend(true, false), 2019],
  dependentSchemas: [depend(false, false), 2019],
  dependencies: [depend(false, true), 7, 2019],
  allOf: [(site, keyword) => {
    const nodes = site.same(list(site, keyword));
    site.add((value) => all(nodes, (node) => node.test(value)));
  }],
  anyOf: [(site, keyword) => {
    const [nodes, none] = branches(site, keyword);
    site.add((value) => {
      let valid = false;
      // All that match say what has been evaluated.
      for (const node of nodes) if (quietly(node, value) && ((valid = true), !site.tracks)) break;
      return valid || none(value);
    });
  }],
  oneOf: [(site, keyword) => {
    const [nodes, none] = branches(site, keyword);
    site.add((value) => {
      const matching: number[] = [];
      for (let index = 0; index < nodes.length && matching.length < 2; index++) if (quietly(nodes[index]!, value)) matching.push(index);
      return matching.length === 1 || (matching.length ? site.fail(keyword, () => "must match exactly one form in " + quoted(keyword) + ", but matches number " + matching.join(" and number ")) : none(value));
    });
  }],
  not: [(site, keyword) => {
    const [node] = site.same([site.node(keyword)]) as [Node];
    site.add((value) => !aside(node, value) || site.fail(keyword, () => mustNot + "the form in " + quoted(keyword)));
  }],
  if: [(site, keyword) => {
    const [node] = site.same([site.node(keyword)]) as [Node];
    const [then, other] = ["then", "else"].map((keyword) => (site.schema[keyword] === undefined ? undefined : site.node(keyword)));
    site.add((value) => (quietly(node, value) ? then : other)?.test(value) ?? true);
  }],
  unevaluatedItems: [unevaluated((value) => (Array.isArray(value) ? value.keys() : [])), 2019],
  unevaluatedProperties: [unevaluated((value) => (isObject(value) ? namesOf(value) : [])), 2019],
};

/** Keywords that another looks at. */
export const lookedAtBy: Record<string, string> = { required: "properties", patternProperties: "properties", additionalProperties: "properties", prefixItems: "items", additionalItems: "" };
