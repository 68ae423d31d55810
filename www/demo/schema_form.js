// A form made from a tool's input schema. It lets wrong values through on purpose, to see what a tool says to them;
// only JSON that cannot be read is refused here.

import { h, prettyJson } from "./dom.js";

/** Fills `root` with fields for the schema and returns `read()`, which gives the arguments or throws a FieldError. */
export function buildSchemaForm(root, schema) {
  const required = new Set(schema?.required ?? []);
  const fields = Object.entries(schema?.properties ?? {}).map(([name, property], index) =>
    buildField(name, property, required.has(name), `field-${index}`));
  root.replaceChildren(...(fields.length > 0
    ? fields.map((field) => field.element)
    : [h("p", { class: "hint" }, "This tool takes no arguments.")]));
  return {
    read() {
      const args = {};
      for (const { name, read } of fields) {
        const value = read();
        if (value !== undefined) args[name] = value;
      }
      return args;
    },
  };
}

/** Text in a field that cannot become a value; `field` is the element to go to. */
export class FieldError extends Error {
  constructor(message, field) {
    super(message);
    this.field = field;
  }
}

function buildField(name, schema, isRequired, id) {
  const initial = schema.default ?? (isRequired ? schema.examples?.[0] : undefined);
  const hintId = `${id}-hint`;
  const control = controlFor(schema, initial, isRequired, { id, "data-field": name, "aria-describedby": hintId });
  const hint = h("span", { class: "hint", id: hintId }, describeSchema(schema));
  const label = [h("code", {}, name), isRequired && h("span", { class: "required" }, "required")];
  const element = control.isGroup
    ? h("fieldset", { class: "field", "aria-describedby": hintId }, h("legend", {}, label), control.element, hint)
    : h("div", { class: control.isInline ? "field field-inline" : "field" }, h("label", { for: id }, label), control.element, hint);
  return { name, element, read: () => control.read(name) };
}

function controlFor(schema, initial, isRequired, attributes) {
  if (schema.enum) return selectControl(schema, initial, isRequired, attributes);
  switch (schema.type) {
    case "boolean": return booleanControl(schema, initial, isRequired, attributes);
    case "integer":
    case "number": return numberControl(schema, initial, attributes);
    case "string": return textControl(schema, initial, attributes);
    case "array":
      if (schema.items?.enum) return checkboxesControl(schema, initial, attributes);
      if (["string", "integer", "number"].includes(schema.items?.type)) return listControl(schema, initial, attributes);
      return jsonControl(initial, attributes);
    default: return jsonControl(initial, attributes);
  }
}

function selectControl(schema, initial, isRequired, attributes) {
  const element = h("select", attributes,
    !isRequired && h("option", { value: "" }, "(not given)"),
    schema.enum.map((choice, index) => h("option", { value: index, selected: choice === initial }, String(choice))));
  return { element, read: () => (element.value === "" ? undefined : schema.enum[element.value]) };
}

function booleanControl(schema, initial, isRequired, attributes) {
  const element = h("input", { ...attributes, type: "checkbox", checked: initial === true });
  const omitted = schema.default ?? false;
  return { element, isInline: true, read: () => (isRequired || element.checked !== omitted ? element.checked : undefined) };
}

function numberControl(schema, initial, attributes) {
  const element = h("input", {
    ...attributes, type: "number", min: schema.minimum, max: schema.maximum, value: initial,
    step: schema.multipleOf ?? (schema.type === "integer" ? 1 : "any"), inputmode: schema.type === "integer" ? "numeric" : "decimal",
  });
  return { element, read: () => (element.value === "" ? undefined : Number(element.value)) };
}

function textControl(schema, initial, attributes) {
  const placeholder = schema.examples ? `such as ${schema.examples[0]}` : undefined;
  const element = h("input", { ...attributes, type: "text", value: initial, placeholder, autocomplete: "off", spellcheck: "false" });
  return { element, read: () => (element.value === "" ? undefined : element.value) };
}

function checkboxesControl(schema, initial, attributes) {
  const boxes = schema.items.enum.map((choice, index) =>
    h("input", { type: "checkbox", "data-field": attributes["data-field"], value: index, checked: initial?.includes(choice) }));
  const element = h("span", { class: "choices" },
    boxes.map((box, index) => h("label", { class: "choice" }, box, String(schema.items.enum[index]))));
  const read = () => {
    const chosen = boxes.filter((box) => box.checked).map((box) => schema.items.enum[box.value]);
    return chosen.length > 0 ? chosen : undefined;
  };
  return { element, isGroup: true, read };
}

function listControl(schema, initial, attributes) {
  const placeholder = "separated by commas";
  const element = h("input", { ...attributes, type: "text", value: initial?.join(", "), placeholder, autocomplete: "off", spellcheck: "false" });
  const convert = schema.items.type === "string" ? String : Number;
  const read = () => {
    const parts = element.value.split(",").map((part) => part.trim()).filter((part) => part !== "");
    return parts.length > 0 ? parts.map(convert) : undefined;
  };
  return { element, read };
}

function jsonControl(initial, attributes) {
  const element = h("textarea", { ...attributes, rows: "3", spellcheck: "false", placeholder: "JSON" }, initial === undefined ? "" : prettyJson(initial));
  const read = (name) => {
    element.removeAttribute("aria-invalid");
    if (element.value.trim() === "") return undefined;
    try {
      return JSON.parse(element.value);
    } catch (error) {
      element.setAttribute("aria-invalid", "true");
      throw new FieldError(`${name} is not JSON: ${error.message}`, element);
    }
  };
  return { element, read };
}

/** The schema's own words, and its limits where it has any. */
function describeSchema(schema) {
  const facts = [];
  if (schema.minimum !== undefined && schema.maximum !== undefined) facts.push(`${schema.minimum} to ${schema.maximum}`);
  if (schema.minItems !== undefined && schema.maxItems !== undefined) facts.push(`${schema.minItems} to ${schema.maxItems} of them`);
  if (schema.properties) facts.push(`members: ${Object.keys(schema.properties).join(", ")}`);
  return `${schema.description ?? ""}${facts.length > 0 ? ` (${facts.join("; ")})` : ""}`.trim();
}
