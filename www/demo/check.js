// Checks a tool's arguments against its schema, and says in words a person or a model can act on what is wrong.
// It knows the part of JSON Schema that the tools of this page use.

/** Returns the arguments with defaults filled in, or throws an Error that names every problem. */
export function check(schema, args) {
  const problems = [];
  const checked = checkValue(schema, args ?? {}, "", problems);
  if (problems.length > 0) throw new Error(problems.join(" "));
  return checked;
}

function checkValue(schema, value, path, problems) {
  const name = path || "The input";
  if (!hasType(schema.type, value)) {
    problems.push(`${name} must be ${describeExpected(schema)}, not ${show(value)}.`);
    return value;
  }
  if (schema.enum && !schema.enum.includes(value)) {
    problems.push(`${name} must be ${describeExpected(schema)}, not ${show(value)}.`);
  }
  const outside = value < schema.minimum || value > schema.maximum;
  const unfit = typeof value === "string" && schema.pattern && !new RegExp(schema.pattern, "u").test(value);
  const length = typeof value === "string" || Array.isArray(value) ? value.length : 0;
  const shortest = schema.minLength ?? schema.minItems ?? 0;
  const longest = schema.maxLength ?? schema.maxItems ?? Infinity;
  if (outside || unfit || length < shortest || length > longest) {
    problems.push(`${name} must be ${describeExpected(schema)}, not ${show(value)}.`);
  }
  if (Array.isArray(value)) return checkItems(schema, value, path, problems);
  if (schema.type === "object") return checkMembers(schema, value, path, problems);
  return value;
}

function checkItems(schema, value, path, problems) {
  if (schema.uniqueItems && new Set(value).size < value.length) {
    problems.push(`${path} must not name the same thing twice.`);
  }
  return value.map((item, index) => checkValue(schema.items, item, `${path}[${index}]`, problems));
}

function checkMembers(schema, value, path, problems) {
  const prefix = path ? `${path}.` : "";
  const properties = schema.properties ?? {};
  for (const unknown of Object.keys(value).filter((key) => !Object.hasOwn(properties, key))) {
    const known = Object.keys(properties);
    problems.push(`${prefix}${unknown} is not known here; ${known.length > 0 ? `use ${known.join(", ")}` : "this takes no arguments"}.`);
  }
  const checked = {};
  for (const [key, property] of Object.entries(properties)) {
    const given = value[key] ?? property.default;
    if (given !== undefined) {
      checked[key] = checkValue(property, given, prefix + key, problems);
    } else if (schema.required?.includes(key)) {
      problems.push(`${prefix}${key} is missing: ${describeExpected(property)}.`);
    }
  }
  return checked;
}

function hasType(type, value) {
  switch (type) {
    case "integer": return Number.isInteger(value);
    case "number": return Number.isFinite(value);
    case "array": return Array.isArray(value);
    case "object": return typeof value === "object" && value !== null && !Array.isArray(value);
    default: return typeof value === type;
  }
}

/** What a schema asks for, in words: "a whole number from 1 to 8". */
function describeExpected(schema) {
  if (schema.enum) return `one of ${schema.enum.join(", ")}`;
  switch (schema.type) {
    case "integer":
    case "number": {
      const kind = schema.type === "integer" ? "a whole number" : "a number";
      if (schema.maximum === undefined) return schema.minimum === undefined ? kind : `${kind} of at least ${schema.minimum}`;
      return `${kind} from ${schema.minimum} to ${schema.maximum}`;
    }
    case "string": {
      const example = schema.examples ? ` such as ${schema.examples[0]}` : "";
      return schema.maxLength ? `${schema.minLength ?? 0} to ${schema.maxLength} characters${example}` : `a text${example}`;
    }
    case "array": {
      const range = schema.maxItems ? `${schema.minItems ?? 0} to ${schema.maxItems} of: ` : "";
      return `a list, ${range}${describeExpected(schema.items)}`;
    }
    case "boolean": return "true or false";
    default: return `an object with ${Object.keys(schema.properties ?? {}).join(", ") || "nothing in it"}`;
  }
}

function show(value) {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
