// What is on this weekend, what seats cost and which codes are valid. Data only; nothing here changes.

export const NIGHTS = ["friday", "saturday", "sunday"];
export const KINDS = ["play", "cabaret", "family", "music"];

/** The house, from the stage backwards. */
export const ZONES = { front: ["A", "B"], middle: ["C", "D"], back: ["E", "F"] };
export const ROWS = Object.values(ZONES).flat();
export const SEATS_PER_ROW = 10;
/** The aisle runs behind this seat number. */
export const AISLE_AFTER = 5;
/** The only row that can be reached without steps. */
export const STEP_FREE_ROW = "F";

const evening = { front: 2400, middle: 1800, back: 1200 };

/** Prices are in pence. `soldShare` is how full the house is before anybody on this page buys. */
export const SHOWS = [
  {
    id: "tempest-friday", title: "The Tempest by Lamplight", night: "friday", time: "19:30", kind: "play",
    minutes: 140, prices: evening, soldShare: 0.45,
    blurb: "Shakespeare’s island, six actors and forty oil lamps.",
  },
  {
    id: "owls-friday", title: "Night Owls", night: "friday", time: "22:15", kind: "cabaret",
    minutes: 75, prices: { front: 1600, middle: 1300, back: 1000 }, soldShare: 0.25,
    blurb: "Songs, card tricks and a very old piano.",
  },
  {
    id: "fox-saturday", title: "The Fox Who Stole Noon", night: "saturday", time: "14:00", kind: "family",
    minutes: 55, prices: { front: 1200, middle: 1000, back: 800 }, soldShare: 0.35,
    blurb: "A shadow-puppet story for anyone over four.",
  },
  {
    id: "tempest-saturday", title: "The Tempest by Lamplight", night: "saturday", time: "19:30", kind: "play",
    minutes: 140, prices: evening, soldShare: 0.7,
    blurb: "The last night. The lamps go home on Sunday.",
  },
  {
    id: "candles-sunday", title: "Four Candles Quartet", night: "sunday", time: "16:00", kind: "music",
    minutes: 95, prices: { front: 2000, middle: 1600, back: 1100 }, soldShare: 0.3,
    blurb: "Haydn and Shostakovich while the daylight goes.",
  },
];

export const SHOW_IDS = SHOWS.map((show) => show.id);

export function isMatinee(show) {
  return show.time < "17:00";
}

/** Each code says what it does and how much it takes off, in pence, given the lines of a basket. */
export const CODES = {
  LAMPLIGHT: {
    text: "10% off everything",
    saving: (lines) => Math.round(sum(lines) * 0.1),
  },
  MATINEE: {
    text: "20% off afternoon shows",
    saving: (lines) => Math.round(sum(lines.filter((line) => isMatinee(line.show))) * 0.2),
    needs: "seats for an afternoon show (fox-saturday or candles-sunday)",
  },
  FRIENDS: {
    text: "£5 off when seats come to £40 or more",
    saving: (lines) => (sum(lines) >= 4000 ? 500 : 0),
    needs: "seats worth £40 or more",
  },
};

function sum(lines) {
  return lines.reduce((total, line) => total + line.price, 0);
}

/** Pence as people write it: 4320 is "£43.20", 1800 is "£18". */
export function money(pence) {
  return `£${pence % 100 === 0 ? pence / 100 : (pence / 100).toFixed(2)}`;
}

export function capitalised(word) {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** "The Tempest by Lamplight, Friday 19:30" */
export function describeShow(show) {
  return `${show.title}, ${capitalised(show.night)} ${show.time}`;
}
