// What came out of a call, whichever route it took, and how it is shown.

import { h, jsonBlock, nameOf } from "./dom.js";

/** Reads what a route resolved with: an MCP result, or a plain value from the registry. */
export function readOutcome(value) {
  if (!Array.isArray(value?.content)) return { status: "ok", body: value };
  const text = value.content.map((part) => part.text ?? `[${part.type}]`).join("\n");
  if (value.isError) return { status: "error", message: text, whole: value };
  return { status: "ok", body: value.structuredContent ?? text, whole: value };
}

/** Reads what a route rejected with. */
export function readFailure(error, signal) {
  if (signal.aborted) return { status: "cancelled", message: "Cancelled. Whatever it had done by then stays done." };
  return { status: "error", message: error?.message ?? String(error), code: nameOf(error) };
}

/** The browser hands over what a foreign tool returns as text, so text that reads as JSON is shown as such. */
function bodyElements(body) {
  if (typeof body !== "string") return [jsonBlock(body)];
  const read = readJson(body);
  if (read === undefined) return [h("p", { class: "outcome-text" }, body || "(empty text)")];
  return [h("p", { class: "hint" }, "Text that reads as JSON:"), jsonBlock(read)];
}

/** An object or array written in the text, or undefined. */
function readJson(text) {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The elements that show an outcome below its headline. */
export function outcomeElements({ message, code, body, whole }) {
  const elements = [];
  if (message !== undefined) elements.push(h("p", { class: "outcome-message" }, message, code && h("code", { class: "outcome-code" }, code)));
  if (body !== undefined) elements.push(...bodyElements(body));
  if (whole !== undefined) {
    const details = h("details", { class: "whole" }, h("summary", {}, "The whole MCP result"));
    details.addEventListener("toggle", () => details.append(jsonBlock(whole)), { once: true });
    elements.push(details);
  }
  return elements;
}
