// Small helpers to build elements and to show JSON.

/** `h("button", { type: "button", onclick: fn, "aria-pressed": "true" }, "Text", child)` */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== false));
  return element;
}

export function byId(id) {
  return document.getElementById(id);
}

/** Sets text only when it differs, so that live regions do not speak twice. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Any value as indented JSON; what JSON cannot say is said in words. */
export function prettyJson(value) {
  try {
    return JSON.stringify(value, (_, member) => (typeof member === "bigint" ? `${member}n` : member), 2) ?? String(value);
  } catch (error) {
    return `(cannot be shown as JSON: ${error.message})`;
  }
}

const JSON_PARTS = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** A `pre` with the value as coloured JSON. */
export function jsonBlock(value) {
  const text = prettyJson(value);
  const block = h("pre", { class: "json", tabindex: "0" });
  if (text.length > 50_000) {
    block.append(text);
    return block;
  }
  let end = 0;
  for (const match of text.matchAll(JSON_PARTS)) {
    const kind = match[2] ? "json-key" : match[1] ? "json-string" : "json-value";
    const part = match[1] ?? match[0];
    block.append(text.slice(end, match.index), h("span", { class: kind }, part));
    end = match.index + part.length;
  }
  block.append(text.slice(end));
  return block;
}

/** An error's code where it is a word, as Modelport's are, or else its name. */
export function nameOf(error) {
  return typeof error?.code === "string" ? error.code : error?.name;
}

/** "12.3 ms" or "6.04 s" */
export function describeDuration(milliseconds) {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(2)} s`;
  return `${milliseconds.toFixed(milliseconds < 10 ? 2 : 1)} ms`;
}

/** Where a progress bar stands; `undefined` means running with no end in sight. */
export function setProgress(bar, fraction, text) {
  bar.classList.toggle("indeterminate", fraction === undefined);
  bar.style.setProperty("--done", fraction ?? 0);
  if (fraction === undefined) bar.removeAttribute("aria-valuenow");
  else bar.setAttribute("aria-valuenow", Math.round(fraction * 100));
  bar.setAttribute("aria-valuetext", text);
}
