// The form that calls any tool by any route: picks, calls, shows progress, cancels, shows what came back.

import { byId, describeDuration, h, nameOf, setProgress, setText } from "./dom.js";
import { outcomeElements, readFailure, readOutcome } from "./outcome.js";
import { FieldError, buildSchemaForm } from "./schema_form.js";

const HEADLINES = { ok: "Answered", error: "Failed", cancelled: "Cancelled", running: "Running…" };
const MILLISECONDS_BETWEEN_SPOKEN_STEPS = 2000;

/** `refresh()` reads the lists again; `choose(routeId, name)` selects a route and a tool. */
export function mountCallPanel(routes) {
  const form = byId("call-form");
  const picker = byId("tool-picker");
  const callButton = byId("call");
  const cancelButton = byId("cancel");
  const result = byId("result");
  const resultHeadline = byId("result-headline");
  const resultBody = byId("result-body");
  const bar = byId("progress");
  const step = byId("progress-step");
  const spokenStep = byId("progress-spoken");

  let routeId = routes.registry.isAvailable ? "registry" : "page-server";
  let listed = [];
  let schemaForm;
  let shownSchema;
  let controller;
  let spokenAt = 0;
  let refreshes = 0;

  for (const [id, route] of Object.entries(routes)) {
    byId("routes").append(h("label", { class: "route" },
      h("input", {
        type: "radio", name: "route", value: id, "data-testid": `route-${id}`, checked: id === routeId, disabled: !route.isAvailable,
        onchange: () => choose(id, selectedTool()?.name),
      }),
      h("span", {}, route.label)));
  }

  picker.addEventListener("change", showTool);
  cancelButton.addEventListener("click", () => controller?.abort(new DOMException("Cancelled at the inspector.", "AbortError")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!controller) run();
  });

  function selectedTool() {
    return listed[picker.selectedIndex];
  }

  async function choose(id, name) {
    routeId = id;
    const input = form.querySelector(`input[name="route"][value="${id}"]`);
    input.checked = true;
    setText(byId("route-note"), routes[id].note);
    await refresh(name);
  }

  async function refresh(wanted) {
    const number = ++refreshes;
    let found;
    try {
      found = await routes[routeId].list();
    } catch (error) {
      found = [];
      showOutcome({ status: "error", message: `The list of tools could not be read: ${error.message}`, code: nameOf(error) });
    }
    if (number !== refreshes) return;
    const name = wanted ?? selectedTool()?.name;
    listed = found;
    picker.replaceChildren(...listed.map((tool) => h("option", { value: tool.name, selected: tool.name === name }, tool.name)));
    callButton.disabled = listed.length === 0;
    showTool();
  }

  function showTool() {
    const tool = selectedTool();
    setText(byId("tool-description"), tool?.description ?? "");
    const schema = JSON.stringify([tool?.name, tool?.inputSchema]);
    if (schema === shownSchema) return;
    shownSchema = schema;
    schemaForm = buildSchemaForm(byId("fields"), tool?.inputSchema);
  }

  async function run() {
    const tool = selectedTool();
    const route = routes[routeId];
    let args;
    try {
      args = schemaForm.read();
    } catch (error) {
      if (!(error instanceof FieldError)) throw error;
      showOutcome({ status: "error", message: error.message });
      error.field.focus();
      return;
    }
    controller = new AbortController();
    const { signal } = controller;
    begin(route);
    const start = performance.now();
    let outcome;
    try {
      outcome = readOutcome(await route.call(tool, args, { signal, progress: showStep }));
    } catch (error) {
      outcome = readFailure(error, signal);
    }
    const duration = performance.now() - start;
    controller = undefined;
    end(route, outcome);
    showOutcome(outcome, `${tool.name}, ${route.label.toLowerCase()}, ${describeDuration(duration)}`);
  }

  function begin(route) {
    callButton.setAttribute("aria-disabled", "true");
    cancelButton.disabled = false;
    showOutcome({ status: "running" });
    setProgress(bar, undefined, "running");
    setText(step, route.hasProgress ? "Running; no progress reported yet." : "Running; this route carries no progress.");
  }

  function showStep({ progress, total, message }) {
    const counted = total ? `${progress} of ${total}` : String(progress);
    const text = message ? `${counted}: ${message}` : counted;
    setProgress(bar, total ? progress / total : undefined, text);
    setText(step, text);
    if (performance.now() - spokenAt < MILLISECONDS_BETWEEN_SPOKEN_STEPS) return;
    spokenAt = performance.now();
    setText(spokenStep, text);
  }

  function end(route, { status }) {
    const cancelHadFocus = document.activeElement === cancelButton;
    callButton.removeAttribute("aria-disabled");
    cancelButton.disabled = true;
    if (cancelHadFocus) callButton.focus();
    setText(spokenStep, "");
    setProgress(bar, status === "ok" ? 1 : 0, HEADLINES[status]);
    setText(step, status === "ok" ? "Done." : `${HEADLINES[status]}.`);
  }

  function showOutcome(outcome, facts = "") {
    result.dataset.status = outcome.status;
    resultHeadline.replaceChildren(h("strong", {}, HEADLINES[outcome.status]), facts && h("span", { class: "result-facts" }, facts));
    resultBody.replaceChildren(...outcomeElements(outcome));
  }

  return { refresh, choose, start: () => choose(routeId) };
}
