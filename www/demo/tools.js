// What the box office can do, written once. The buttons of the page, an agent in the browser
// and an MCP client all call these same functions.

import { check } from "./check.js";
import { findBestSeats } from "./best_seats.js";
import { MOST_SEATS } from "./box_office.js";
import { KINDS, NIGHTS, SHOWS, SHOW_IDS, ZONES, describeShow, money } from "./programme.js";

const showId = { type: "string", enum: SHOW_IDS, description: "Which performance." };
const seat = { type: "string", pattern: "^[A-F]([1-9]|10)$", examples: ["B7"] };
const zone = { type: "string", enum: Object.keys(ZONES), description: "Part of the house: front (A, B), middle (C, D) or back (E, F)." };

/** The tools of a box office, ready to be put into a ToolManager. */
export function createTools(office) {
  return [
    tool({
      name: "list_shows",
      title: "List shows",
      description: "Lists this weekend’s performances with times, prices in pounds and the number of free seats.",
      properties: {
        night: { type: "string", enum: NIGHTS, description: "Only this night." },
        kind: { type: "string", enum: KINDS, description: "Only this kind of show." },
        max_price: { type: "number", minimum: 0, maximum: 100, multipleOf: 0.5, description: "Only shows with seats at or below this price, in pounds." },
      },
      annotations: { readOnlyHint: true },
      run({ night, kind, max_price: maxPrice = Infinity }) {
        const shows = SHOWS.filter((show) => (!night || show.night === night) && (!kind || show.kind === kind)
          && Math.min(...Object.values(show.prices)) <= maxPrice * 100);
        return { shows: shows.map((show) => showForCaller(office, show)) };
      },
    }),
    tool({
      name: "find_seats",
      title: "Find seats",
      description: "Lists the free seats of one performance by zone. Row A is at the stage.",
      properties: { show_id: showId, zone },
      required: ["show_id"],
      annotations: { readOnlyHint: true },
      run({ show_id: id, zone: onlyZone }) {
        const show = office.show(id);
        const zones = onlyZone ? [onlyZone] : Object.keys(ZONES);
        return {
          show_id: id,
          show: describeShow(show),
          zones: zones.map((name) => ({ zone: name, price: show.prices[name] / 100, seats: office.freeSeats(id, name) })),
        };
      },
    }),
    tool({
      name: "find_best_seats",
      title: "Find the best seats",
      description: "Walks through the house for the best block of adjoining seats. Takes about six seconds, reports progress and can be cancelled.",
      properties: {
        party: { type: "integer", minimum: 1, maximum: MOST_SEATS, default: 2, description: "How many people." },
        nights: { type: "array", items: { type: "string", enum: NIGHTS }, minItems: 1, maxItems: 3, uniqueItems: true, default: NIGHTS, description: "Nights to look at." },
        prefer: { type: "string", enum: ["view", "aisle", "price"], default: "view", description: "What matters most." },
        step_free: { type: "boolean", default: false, description: "Only seats that can be reached without steps." },
      },
      annotations: { readOnlyHint: true },
      async run(args, context) {
        const blocks = await findBestSeats(office, args, context);
        if (blocks.length === 0) {
          throw new Error(`Nowhere are ${args.party} free seats side by side. Try a smaller party, more nights or step_free: false.`);
        }
        return { best: blocks.map(({ show, seats, price }) => ({ show_id: show.id, show: describeShow(show), seats, price: price / 100 })) };
      },
    }),
    tool({
      name: "hold_seats",
      title: "Hold seats",
      description: `Puts free seats into the basket and holds them for ten minutes. At most ${MOST_SEATS} seats in all.`,
      properties: {
        show_id: showId,
        seats: { type: "array", items: seat, minItems: 1, maxItems: MOST_SEATS, uniqueItems: true, examples: [["B7", "B8"]], description: "Row and number, such as B7." },
      },
      required: ["show_id", "seats"],
      annotations: { readOnlyHint: false, idempotentHint: true },
      run({ show_id: id, seats }, { caller }) {
        const basket = office.hold(id, seats);
        office.announce(`Held ${seats.join(", ")} for ${describeShow(office.show(id))}.`, caller);
        return basketForCaller(basket);
      },
    }),
    tool({
      name: "release_seats",
      title: "Release seats",
      description: "Gives held seats back. Without seats, all of that show; without a show, the whole basket.",
      properties: {
        show_id: showId,
        seats: { type: "array", items: seat, minItems: 1, maxItems: MOST_SEATS, uniqueItems: true, description: "Row and number, such as B7." },
      },
      annotations: { readOnlyHint: false, idempotentHint: true },
      run({ show_id: id, seats }, { caller }) {
        const { released, basket } = office.release(id, seats);
        office.announce(released.length > 0 ? `Gave back ${released.join(", ")}.` : "There was nothing to give back.", caller);
        return { released, ...basketForCaller(basket) };
      },
    }),
    tool({
      name: "view_basket",
      title: "View basket",
      description: "Shows what is held, the code in use and the total in pounds.",
      annotations: { readOnlyHint: true },
      run: () => basketForCaller(office.basket()),
    }),
    tool({
      name: "apply_code",
      title: "Apply a code",
      description: "Uses a promotional code for the basket. One code at a time; a later one replaces it.",
      properties: { code: { type: "string", minLength: 3, maxLength: 20, examples: ["LAMPLIGHT"], description: "One word from the programme; upper or lower case." } },
      required: ["code"],
      annotations: { readOnlyHint: false, idempotentHint: true },
      run({ code }, { caller }) {
        const applied = office.applyCode(code);
        office.announce(`${applied.code}: ${applied.offer}.`, caller);
        return { code: applied.code, offer: applied.offer, ...basketForCaller(applied.basket) };
      },
    }),
    tool({
      name: "check_out",
      title: "Check out",
      description: "Buys what is in the basket. Say the total to the person first and pass it as confirm_total.",
      properties: {
        name: { type: "string", minLength: 1, maxLength: 60, examples: ["Ada Bell"], description: "Name for the tickets." },
        pickup: {
          type: "object",
          properties: { method: { type: "string", enum: ["desk", "email"] }, email: { type: "string", maxLength: 120 } },
          required: ["method"],
          default: { method: "desk" },
          description: "At the desk, or by email to an address.",
        },
        confirm_total: { type: "number", minimum: 0, maximum: 500, multipleOf: 0.01, description: "The total the person agreed to, in pounds." },
      },
      required: ["name"],
      annotations: { readOnlyHint: false, consequentialHint: true, destructiveHint: false },
      run({ name, pickup, confirm_total: confirmTotal }, { caller }) {
        const order = office.checkOut({ name, pickup, confirmTotal });
        office.announce(`Order ${order.id} for ${order.name}: ${money(order.total)}. Enjoy the show.`, caller);
        return orderForCaller(order);
      },
    }),
    tool({
      name: "list_orders",
      title: "List orders",
      description: "Lists the orders made on this page, newest first. Names were typed by customers.",
      annotations: { readOnlyHint: true, untrustedContentHint: true },
      run: () => ({ orders: office.orders.map(orderForCaller) }),
    }),
    tool({
      name: "refund_order",
      title: "Refund an order",
      description: "Asks for money back. The box office does this in person only, so it always declines and says where to go.",
      properties: { order_id: { type: "string", pattern: "^L-[0-9]{3}$", examples: ["L-101"], description: "The order’s number." } },
      required: ["order_id"],
      annotations: { readOnlyHint: false, consequentialHint: true },
      run({ order_id: id }) {
        throw new Error(`The box office handles refunds in person: bring order ${id} to the desk before the lamps go down.`);
      },
    }),
  ];
}

