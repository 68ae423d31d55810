// `modelport/form`: an HTML form as a tool. An agent fills it in as a person would, its own constraints decide, and it is
// submitted, or left for the person to submit. How controls become a schema is in `form_schema.ts`.

import { fillIn, fieldsOf, memberOf, schemaOf } from "./form_schema.js";
import type { ToolManager } from "./index.js";
import type { JsonObject, JsonSchema, Tool, ToolAnnotations } from "./types.js";

/** What a form's tool is called, and what becomes of the form once it is filled in. */
export interface FormToolOptions {
  /** The tool's name. Default: the form's `id` or `name`. */
  name?: string;
  /** Its name, for people. */
  title?: string;
  /** What a model reads. Default: the form's `aria-label`, or the text it is labelled by. */
  description?: string;
  /** Hints about what submitting it does. */
  annotations?: ToolAnnotations;
  /** `false` leaves the form to the person, with the focus on its submit button. Default true: it is submitted. */
  submit?: boolean;
  /**
   * Makes the tool's result, after the form's `submit` event: from what was filled in, while the page may go on.
   * What it throws is the tool's failure. Default: a sentence that says what was done.
   */
  result?: (data: FormData, form: HTMLFormElement) => unknown | Promise<unknown>;
}

/** The JSON Schema of a form's controls as they are now. */
export const formSchema = (form: HTMLFormElement): JsonSchema => schemaOf(fieldsOf(form));

const failed = (text: string) => ({ content: [{ type: "text", text }], isError: true });

/** What labels a form, where nobody describes it. */
function labelOf(form: HTMLFormElement): string | undefined {
  const attribute = memberOf(form, "getAttribute");
  const named = attribute("aria-labelledby")?.split(/\s+/).map((id) => memberOf(form, "ownerDocument").getElementById(id)?.textContent ?? "").join(" ");
  return (attribute("aria-label") ?? named)?.trim() || undefined;
}

/** What the form's constraints say against what is in it; one line a control. */
function complaintsOf(form: HTMLFormElement): string[] {
  const controls = [...memberOf(form, "elements")] as HTMLInputElement[];
  return controls.filter((control) => control.willValidate && !control.validity.valid).map(({ name, id, validationMessage }) => `${name || id || "a control without a name"}: ${validationMessage}`);
}

async function run(form: HTMLFormElement, options: FormToolOptions, args: JsonObject): Promise<unknown> {
  if (!memberOf(form, "isConnected")) return failed("The form is no longer in the page.");
  const complaints = [...fillIn(fieldsOf(form), args), ...complaintsOf(form)];
  if (complaints.length) return failed("The form was filled in and not submitted: it does not accept this.\n" + complaints.join("\n"));
  const button = memberOf(form, "querySelector")("button:not([type]), button[type=submit], input[type=submit], input[type=image]");
  if (options.submit === false) {
    (button as HTMLElement | null)?.focus();
    return options.result ? options.result(new FormData(form), form) : "The form is filled in. The person has to look at it and submit it.";
  }
  // Read before the page's own handler may empty it.
  const data = new FormData(form);
  let isHeard = false;
  const hear = () => (isHeard = true);
  EventTarget.prototype.addEventListener.call(form, "submit", hear, { capture: true });
  try {
    memberOf(form, "requestSubmit")();
  } finally {
    EventTarget.prototype.removeEventListener.call(form, "submit", hear, { capture: true });
  }
  if (!isHeard) return failed("The form was filled in, and could not be submitted.");
  return options.result ? options.result(data, form) : "The form was submitted.";
}

/**
 * A tool of a form's controls as they are now; `addForm` follows their changes. Leave out `toolname` on the form itself:
 * with it the browser makes a tool of its own.
 */
export function formTool(form: HTMLFormElement, options: FormToolOptions = {}): Tool {
  const { name = memberOf(form, "id") || memberOf(form, "getAttribute")("name") || "", title, description = labelOf(form), annotations } = options;
  return {
    name,
    ...(title && { title }),
    ...(description && { description }),
    ...(annotations && { annotations }),
    inputSchema: formSchema(form),
    execute: (args: JsonObject) => run(form, options, args),
  };
}

/** What of a control may change its schema. */
const attributeFilter = ["name", "type", "required", "disabled", "min", "max", "step", "minlength", "maxlength", "pattern", "multiple", "value", "title", "placeholder", "hidden", "readonly", "toolparamdescription", "aria-label", "aria-description", "for"];

/**
 * Adds a form to a manager as a tool that follows its controls: what is added, removed or constrained otherwise is told
 * to whoever hears of the manager's changes. What it returns takes the tool away, and so does `signal`.
 */
export function addForm(tools: ToolManager, form: HTMLFormElement, options: FormToolOptions & { signal?: AbortSignal } = {}): () => void {
  const { signal, ...rest } = options;
  if (signal?.aborted) return () => {};
  let tool = formTool(form, rest);
  let remove = tools.add(tool);
  const observer = new MutationObserver(() => {
    const next = formTool(form, rest);
    if (JSON.stringify(next) === JSON.stringify(tool)) return;
    tool = next;
    // In its own place, so that nobody sees the list without it.
    remove = tools.add(tool);
  });
  observer.observe(form, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter });
  const end = () => {
    observer.disconnect();
    signal?.removeEventListener("abort", end);
    remove();
  };
  signal?.addEventListener("abort", end);
  return end;
}
