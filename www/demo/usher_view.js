// The form that sends the usher to look for the best seats: the page's own use of a slow tool.

import { byId, h, setProgress, setText } from "./dom.js";

/** Calls `onPick(showId, seats)` to show a block in the map, and holds one on request. */
export function mountUsher({ call, onPick }) {
  const form = byId("usher");
  const start = byId("usher-start");
  const cancel = byId("usher-cancel");
  const walk = byId("usher-walk");
  const bar = byId("usher-progress");
  const step = byId("usher-step");
  const answers = byId("usher-answers");
  const status = byId("usher-status");
  let controller;

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (controller) return;
    controller = new AbortController();
    begin();
    const args = { party: Number(form.elements.party.value), prefer: form.elements.prefer.value };
    const result = await call("find_best_seats", args, { signal: controller.signal, progress: show });
    const wasCancelled = controller.signal.aborted;
    controller = undefined;
    end();
    if (result) listAnswers(result.best);
    else setText(status, wasCancelled ? "The usher came back early." : "The usher found nothing.");
  });
  cancel.addEventListener("click", () => controller?.abort(new DOMException("The usher was called back.", "AbortError")));

  function begin() {
    answers.replaceChildren();
    setText(status, "The usher is walking through the house.");
    start.setAttribute("aria-disabled", "true");
    walk.hidden = false;
    setProgress(bar, 0, "starting");
    setText(step, "Off we go…");
  }

  function show({ progress, total, message }) {
    setProgress(bar, progress / total, message);
    setText(step, message);
  }

  function end() {
    const hadFocus = document.activeElement === cancel;
    walk.hidden = true;
    start.removeAttribute("aria-disabled");
    if (hadFocus) start.focus();
  }

  function listAnswers(best) {
    setText(status, `Found ${best.length === 1 ? "one block" : `${best.length} blocks`} of seats.`);
    for (const { show_id: showId, show: title, seats, price } of best) {
      answers.append(h("li", { class: "answer" },
        h("span", { class: "answer-text" }, h("strong", {}, seats.join(", ")), ` ${title}, £${price}`),
        h("button", { type: "button", class: "quiet", onclick: () => onPick(showId, seats) }, "Show"),
        h("button", { type: "button", class: "quiet", onclick: () => hold(showId, seats) }, "Hold"),
      ));
    }
    onPick(best[0].show_id, best[0].seats);
  }

  function hold(showId, seats) {
    onPick(showId, seats);
    call("hold_seats", { show_id: showId, seats });
  }
}
