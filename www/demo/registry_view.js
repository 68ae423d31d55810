// What the browser's registry holds at this moment, whoever put it there.

import { h, setText } from "./dom.js";

const HINTS = {
  readOnlyHint: "read-only",
  consequentialHint: "consequential",
  untrustedContentHint: "untrusted content",
  debugging: "debugging",
};

/** `update(tools)` shows the adopted tools; "Try" calls `onTry(name)`. */
export function mountRegistry({ list, count, onTry }) {
  return {
    update(tools) {
      setText(count, tools.length === 1 ? "1 tool" : `${tools.length} tools`);
      const focusedTool = document.activeElement?.closest?.("[data-testid='registry-tool']")?.dataset.tool;
      list.replaceChildren(...tools.map((tool) => row(tool, onTry)));
      if (focusedTool) list.querySelector(`[data-tool="${CSS.escape(focusedTool)}"] button`)?.focus();
    },
  };
}

function row(tool, onTry) {
  const owner = describeOwner(tool);
  const hints = Object.entries(HINTS).filter(([hint]) => tool.annotations?.[hint]);
  return h("li", { class: "registry-tool", "data-testid": "registry-tool", "data-tool": tool.name, "data-owner": owner },
    h("span", { class: "registry-name" },
      h("code", {}, tool.name),
      hints.map(([hint, text]) => h("span", { class: `tag tag-${hint}` }, text))),
    h("span", { class: "registry-facts" }, `${tool.title || "(no title)"} `,
      h("span", { class: owner === "this page" ? "owner" : "owner owner-foreign" }, owner), ` ${tool.origin}`),
    h("button", { type: "button", class: "quiet", "aria-label": `Try ${tool.name}`, onclick: () => onTry(tool.name) }, "Try"));
}

function describeOwner(tool) {
  if (tool.own || tool.window === window) return "this page";
  const frames = Array.from({ length: window.length }, (_, index) => window[index]);
  return frames.includes(tool.window) ? "iframe" : "other";
}
