// A schema as closures. All of it that can be reached is compiled at once, so that what is wrong with
// it is told then: no reference dangles and no pattern fails to compile while values are checked.

import { applicators, lookedAtBy, type Site } from "./applicators.js";
import { assertions, is, sentence } from "./assertions.js";
import { limits } from "./limits.js";
import { allow, compilePattern } from "./pattern.js";
import { isAlone, refuse, resourcesOf, type Resource, type Schema, type SchemaProblem } from "./resources.js";
import { counted, escaped, fail, never, quiet, scoped, tooDeep, type Key, type Node, type Test } from "./run.js";
import { isObject, show } from "./values.js";

/** The root of a compiled schema, or what is wrong with it. */
export type Compiled = { node: Node; problem?: undefined } | { problem: SchemaProblem };

function build(text: string, trusted: boolean): Node {
  const root = JSON.parse(text);
  const tracks = /"unevaluated/.test(text);
  const scopes = tracks || /"\$(?:dynamic|recursive)Ref/.test(text);
  const { placeOf, target } = resourcesOf(root);
  const nodes = new Map<unknown, Node>();
  const left: [Schema, Node][] = [];
  const patterns = new Map<string, (text: string) => boolean>();
  allow();

  const nodeOf = (schema: any, at: string): Node => {
    const known = nodes.get(schema);
    if (known) return known;
    const node: Node = { at, same: [], test: schema === false ? () => fail(at, never, () => "must not be there") : () => true };
    if (typeof schema === "boolean") return node;
    if (!isObject(schema)) refuse(at, "a schema must be an object or a boolean");
    nodes.set(schema, node);
    left.push([schema, node]);
    return node;
  };

  const compile = (schema: Schema, node: Node) => {
    const { at, resource } = placeOf(schema);
    const { draft } = resource;
    const tests: Test[] = [];
    const tells: (((value: unknown) => void) | undefined)[] = [];
    let asks = 0;
    /** What keys lead to within this schema, and where that is. */
    const look = (keys: Key[]) => keys.reduce(([value, here], key): [any, string] => [value[key], here + escaped(key)], [schema, at] as [any, string]);
    const site: Site = {
      schema,
      draft,
      tracks,
      add: (test, tell) => void (tells[tests.push(test) - 1] = tell),
      fail: (keyword, message) => fail(at, keyword, message),
      read(form, ...keys) {
        const [value, here] = look(keys);
        if (!is[form](value)) refuse(here, "must be " + form + ", not " + show(value));
        return value;
      },
      node(...keys) {
        asks++;
        return nodeOf(...look(keys));
      },
      reference(keyword) {
        asks++;
        const found = target(...look([keyword]), resource);
        const instead = found.instead.map(([own, taken]): [Resource, Node] => [own, nodeOf(taken, placeOf(taken).at)]);
        return [nodeOf(found.schema, found.at), new Map(instead)];
      },
      same: (others) => (node.same.push(...others), others),
      pattern(pattern, ...keys) {
        try {
          if (!patterns.has(pattern)) patterns.set(pattern, compilePattern(pattern, trusted));
        } catch (reason) {
          refuse(look(keys)[1], String(reason));
        }
        return patterns.get(pattern)!;
      },
    };
    const alone = isAlone(schema, draft);
    const given = new Set(alone ? ["$ref"] : Object.keys(schema).map((keyword) => lookedAtBy[keyword] ?? keyword));
    // The type goes first, as no other failure explains more; what is left over can be told only at the end.
    for (const keyword in assertions) {
      if (!given.has(keyword)) continue;
      const [form, rule] = assertions[keyword]!;
      const [test, must] = rule(form ? site.read(form, keyword) : schema[keyword], site);
      site.add(test, (value) => fail(at, keyword, () => sentence(must, value)));
    }
    let early = Infinity;
    for (const keyword in applicators) {
      const [work, since = 7, until = 2020] = applicators[keyword]!;
      if (!given.has(keyword) || draft < since || draft > until) continue;
      if (keyword.startsWith("unevaluated")) early = Math.min(early, tests.length);
      work(site, keyword);
    }
    const run: Test = (value) => {
      let valid = true;
      for (let index = 0; index < tests.length; index++) {
        // What is left over says nothing once something else is wrong.
        if (!valid && index >= early) break;
        if (tests[index]!(value)) continue;
        if (quiet()) return false;
        valid = false;
        tells[index]?.(value);
      }
      return valid;
    };
    const deep = asks ? counted(run, tests.length + asks) : run;
    node.test = scopes ? scoped(deep, resource) : deep;
  };

  const start = nodeOf(root, "");
  for (let next; (next = left.pop()); ) compile(...next);

  // A schema that asks itself about the very same value could not be finished with any.
  const done = new Map<Node, boolean>();
  const follow = (node: Node, level: number) => {
    if (done.get(node)) return;
    if (done.has(node)) refuse(node.at, "refers to itself without going deeper into the value");
    if (level > limits.depth) refuse(node.at, tooDeep);
    done.set(node, false);
    for (const other of node.same) follow(other, level + 1);
    done.set(node, true);
  };
  for (const node of nodes.values()) follow(node, 0);
  return start;
}

const caches = [new WeakMap<object, Compiled>(), new WeakMap<object, Compiled>()] as const;

/** A schema, compiled at its first use. Later changes of the object are not seen. */
export function compiled(schema: object, trusted: boolean): Compiled {
  const cache = caches[+trusted]!;
  let known = cache.get(schema);
  if (!known) {
    let text: string | undefined;
    try {
      known = { node: build((text = JSON.stringify(schema)), trusted) };
    } catch (thrown: any) {
      const reason = thrown instanceof RangeError ? tooDeep : String(thrown?.message ?? thrown);
      known = { problem: thrown?.reason ? thrown : { pointer: "", reason, unwritten: !text } };
    }
    cache.set(schema, known);
  }
  return known;
}
