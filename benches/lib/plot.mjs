// A bar for each contestant, as many times the cheapest floor as it costs, with a dot for each round.
// A scale that would be ruled by one giant is cut, and says so.

import { escape } from "./report.mjs";
import { median } from "./stats.mjs";
import { amount } from "./words.mjs";

const width = 900;
const names = 330;
const room = 430;
const line = 26;

const kindOf = ({ id, floor }) => (floor ? "bare" : /^(modelport|tools|request|adopted)/.test(id) ? "own" : "other");

export function plot(rows) {
  if (rows.length === 0) return "";
  const base = Math.min(...rows.filter(({ contestant }) => contestant.floor).map((row) => row.median), Infinity);
  const unit = Number.isFinite(base) && base > 0 ? base : Math.max(...rows.map((row) => row.median));
  const highest = Math.max(...rows.map((row) => row.median / unit)) * 1.12;
  const most = Math.min(highest, 12);
  const x = (times) => names + (Math.min(Math.max(times, 0), most) / most) * room;
  const bars = rows.map((row, index) => {
    const y = index * line + 6;
    const times = row.median / unit;
    const dots = row.figures.map((figure) => `<circle class="round" cx="${x(figure / unit).toFixed(1)}" cy="${y + 8}" r="2"/>`).join("");
    const label = row.ratio ? `${row.ratio.median.toFixed(2)} ×` : "";
    const cut = times > most ? " …" : "";
    return `<text x="${names - 8}" y="${y + 13}" text-anchor="end">${escape(row.contestant.title)}</text>
<rect class="${kindOf(row.contestant)}" x="${names}" y="${y}" width="${(x(times) - names).toFixed(1)}" height="16" rx="2"/>${dots}
<text x="${names + room + 12}" y="${y + 13}">${label}${cut} <tspan class="soft">${amount(median(row.figures), row.unit)}</tspan></text>`;
  });
  const height = rows.length * line + 6;
  const one = Number.isFinite(base) ? `<line class="one" x1="${x(1)}" x2="${x(1)}" y1="2" y2="${height}"/>` : "";
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escape(rows.map((row) => `${row.contestant.title}: ${amount(row.median, row.unit)}`).join(", "))}">
<line class="axis" x1="${names}" x2="${names}" y1="0" y2="${height}"/>${bars.join("")}${one}</svg>`;
}
