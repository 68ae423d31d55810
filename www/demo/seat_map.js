// The house seen from above. Every seat is a button: it holds a free seat and gives a held one back.

import { h } from "./dom.js";
import { seatsOfRow, zoneOf } from "./box_office.js";
import { AISLE_AFTER, ROWS, SEATS_PER_ROW, describeShow, money } from "./programme.js";

const STATES = { free: "free", sold: "sold", held: "yours" };

/** Use arrow keys, Home and End to move in the map; it is one stop for the Tab key. */
export function mountSeatMap(root, { office, call, isOpen }) {
  let show;
  let suggested = new Set();
  const buttons = new Map();
  for (const row of ROWS) {
    const seats = seatsOfRow(row).map((seat) => {
      const button = h("button", { type: "button", class: "seat", "data-seat": seat, tabindex: "-1" },
        h("span", { "aria-hidden": "true" }, seat.slice(1)));
      if (seat === `${row}${AISLE_AFTER}`) button.classList.add("before-aisle");
      buttons.set(seat, button);
      return button;
    });
    root.append(h("div", { class: `seat-row zone-${zoneOf(seats[0].dataset.seat)}` },
      h("span", { class: "row-label", "aria-hidden": "true" }, row), seats));
  }
  setTabStop(buttons.get("B7"));

  root.addEventListener("click", (event) => {
    const button = event.target.closest(".seat");
    if (!button || button.getAttribute("aria-disabled") === "true") return;
    const seat = button.dataset.seat;
    const name = office.stateOf(show.id, seat) === "held" ? "release_seats" : "hold_seats";
    call(name, { show_id: show.id, seats: [seat] });
  });
  root.addEventListener("focusin", (event) => setTabStop(event.target));
  root.addEventListener("keydown", (event) => {
    const target = neighbour(event.target.dataset.seat, event.key);
    if (!target) return;
    event.preventDefault();
    buttons.get(target).focus();
  });

  function setTabStop(button) {
    root.querySelector(".seat[tabindex='0']")?.setAttribute("tabindex", "-1");
    button.setAttribute("tabindex", "0");
  }

  function update() {
    if (!show) return;
    for (const [seat, button] of buttons) {
      const state = office.stateOf(show.id, seat);
      button.dataset.state = state;
      button.classList.toggle("suggested", state === "free" && suggested.has(seat));
      button.setAttribute("aria-pressed", String(state === "held"));
      button.setAttribute("aria-disabled", String(state === "sold" || (state === "free" && !isOpen())));
      button.setAttribute("aria-label", `Row ${seat.charAt(0)} seat ${seat.slice(1)}, ${money(office.priceOf(show, seat))}, ${STATES[state]}`);
    }
    root.setAttribute("aria-label", `Seats for ${describeShow(show)}`);
  }

  office.addEventListener("change", update);
  return {
    update,
    display(newShow, newSuggested = []) {
      show = newShow;
      suggested = new Set(newSuggested);
      update();
    },
  };
}

function neighbour(seat, key) {
  const row = ROWS.indexOf(seat.charAt(0));
  const number = Number(seat.slice(1));
  const moves = {
    ArrowLeft: [row, number - 1], ArrowRight: [row, number + 1],
    ArrowUp: [row - 1, number], ArrowDown: [row + 1, number],
    Home: [row, 1], End: [row, SEATS_PER_ROW],
  };
  const move = moves[key];
  if (!move) return undefined;
  const newRow = Math.min(Math.max(move[0], 0), ROWS.length - 1);
  const newNumber = Math.min(Math.max(move[1], 1), SEATS_PER_ROW);
  return `${ROWS[newRow]}${newNumber}`;
}
