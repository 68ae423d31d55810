// Figures and verdicts as people read them.

export const escape = (text) => String(text).replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);

export const ratioText = (value) => `${value.toFixed(value < 0.1 ? 3 : 2)} ×`;

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`;

const show = { atMost: ratioText, atLeast: ratioText, atMostMore: megabytes, below: (value) => `${value.toFixed(1)} ms` };
const sign = { atMost: "≤", atLeast: "≥", atMostMore: "≤", below: "<" };

export const ratioOf = ({ kind, ratio }) => show[kind](ratio.median);
export const spreadOf = ({ kind, ratio }) => `${show[kind](ratio.low)} – ${show[kind](ratio.high)}`;
export const boundOf = ({ kind, bound }) => `${sign[kind]} ${show[kind](bound)}`;

export const verdictOf = ({ holds, why }) => (why ? "not judged" : holds ? "holds" : "falls short");

/** A goal in one line: name, ratio, spread, goal, verdict. */
export function goalLine(goal, width) {
  const name = goal.name.padEnd(width);
  const verdict = verdictOf(goal).padEnd(11);
  if (goal.why) return `${verdict}  ${name}  ${goal.why}`;
  return `${verdict}  ${name}  ${ratioOf(goal).padStart(8)}  (${spreadOf(goal)})  goal ${boundOf(goal)} ${goal.than ?? goal.floor}`.trimEnd();
}

/** Milliseconds or bytes in the unit that suits their size. */
export function amount(value, unit = "time") {
  if (unit === "bytes") return megabytes(value);
  if (value < 1) return `${(value * 1000).toPrecision(3)} µs`;
  return value < 1000 ? `${value.toPrecision(3)} ms` : `${(value / 1000).toPrecision(3)} s`;
}
