// The controls of a form as JSON Schema properties, and arguments as what is in them. Controls count by their `name`;
// several radio buttons or checkboxes of one name are one property.

import type { JsonObject, JsonSchema } from "./types.js";

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** All controls of one name, in the order of the document. */
interface Field {
  name: string;
  controls: Control[];
}

/** Never an agent's business: secrets, files, buttons, and what a page keeps to itself. */
const LEFT_OUT = new Set(["password", "file", "hidden", "submit", "image", "reset", "button"]);

const isLive = (control: Control) =>
  !!control.name && !LEFT_OUT.has(control.type) && !control.matches(":disabled") && !(control as HTMLInputElement).readOnly && ["INPUT", "SELECT", "TEXTAREA"].includes(control.tagName);

/** A member of the form itself: a control that is named `elements` or `title` would stand in its place. */
export function memberOf<Name extends keyof HTMLFormElement>(form: HTMLFormElement, name: Name): HTMLFormElement[Name] {
  let from = Object.getPrototypeOf(form);
  while (from && !Object.hasOwn(from, name)) from = Object.getPrototypeOf(from);
  const member = Reflect.get(from ?? {}, name, form);
  return typeof member === "function" ? member.bind(form) : member;
}

/** The fields that can be filled in now. */
export function fieldsOf(form: HTMLFormElement): Field[] {
  const byName = new Map<string, Control[]>();
  for (const control of [...memberOf(form, "elements")] as Control[]) {
    if (isLive(control)) byName.set(control.name, [...(byName.get(control.name) ?? []), control]);
  }
  return [...byName].map(([name, controls]) => ({ name, controls }));
}

const tidy = (text: string | null | undefined) => text?.replace(/\s+/g, " ").trim() || undefined;

/** A label's words without those of the controls within it. */
function wordsOf(label: HTMLElement): string | undefined {
  const copy = label.cloneNode(true) as HTMLElement;
  for (const inner of copy.querySelectorAll("input, select, textarea, button")) inner.remove();
  return tidy(copy.textContent);
}

const labelOf = (control: Control) => tidy(control.getAttribute("aria-label")) ?? [...(control.labels ?? [])].map(wordsOf).find(Boolean);

/** What a person would read at the field: of a group, its legend. */
function descriptionOf({ controls }: Field): string | undefined {
  const [first] = controls as [Control];
  const legend = () => tidy(first.closest("fieldset")?.querySelector("legend")?.textContent);
  const label = tidy(first.getAttribute("toolparamdescription")) ?? (controls.length > 1 ? legend() : labelOf(first));
  const more = tidy(first.getAttribute("aria-description")) ?? (tidy(first.title) || tidy((first as HTMLInputElement).placeholder));
  return [label, more].filter(Boolean).join(". ") || undefined;
}

/** What a control takes that can be one of several, with the words that people see for each. */
function choice(values: { value: string; words: string | undefined }[]): JsonSchema {
  if (values.every(({ value, words }) => !words || words === value)) return { type: "string", enum: values.map(({ value }) => value) };
  // As the browser describes the choices of its own form tools.
  return { type: "string", enum: values.map(({ value }) => value), anyOf: values.map(({ value, words }) => ({ const: value, ...(words && { title: words }) })) };
}

const TEXTS: Record<string, JsonSchema> = {
  email: { format: "email" },
  url: { format: "uri" },
  date: { format: "date" },
  time: { pattern: "^\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,3})?)?$" },
  month: { pattern: "^\\d{4,}-\\d\\d$" },
  week: { pattern: "^\\d{4,}-W\\d\\d$" },
  "datetime-local": { pattern: "^\\d{4,}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,3})?)?$" },
  color: { pattern: "^#[0-9a-fA-F]{6}$" },
};

/** A bound as a number, if it is there. */
const bound = (name: string, text: string) => (text !== "" && Number.isFinite(Number(text)) ? { [name]: Number(text) } : {});

function numeric({ min, max, step, defaultValue }: HTMLInputElement): JsonSchema {
  // Steps count from here, multiples from 0.
  const base = Number(min || defaultValue || 0);
  const isWhole = step !== "any" && Number.isInteger(Number(step || 1)) && Number.isInteger(base);
  const multiple = isWhole && Number(step) > 1 && base % Number(step) === 0 ? { multipleOf: Number(step) } : {};
  return { type: isWhole ? "integer" : "number", ...bound("minimum", min), ...bound("maximum", max), ...multiple };
}

