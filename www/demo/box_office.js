// The state of the box office: which seats are gone, what is in the basket, which orders exist.
// It knows nothing of tools and nothing of the page. Every change ends in a "change" event.

import { CODES, ROWS, SEATS_PER_ROW, SHOWS, ZONES, describeShow, money } from "./programme.js";

export const MOST_SEATS = 8;
const HOLD_MILLISECONDS = 10 * 60 * 1000;

export class BoxOffice extends EventTarget {
  #sold = new Map(SHOWS.map((show) => [show.id, seatsSoldBefore(show)]));
  #held = new Map(); // show id to set of seats, in the order they were chosen
  #code;
  #orders = [];
  #holdTimer;
  /** When the holds lapse, in milliseconds since the epoch; undefined while nothing is held. */
  heldUntil;

  show(id) {
    return SHOWS.find((show) => show.id === id);
  }

  priceOf(show, seat) {
    return show.prices[zoneOf(seat)];
  }

  /** "free", "sold" or "held". */
  stateOf(showId, seat) {
    if (this.#sold.get(showId).has(seat)) return "sold";
    return this.#held.get(showId)?.has(seat) ? "held" : "free";
  }

  freeSeats(showId, zone) {
    const rows = zone ? ZONES[zone] : ROWS;
    return rows.flatMap(seatsOfRow).filter((seat) => this.stateOf(showId, seat) === "free");
  }

  hold(showId, seats) {
    const show = this.show(showId);
    const wanted = seats.filter((seat) => this.stateOf(showId, seat) !== "held");
    const sold = wanted.filter((seat) => this.stateOf(showId, seat) === "sold");
    if (sold.length > 0) {
      const others = this.freeSeats(showId, zoneOf(sold[0])).slice(0, 5);
      const hint = others.length > 0
        ? `Free in the ${zoneOf(sold[0])} zone: ${others.join(", ")}.`
        : `The ${zoneOf(sold[0])} zone is sold out.`;
      throw new Error(`Sold already for ${describeShow(show)}: ${sold.join(", ")}. Nothing was held. ${hint}`);
    }
    const count = this.basket().seatCount + wanted.length;
    if (count > MOST_SEATS) {
      throw new Error(`A basket holds at most ${MOST_SEATS} seats and this would make ${count}. Release some first.`);
    }
    const held = this.#held.get(showId) ?? new Set();
    for (const seat of wanted) held.add(seat);
    this.#held.set(showId, held);
    this.#restartHoldTimer();
    this.#changed();
    return this.basket();
  }

  /** Gives seats back. Without seats, all of that show; without a show, the whole basket. */
  release(showId, seats) {
    const shows = showId ? [showId] : [...this.#held.keys()];
    const released = [];
    for (const id of shows) {
      const held = this.#held.get(id);
      if (!held) continue;
      for (const seat of seats ?? [...held]) {
        if (held.delete(seat)) released.push(seat);
      }
      if (held.size === 0) this.#held.delete(id);
    }
    if (this.#held.size === 0) this.#stopHoldTimer();
    this.#changed();
    return { released, basket: this.basket() };
  }

  applyCode(text) {
    const code = text.trim().toUpperCase();
    const offer = CODES[code];
    if (!offer) {
      throw new Error(`There is no code “${code}”. The programme of this weekend names ${Object.keys(CODES).join(", ")}.`);
    }
    const lines = this.#lines();
    if (lines.length > 0 && offer.saving(lines) === 0) {
      throw new Error(`${code} gives ${offer.text}, and it needs ${offer.needs}. Hold those first, then try again.`);
    }
    this.#code = code;
    this.#changed();
    return { code, offer: offer.text, basket: this.basket() };
  }

  /** What is held and what it costs, in pence. */
  basket() {
    const lines = this.#lines();
    const subtotal = lines.reduce((total, line) => total + line.price, 0);
    const saving = this.#code ? CODES[this.#code].saving(lines) : 0;
    const seatCount = lines.reduce((count, line) => count + line.seats.length, 0);
    return { lines, seatCount, code: this.#code, subtotal, saving, total: subtotal - saving };
  }

  checkOut({ name, pickup, confirmTotal }) {
    const basket = this.basket();
    if (basket.seatCount === 0) {
      throw new Error("The basket is empty. Find seats with find_seats, hold them with hold_seats, then check out.");
    }
    if (confirmTotal !== undefined && Math.round(confirmTotal * 100) !== basket.total) {
      throw new Error(`The total is ${money(basket.total)}, not ${money(Math.round(confirmTotal * 100))}. Ask the person again with the right total.`);
    }
    if (pickup.method === "email" && !pickup.email) {
      throw new Error("To send tickets by email, pickup.email must be an address. Or use the method “desk”.");
    }
    for (const line of basket.lines) {
      for (const seat of line.seats) this.#sold.get(line.show.id).add(seat);
    }
    const order = { id: `L-${101 + this.#orders.length}`, name, pickup, lines: basket.lines, total: basket.total };
    this.#orders.unshift(order);
    this.#held.clear();
    this.#code = undefined;
    this.#stopHoldTimer();
    this.#changed();
    return order;
  }

  /** Newest first. */
  get orders() {
    return [...this.#orders];
  }

  /** Says in words what just happened; the page shows and speaks it. */
  announce(text, caller) {
    this.dispatchEvent(new CustomEvent("announce", { detail: { text, via: caller?.via ?? "page" } }));
  }

  #lines() {
    return [...this.#held].map(([id, held]) => {
      const show = this.show(id);
      const seats = [...held];
      return { show, seats, price: seats.reduce((total, seat) => total + this.priceOf(show, seat), 0) };
    });
  }

  #restartHoldTimer() {
    this.#stopHoldTimer();
    this.heldUntil = Date.now() + HOLD_MILLISECONDS;
    this.#holdTimer = setTimeout(() => {
      this.release();
      this.announce("Ten minutes are over: the seats are free again.");
    }, HOLD_MILLISECONDS);
  }

  #stopHoldTimer() {
    clearTimeout(this.#holdTimer);
    this.heldUntil = undefined;
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}

export function zoneOf(seat) {
  return Object.keys(ZONES).find((zone) => ZONES[zone].includes(seat.charAt(0)));
}

export function seatsOfRow(row) {
  return Array.from({ length: SEATS_PER_ROW }, (_, index) => `${row}${index + 1}`);
}

/** The same seats on every visit, so that a screenshot and a test can rely on them. */
function seatsSoldBefore(show) {
  const sold = ROWS.flatMap(seatsOfRow).filter((seat) => fraction(`${show.id} ${seat}`) < show.soldShare);
  return new Set(sold);
}

/** A fraction in [0, 1) that looks random and depends on the text alone. */
function fraction(text) {
  let hash = 2166136261;
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0), 16777619);
  hash = Math.imul(hash ^ (hash >>> 15), 2246822507);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}
