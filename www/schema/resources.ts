// Which schema resources a document holds (`$id`), what places in them are called, and where a
// reference leads. Nothing is fetched.

import { applicators, lookedAtBy } from "./applicators.js";
import { limits } from "./limits.js";
import { escaped, tooDeep } from "./run.js";

/** A schema that cannot be used: where, and why. */
export interface SchemaProblem {
  /** The JSON Pointer of the place in the schema. */
  pointer: string;
  reason: string;
  /** It has no form in JSON: nobody was ever shown it. */
  unwritten?: boolean;
}

export type Schema = Record<string, any>;

/** Ends a compilation. */
export const refuse = (pointer: string, reason: string): never => {
  throw { pointer, reason } satisfies SchemaProblem;
};

/** A schema with a URI of its own, and the places in it that have names. */
export interface Resource {
  uri: string;
  root: Schema;
  /** 7, 2019 or 2020. */
  draft: number;
  anchors: Map<string, Schema>;
  /** Those that an outer resource may take over. */
  dynamic: Map<string, Schema>;
}

interface Place {
  at: string;
  resource: Resource;
}

export interface Target {
  schema: any;
  at: string;
  /** The places that take over, by their resource, if the target's name can be taken. */
  instead: [Resource, Schema][];
}

/** Keywords that hold schemas by name, and those that hold one or a list and do not ask it. */
const maps = /^(\$defs|definitions|dependencies|dependentSchemas|patternProperties|properties)$/;
const others = /^(contentSchema|else|then)$/;
const drafts: Record<string, number> = { "-07": 7, "/2019-09": 2019, "/2020-12": 2020 };

/** What a schema without `$id` is relative to; its own `$ref`s may be relative, too. */
const nowhere = "file:///";

/** What a function makes of a text, or the text where it cannot. */
const tried = (make: (text: string) => string, text: string) => {
  try {
    return make(text);
  } catch {
    return text;
  }
};
const resolved = (uri: string, base: string) => tried((own) => new URL(own, base).href, uri);

/** `$ref` silences what stands beside it in draft-07. */
export const isAlone = (schema: Schema, draft: number) => draft < 8 && typeof schema["$ref"] === "string";

export const resourcesOf = (root: Schema) => {
  const all: Resource[] = [];
  const places = new Map<Schema, Place>();

  const text = (schema: Schema, keyword: string, at: string): string | undefined => {
    const value = schema[keyword];
    return value === undefined || typeof value === "string" ? value : refuse(at + "/" + keyword, "must be a string");
  };

  const scan = (schema: any, at: string, outer: Resource | undefined, level: number): void => {
    if (typeof schema !== "object" || schema === null || places.has(schema)) return;
    if (level > limits.nesting) refuse(at, tooDeep);
    let resource = outer;
    const dialect = !outer || schema.$id ? text(schema, "$schema", at) : undefined;
    let draft = outer?.draft ?? 2020;
    if (dialect) draft = drafts[/^https?:\/\/json-schema\.org\/draft(-07|\/20(?:19-09|20-12))\/schema#?$/.exec(dialect)?.[1]!] ?? refuse(at + "/$schema", "unknown dialect: " + dialect);
    const alone = isAlone(schema, draft);
    const [id, name] = ((!alone && text(schema, "$id", at)) || "").split("#") as [string, string?];
    if (!outer || id) all.push((resource = { uri: resolved(id, outer?.uri ?? nowhere), root: schema, draft, anchors: new Map(), dynamic: new Map() }));
    places.set(schema, { at, resource: resource! });
    const { anchors, dynamic } = resource!;
    if (name) draft < 8 ? anchors.set(name, schema) : refuse(at + "/$id", "must have no fragment");
    if (draft > 8) {
      const anchor = text(schema, "$anchor", at);
      if (anchor) anchors.set(anchor, schema);
      const taken = draft > 2019 ? text(schema, "$dynamicAnchor", at) : schema["$recursiveAnchor"] === true ? "" : undefined;
      if (taken !== undefined) anchors.set(taken, schema), dynamic.set(taken, schema);
    }
    for (const keyword in schema) {
      const inner = schema[keyword];
      const named = maps.test(keyword);
      if ((alone && keyword !== "definitions") || !(named || keyword in applicators || keyword in lookedAtBy || others.test(keyword))) continue;
      const here = at + escaped(keyword);
      if (named || Array.isArray(inner)) for (const key in inner) scan(inner[key], here + escaped(key), resource, level + 1);
      else scan(inner, here, resource, level + 1);
    }
  };

  scan(root, "", undefined, 0);

  return {
    placeOf: (schema: Schema) => places.get(schema)!,

    /** Where the reference leads that stands at `at` in a resource. */
    target(reference: unknown, at: string, own: Resource): Target {
      if (typeof reference !== "string") return refuse(at, "must be a string");
      const [, uri, rest] = /^([^#]*)#?([^]*)$/.exec(reference) as unknown as [string, string, string];
      const fragment = tried(decodeURIComponent, rest);
      const wanted = resolved(uri, own.uri);
      let resource = uri ? all.find((one) => one.uri === wanted) ?? refuse(at, "is in another document, and none is fetched: " + reference) : own;
      const lost = () => refuse(at, "leads nowhere: " + reference);
      let schema: any = resource.root;
      let place = places.get(schema)!.at;
      if (fragment[0] === "/") {
        for (const step of fragment.slice(1).split("/")) {
          const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
          if (typeof schema !== "object" || schema === null || !Object.hasOwn(schema, key) || (Array.isArray(schema) && key === "length")) lost();
          schema = schema[key];
          place += escaped(key);
          resource = places.get(schema)?.resource ?? resource;
        }
        // Only this reference may take it for a schema.
        scan(schema, place, resource, 0);
      } else if (fragment) {
        schema = resource.anchors.get(fragment) ?? lost();
        place = places.get(schema)!.at;
      }
      const taken = resource.dynamic.has(fragment) ? all.filter((one) => one.dynamic.has(fragment)) : [];
      return { schema, at: place, instead: taken.map((one) => [one, one.dynamic.get(fragment)!]) };
    },
  };
};
