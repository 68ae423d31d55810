// Says in plain words whether this browser has a registry, and if not, how to get one.

import { h, nameOf } from "./dom.js";

/** `bridge` is undefined where there is no registry; `failure` is why publishing did not work. */
export function showSurface(root, { bridge, report, failure }) {
  root.dataset.surface = !bridge ? "none" : failure ? "refused" : "native";
  if (!bridge) root.replaceChildren(...describeAbsence());
  else if (failure) root.replaceChildren(...describeRefusal(failure));
  else root.replaceChildren(...describePresence(report));
}

function describePresence({ registered, skipped, blocked }) {
  const left = [
    ...skipped.map(({ name, reason }) => h("li", {}, h("code", {}, name), ` was left out: ${reason}`)),
    ...blocked.map(({ name, by }) => h("li", {}, h("code", {}, name), ` is taken by ${by}`)),
  ];
  return [
    h("p", { class: "surface-headline" }, h("span", { class: "lamp lit", "aria-hidden": "true" }), h("strong", {}, "Native registry found: "), h("code", {}, "document.modelContext")),
    h("p", {}, `This page published ${registered.length} tools there. An agent in this browser sees and calls them, and so can you, below.`),
    left.length > 0 && h("ul", {}, left),
  ].filter(Boolean);
}

function describeRefusal(failure) {
  return [
    h("p", { class: "surface-headline" }, h("span", { class: "lamp", "aria-hidden": "true" }), h("strong", {}, "A registry is there, but it refused this page.")),
    h("p", {}, `${failure.message} (${nameOf(failure)})`),
    h("p", {}, "Everything here but the registry route works without it."),
  ];
}

function describeAbsence() {
  const secure = isSecureContext
    ? "This page is in a secure context, so nothing else is missing."
    : "This page is not in a secure context: open it over https or on localhost as well.";
  return [
    h("p", { class: "surface-headline" }, h("span", { class: "lamp", "aria-hidden": "true" }), h("strong", {}, "No registry in this browser.")),
    h("p", {}, "Everything here but the registry route works without it. To turn it on, use Chromium 150 or newer and either"),
    h("ul", {},
      h("li", {}, "start it with ", h("code", {}, "--enable-features=WebMCP"), ", or"),
      h("li", {}, "open ", h("code", {}, "chrome://flags"), ", set “WebMCP for testing” to Enabled, and restart.")),
    h("p", {}, secure),
  ];
}