function textual(control: HTMLInputElement | HTMLTextAreaElement): JsonSchema {
  const { minLength, maxLength, type } = control;
  const pattern = (control as HTMLInputElement).pattern;
  return {
    type: "string",
    ...TEXTS[type],
    ...(minLength > 0 && { minLength }),
    ...(maxLength >= 0 && { maxLength }),
    // The whole value has to match; several addresses in one control would not be one.
    ...(pattern && !(control as HTMLInputElement).multiple && { pattern: `^(?:${pattern})$` }),
  };
}

function plainSchema({ controls }: Field): JsonSchema {
  const [first] = controls as [Control];
  if (first instanceof HTMLSelectElement || first.tagName === "SELECT") {
    const select = first as HTMLSelectElement;
    const options = [...select.options].filter((option) => !option.disabled && (option.value || !select.required));
    const one = choice(options.map(({ value, label }) => ({ value, words: tidy(label) })));
    return select.multiple ? { type: "array", items: one, uniqueItems: true } : one;
  }
  const input = first as HTMLInputElement;
  if (input.type === "radio") return choice(controls.map((control) => ({ value: control.value, words: labelOf(control) })));
  if (input.type === "checkbox") {
    if (controls.length === 1) return { type: "boolean", ...(first.required && { const: true }) };
    return { type: "array", items: choice(controls.map((control) => ({ value: control.value, words: labelOf(control) }))), uniqueItems: true };
  }
  return input.type === "number" || input.type === "range" ? numeric(input) : textual(input);
}

/** Must be there: one of the radio buttons of a group says it for all. */
const isRequired = ({ controls }: Field) => controls.some((control) => control.required);

/** An object of all fields; nothing beside them. */
export function schemaOf(fields: Field[]): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  for (const field of fields) {
    const description = descriptionOf(field);
    // A name such as `__proto__` is a property as any other.
    Object.defineProperty(properties, field.name, { value: { ...plainSchema(field), ...(description && { description }) }, enumerable: true });
  }
  const required = fields.filter(isRequired).map(({ name }) => name);
  return { type: "object", properties, ...(required.length && { required }), additionalProperties: false };
}

const prototypeValue = (control: Control) => Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), "value")!;

/** Changes a control as a person would, and tells the page so. */
function put(control: Control, change: () => boolean): void {
  if (!change()) return;
  control.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  control.dispatchEvent(new Event("change", { bubbles: true }));
}

/** Puts arguments into the controls. Those that are not given stay as they are. Gives what no control took, a line each. */
export function fillIn(fields: Field[], args: JsonObject): string[] {
  const refused = Object.keys(args).filter((name) => !fields.some((field) => field.name === name)).map((name) => `${name}: there is no such field`);
  for (const { name, controls } of fields) {
    if (!Object.hasOwn(args, name)) continue;
    const given = args[name];
    const wanted = new Set((Array.isArray(given) ? given : [given]).map(String));
    const [first] = controls as [Control];
    const offered = first.tagName === "SELECT" ? [...(first as HTMLSelectElement).options].map(({ value }) => value) : /^(radio|checkbox)$/.test(first.type) && typeof given !== "boolean" ? controls.map(({ value }) => value) : undefined;
    for (const one of wanted) if (offered && !offered.includes(one)) refused.push(`${name}: ${one} is not offered`);
    for (const control of controls) {
      if (control.tagName === "SELECT") {
        put(control, () => {
          let changed = false;
          for (const option of (control as HTMLSelectElement).options) {
            const isWanted = wanted.has(option.value);
            if (option.selected !== isWanted && ((control as HTMLSelectElement).multiple || isWanted)) {
              option.selected = isWanted;
              changed = true;
            }
          }
          return changed;
        });
      } else if (control.type === "checkbox" || control.type === "radio") {
        const box = control as HTMLInputElement;
        const isWanted = typeof given === "boolean" && controls.length === 1 ? given : wanted.has(box.value);
        // A click is what pages listen for; it fires `input` and `change` by itself.
        if (box.checked !== isWanted && (box.type === "checkbox" || isWanted)) box.click();
      } else {
        put(control, () => {
          const before = control.value;
          // Frameworks watch the element's own property, and would take this for their own doing.
          prototypeValue(control).set!.call(control, String(given));
          if (control.value === "" && given !== "") refused.push(`${name}: does not take ${given}`);
          return control.value !== before;
        });
      }
    }
  }
  return refused;
}
