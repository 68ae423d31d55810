// Looks through the house row by row for the best seats in one block. Slow on purpose: an usher does it on foot.

import { AISLE_AFTER, ROWS, SEATS_PER_ROW, SHOWS, STEP_FREE_ROW, describeShow } from "./programme.js";
import { seatsOfRow } from "./box_office.js";

const MILLISECONDS_PER_ROW = 200;
const MOST_ANSWERS = 3;

/** Resolves with the best blocks, best first. Stops at once when the signal is aborted. */
export async function findBestSeats(office, { party, nights, prefer, step_free }, { signal, progress }) {
  const shows = SHOWS.filter((show) => nights.includes(show.night));
  const total = shows.length * ROWS.length;
  const blocks = [];
  let step = 0;
  for (const show of shows) {
    for (const row of ROWS) {
      await pause(MILLISECONDS_PER_ROW, signal);
      if (!step_free || row === STEP_FREE_ROW) blocks.push(...freeBlocks(office, show, row, party, prefer));
      step += 1;
      progress({ progress: step, total, message: `${describeShow(show)}: row ${row}` });
    }
  }
  return blocks.sort((one, other) => one.score - other.score).slice(0, MOST_ANSWERS);
}

function freeBlocks(office, show, row, party, prefer) {
  const seats = seatsOfRow(row);
  const starts = Array.from({ length: SEATS_PER_ROW - party + 1 }, (_, index) => index);
  return starts
    .map((start) => seats.slice(start, start + party))
    .filter((block) => block.every((seat) => office.stateOf(show.id, seat) === "free"))
    .map((block) => {
      const price = block.reduce((sum, seat) => sum + office.priceOf(show, seat), 0);
      return { show, seats: block, price, score: score(block, price, prefer) };
    });
}

/** The lower the better. */
function score(block, price, prefer) {
  const numbers = block.map((seat) => Number(seat.slice(1)));
  const middle = numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  const offCentre = Math.abs(middle - (SEATS_PER_ROW + 1) / 2) + Math.abs(ROWS.indexOf(block[0].charAt(0)) - 2);
  const isAtAisle = numbers.includes(AISLE_AFTER) || numbers.includes(AISLE_AFTER + 1);
  switch (prefer) {
    case "price": return price * 10 + offCentre;
    case "aisle": return (isAtAisle ? 0 : 100) + offCentre;
    default: return offCentre;
  }
}

function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, milliseconds);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
