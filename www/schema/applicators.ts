// Keywords that ask other schemas, about the same value or about parts of it. Each adds its tests to
// the site it stands at; a test tells its own failures.

import { aside, explain, isMarked, mark, part, quiet, quietly, within, type Node, type Test } from "./run.js";
import type { Form } from "./assertions.js";
import type { Resource } from "./resources.js";
import { has, isObject, namesOf } from "./values.js";

/** A place in a schema that is being compiled. */
export interface Site {
  schema: Record<string, any>;
  draft: number;
  /** Whether anything in the document asks what has been evaluated. */
  tracks: boolean;
  /** Adds a test. */
  add(test: Test): void;
  /** Tells a failure; always false. */
  fail(keyword: string, message: () => string): false;
  /** The value of a keyword, which must have this form. */
  read(keyword: string, form: Form): any;
  /** The node of a keyword's value, or of what a key leads to within. */
  node(keyword: string, key?: string | number): Node;
  /** The node where the reference leads, and those that take over. */
  reference(keyword: string): [Node, Map<Resource, Node>];
  /** Notes that these are asked about the very same value. */
  same(nodes: Node[]): Node[];
  pattern(pattern: string, ...keys: string[]): (text: string) => boolean;
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

const list = (site: Site, keyword: string): Node[] => (site.read(keyword, "an array of schemas") as unknown[]).map((_, index) => site.node(keyword, index));
const map = (site: Site, keyword: string): [string, Node][] => Object.keys(site.read(keyword, "an object")).map((name) => [name, site.node(keyword, name)]);
const quoted = (name: string) => JSON.stringify(name);

const missing = (site: Site, keyword: string, name: string, because = "") => site.fail(keyword, () => "must have " + quoted(name) + because);

/** `properties`, `required`, `patternProperties` and `additionalProperties` in one look at the object. */
function members(site: Site) {
  const { schema } = site;
  const given = (keyword: string) => schema[keyword] !== undefined;
  const named = new Map(given("properties") ? map(site, "properties") : []);
  const needed = new Set<string>(given("required") ? site.read("required", "an array of strings") : []);
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
      return closed ? site.fail("additionalProperties", () => "must not have " + quoted(name) + "; allowed: " + allowed()) : part(rest, value[name], name);
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
  const bound = (keyword: string, fallback: number) => (site.draft < 8 || site.schema[keyword] === undefined ? fallback : site.read(keyword, "a whole number that is not negative"));
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
const unevaluated = (keyword: string, keysOf: (value: any) => Iterable<string | number>) => (site: Site) => {
  const node = site.node(keyword);
  const closed = site.schema[keyword] === false;
  site.add((value) =>
    all(keysOf(value), (key) => {
      if (isMarked(key)) return true;
      return closed ? site.fail(keyword, () => "must not have " + (typeof key === "number" ? "an item at " + key : quoted(key)) + ", which nothing in the schema allows") : part(node, value[key], key);
    }),
  );
};

const implies = (site: Site, keyword: string, names: string[]) => {
  const schemas = names.map((name) => [name, site.node(keyword, name)] as const);
  site.same(schemas.map(([, node]) => node));
  site.add((value) => !isObject(value) || all(schemas, ([name, node]) => !has(value, name) || node.test(value)));
};
const needs = (site: Site, keyword: string, lists: [string, string[]][]) =>
  site.add((value) => !isObject(value) || all(lists, ([name, list]) => !has(value, name) || all(list, (other) => has(value, other) || missing(site, keyword, other, ", as it has " + quoted(name)))));

const refer = (keyword: string) => (site: Site) => {
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

const branches = (keyword: string) => (site: Site): [Node[], (value: unknown) => false] => {
  const nodes = site.same(list(site, keyword));
  const words = nodes.map((_, index) => site.schema[keyword][index]?.const).filter((word) => word !== undefined);
  const none = (value: unknown): false => {
    site.fail(keyword, () => (words.length === nodes.length ? "must be one of " + JSON.stringify(words).slice(0, 400) : "matches none of the " + nodes.length + " forms in " + quoted(keyword)));
    return explain(nodes, value);
  };
  return [nodes, none];
};

/** A keyword's work, and the first and the last draft that knows it. */
type Applicator = [work: (site: Site) => void, since?: number, until?: number];

export const applicators: Record<string, Applicator> = {
  $ref: [refer("$ref")],
  $dynamicRef: [refer("$dynamicRef"), 2020],
  $recursiveRef: [refer("$recursiveRef"), 2019, 2019],
  members: [members],
  items: [items],
  contains: [contains],
  propertyNames: [(site) => {
    const node = site.node("propertyNames");
    site.add((value) => !isObject(value) || all(namesOf(value), (name) => aside(node, name) || site.fail("propertyNames", () => "must not have " + quoted(name) + ", which is no allowed name")));
  }],
  dependentRequired: [(site) => {
    const given = Object.keys(site.read("dependentRequired", "an object"));
    needs(site, "dependentRequired", given.map((name) => [name, site.schema["dependentRequired"][name]]));
  }, 2019],
  dependentSchemas: [(site) => implies(site, "dependentSchemas", Object.keys(site.read("dependentSchemas", "an object"))), 2019],
  dependencies: [(site) => {
    const given: Record<string, unknown> = site.read("dependencies", "an object");
    const [lists, schemas] = [true, false].map((wanted) => Object.keys(given).filter((name) => Array.isArray(given[name]) === wanted)) as [string[], string[]];
    needs(site, "dependencies", lists.map((name) => [name, given[name] as string[]]));
    implies(site, "dependencies", schemas);
  }, 7, 2019],
  allOf: [(site) => {
    const nodes = site.same(list(site, "allOf"));
    site.add((value) => all(nodes, (node) => node.test(value)));
  }],
  anyOf: [(site) => {
    const [nodes, none] = branches("anyOf")(site);
    site.add((value) => {
      let valid = false;
      // All that match say what has been evaluated.
      for (const node of nodes) if (quietly(node, value) && ((valid = true), !site.tracks)) break;
      return valid || none(value);
    });
  }],
  oneOf: [(site) => {
    const [nodes, none] = branches("oneOf")(site);
    site.add((value) => {
      let first = -1;
      for (let index = 0; index < nodes.length; index++) {
        if (!quietly(nodes[index]!, value)) continue;
        if (first >= 0) return site.fail("oneOf", () => "must match exactly one form, but number " + first + " and number " + index + " of \"oneOf\" both match");
        first = index;
      }
      return first >= 0 || none(value);
    });
  }],
  not: [(site) => {
    const [node] = site.same([site.node("not")]) as [Node];
    site.add((value) => !aside(node, value) || site.fail("not", () => "must not have the form in \"not\""));
  }],
  if: [(site) => {
    const [node] = site.same([site.node("if")]) as [Node];
    const [then, other] = ["then", "else"].map((keyword) => (site.schema[keyword] === undefined ? undefined : site.node(keyword)));
    site.add((value) => (quietly(node, value) ? then : other)?.test(value) ?? true);
  }],
  unevaluatedItems: [unevaluated("unevaluatedItems", (value) => (Array.isArray(value) ? value.keys() : [])), 2019],
  unevaluatedProperties: [unevaluated("unevaluatedProperties", (value) => (isObject(value) ? namesOf(value) : [])), 2019],
};
