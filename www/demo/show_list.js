// The weekend's performances as tickets; one of them is chosen.

import { h, setText } from "./dom.js";
import { SHOWS, capitalised, money } from "./programme.js";

/** Calls `onChoose(show)` when another ticket is chosen; `choose(id)` does it from elsewhere. */
export function mountShowList(root, { office, onChoose }) {
  const leftById = new Map();
  const inputById = new Map();
  for (const show of SHOWS) {
    const left = h("span", { class: "ticket-left" });
    const input = h("input", {
      type: "radio", name: "show", value: show.id, class: "ticket-input", onchange: () => onChoose(show),
    });
    leftById.set(show.id, left);
    inputById.set(show.id, input);
    root.append(h("label", { class: `ticket ticket-${show.kind}` },
      input,
      h("span", { class: "ticket-stub" },
        h("span", { class: "ticket-night" }, capitalised(show.night).slice(0, 3)),
        h("span", { class: "ticket-time" }, show.time)),
      h("span", { class: "ticket-body" },
        h("span", { class: "ticket-title" }, show.title),
        h("span", { class: "ticket-blurb" }, show.blurb),
        h("span", { class: "ticket-facts" },
          h("span", {}, `${capitalised(show.kind)}, ${show.minutes} min`),
          h("span", {}, `from ${money(Math.min(...Object.values(show.prices)))}`),
          left)),
    ));
  }
  function update() {
    for (const [id, left] of leftById) setText(left, `${office.freeSeats(id).length} left`);
  }
  office.addEventListener("change", update);
  update();
  return {
    choose(id) {
      inputById.get(id).checked = true;
      onChoose(office.show(id));
    },
  };
}
