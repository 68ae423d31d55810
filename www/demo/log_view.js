// A live log of registry events and of the MCP messages between the page's client and server.

import { byId, h, jsonBlock, setText } from "./dom.js";

const MOST_ROWS = 200;
const ARROWS = { send: "→", receive: "←" };
const SPOKEN = { send: "client to server", receive: "server to client" };

/** `event(type, toolName)` and `message(direction, message)` each add a row, newest first. */
export function mountLog() {
  const rows = byId("log");
  const count = byId("log-count");
  byId("log-clear").addEventListener("click", () => {
    rows.replaceChildren();
    showCount();
  });

  function add(row) {
    rows.prepend(row);
    while (rows.childElementCount > MOST_ROWS) rows.lastElementChild.remove();
    showCount();
  }

  function showCount() {
    setText(count, `${rows.childElementCount} of at most ${MOST_ROWS} rows`);
  }

  showCount();
  return {
    event(type, toolName) {
      add(h("li", { class: "log-row", "data-testid": "log-row", "data-kind": type },
        h("span", { class: "log-line" },
          time(), h("span", { class: "log-mark", "aria-hidden": "true" }, "◆"),
          h("span", { class: "log-kind" }, type), toolName && h("code", {}, toolName))));
    },
    message(direction, message) {
      const details = h("details", {},
        h("summary", { class: "log-line" },
          time(), h("span", { class: "log-mark", "aria-hidden": "true" }, ARROWS[direction]),
          h("span", { class: "visually-hidden" }, SPOKEN[direction]),
          h("span", { class: "log-kind" }, describeKind(message)), h("code", {}, describeSubject(message))));
      details.addEventListener("toggle", () => details.append(jsonBlock(message)), { once: true });
      add(h("li", { class: "log-row", "data-testid": "log-row", "data-kind": direction }, details));
    },
  };
}

function describeKind(message) {
  if (message.method !== undefined) return message.method;
  return message.error !== undefined ? "error" : "result";
}

/** What tells one message from the next: the tool, the progress, the error or the id. */
function describeSubject({ id, method, params, error }) {
  if (method === "tools/call") return `#${id} ${params?.name}`;
  if (method === "notifications/progress") return `${params?.progress}/${params?.total ?? "?"}`;
  if (method === "notifications/cancelled") return `#${params?.requestId}`;
  if (error !== undefined) return `#${id} ${error.code}`;
  return id === undefined ? "" : `#${id}`;
}

function time() {
  const now = new Date();
  const text = `${now.toTimeString().slice(0, 8)}.${String(now.getMilliseconds()).padStart(3, "0")}`;
  return h("time", { datetime: now.toISOString() }, text);
}
