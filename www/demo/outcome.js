// What came out of a call, whichever route it took, and how it is shown.

import { h, jsonBlock } from "./dom.js";

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
  const code = error?.code ?? error?.name;
  return { status: "error", message: error?.message ?? String(error), code: typeof code === "string" ? code : undefined };
}

/** The elements that show an outcome below its headline. */
export function outcomeElements({ message, code, body, whole }) {
  const elements = [];
  if (message !== undefined) elements.push(h("p", { class: "outcome-message" }, message, code && h("code", { class: "outcome-code" }, code)));
  if (body !== undefined) elements.push(typeof body === "string" ? h("p", { class: "outcome-text" }, body || "(empty text)") : jsonBlock(body));
  if (whole !== undefined) {
    const details = h("details", { class: "whole" }, h("summary", {}, "The whole MCP result"));
    details.addEventListener("toggle", () => details.append(jsonBlock(whole)), { once: true });
    elements.push(details);
  }
  return elements;
}