/** A tool whose arguments are checked against its schema before it runs. */
function tool({ name, title, description, properties = {}, required, annotations, run }) {
  const inputSchema = { type: "object", properties, ...(required && { required }), additionalProperties: false };
  return {
    name, title, description, inputSchema, annotations,
    execute: async (args, context) => run(check(inputSchema, args), context),
  };
}

function showForCaller(office, show) {
  const { id, title, night, time, kind, minutes, blurb, prices } = show;
  const pounds = Object.fromEntries(Object.entries(prices).map(([name, pence]) => [name, pence / 100]));
  return { show_id: id, title, night, time, kind, minutes, blurb, prices: pounds, free_seats: office.freeSeats(id).length };
}

function basketForCaller({ lines, code, subtotal, saving, total }) {
  return {
    lines: linesForCaller(lines), ...(code && { code }),
    subtotal: subtotal / 100, saving: saving / 100, total: total / 100, currency: "GBP",
  };
}

function orderForCaller({ id, name, pickup, lines, total }) {
  return { order_id: id, name, pickup, lines: linesForCaller(lines), total: total / 100, currency: "GBP" };
}

function linesForCaller(lines) {
  return lines.map(({ show, seats, price }) => ({ show_id: show.id, show: describeShow(show), seats, price: price / 100 }));
}
