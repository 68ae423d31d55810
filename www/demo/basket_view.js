// The basket, the code form, the till and the orders.

import { byId, h, setText } from "./dom.js";
import { CODES, describeShow, money } from "./programme.js";

export function mountBasket({ office, call, isOpen }) {
  const lines = byId("basket-lines");
  const emptyText = byId("basket-empty");
  const sums = byId("basket-sums");
  const total = byId("total");
  const clock = byId("hold-clock");
  const codeForm = byId("code-form");
  const till = byId("till");
  const orders = byId("orders");

  codeForm.addEventListener("submit", async (event) => {
    event.preventDefault();
    const applied = await call("apply_code", { code: codeForm.elements.code.value });
    if (applied) codeForm.reset();
  });
  till.elements.method.addEventListener("change", showEmailField);
  till.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { name, method, email } = till.elements;
    const pickup = { method: method.value, ...(method.value === "email" && { email: email.value }) };
    const order = await call("check_out", { name: name.value, pickup, confirm_total: office.basket().total / 100 });
    if (!order) return;
    till.reset();
    showEmailField();
    byId("orders-heading").focus();
  });

  function showEmailField() {
    byId("email-field").hidden = till.elements.method.value !== "email";
  }

  function updateBasket() {
    const basket = office.basket();
    emptyText.hidden = basket.seatCount > 0;
    const focused = document.activeElement?.dataset?.release;
    lines.replaceChildren(...basket.lines.map((line) => basketLine(line)));
    if (focused) (lines.querySelector(`[data-release="${focused}"]`) ?? lines.querySelector("button") ?? byId("basket-heading")).focus();
    sums.replaceChildren(
      ...(basket.seatCount > 0 ? sumRow("Seats", money(basket.subtotal)) : []),
      ...(basket.code ? sumRow(`${basket.code}: ${CODES[basket.code].text}`, `−${money(basket.saving)}`) : []),
    );
    setText(total, money(basket.total));
    for (const button of [codeForm, till].map((form) => form.querySelector("button"))) button.disabled = !isOpen();
    updateClock();
  }

  function basketLine({ show, seats, price }) {
    return h("li", { class: "basket-line" },
      h("span", { class: "basket-show" }, describeShow(show)),
      h("span", { class: "basket-price" }, money(price)),
      h("span", { class: "chips" }, seats.map((seat) => h("button", {
        type: "button", class: "chip", "data-release": `${show.id}-${seat}`, "aria-label": `Give back seat ${seat}`,
        onclick: () => call("release_seats", { show_id: show.id, seats: [seat] }),
      }, seat, h("span", { "aria-hidden": "true", class: "chip-cross" }, "×")))));
  }

  function updateOrders() {
    byId("orders-empty").hidden = office.orders.length > 0;
    orders.replaceChildren(...office.orders.map((order) => h("li", { class: "order", "data-order": order.id },
      h("span", { class: "order-id" }, order.id),
      h("span", { class: "order-text" },
        h("strong", {}, order.name), `, ${money(order.total)}`,
        order.lines.map((line) => h("span", { class: "order-line" }, `${describeShow(line.show)}: ${line.seats.join(", ")}`))),
      h("button", {
        type: "button", class: "quiet", "aria-label": `Refund order ${order.id}`,
        onclick: () => call("refund_order", { order_id: order.id }),
      }, "Refund"))));
  }

  function updateClock() {
    const seconds = Math.max(0, Math.round(((office.heldUntil ?? 0) - Date.now()) / 1000));
    setText(clock, office.heldUntil ? `Held for ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}` : "");
  }

  let orderCount;
  function update() {
    updateBasket();
    if (office.orders.length === orderCount) return;
    orderCount = office.orders.length;
    updateOrders();
  }
  office.addEventListener("change", update);
  setInterval(updateClock, 1000);
  update();
  return { update };
}

function sumRow(term, value) {
  return [h("dt", {}, term), h("dd", {}, value)];
}
