// A row for each contestant on one logarithmic scale: a dot for the median of the rounds' ratios, a line from the
// lowest to the highest. Widths are percentages, so that a narrow page shows the same plot.

import { median, spread } from "./stats.mjs";
import { amount, escape, ratioText } from "./words.mjs";

const ticks = [0.001, 0.01, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000, 10_000];

const kindOf = ({ floor }, isOwn) => (isOwn ? "own" : floor ? "bare" : "other");

/** A scale from 0 to 100 % on which all ratios have a place, 1 included. */
function scaleOf(ratios) {
  const all = ratios.flatMap(({ low, high }) => [low, high]).filter((value) => value > 0);
  const low = Math.log(Math.min(1, ...all) * 0.85);
  const high = Math.log(Math.max(1.2, ...all) * 1.15);
  const place = (value) => Math.max(0, Math.min(100, ((Math.log(value) - low) / (high - low)) * 100));
  const shown = ticks.filter((tick) => Math.log(tick) > low && Math.log(tick) < high);
  return { place: (value) => `${place(Math.max(value, 1e-6)).toFixed(2)}%`, shown: shown.length > 5 ? shown.filter((tick) => !/^3/.test(String(tick)) && tick !== 0.3) : shown };
}

const gridOf = ({ place, shown }) => shown.map((tick) => `<line class="${tick === 1 ? "one" : "grid"}" x1="${place(tick)}" x2="${place(tick)}" y1="0" y2="20"/>`).join("");

const against = (figures, base) => spread(figures.map((figure, index) => figure / base[index]));

/**
 * `rows` are those of summary.mjs; `isOwn` tells ours. Ratios are to the cheapest floor, or where there is none to
 * the first row, and in a second column to ours.
 */
export function plot(rows, isOwn) {
  const own = rows.find(({ contestant }) => isOwn(contestant));
  const floor = rows.filter(({ contestant }) => contestant.floor).sort((a, b) => a.median - b.median)[0];
  const base = floor ?? rows[0];
  if (!base) return "";
  const entries = rows.map((row) => ({ ...row, ratio: against(row.figures, base.figures), toOwn: own && against(row.figures, own.figures) }));
  const scale = scaleOf(entries.map(({ ratio }) => ratio));
  const axis = scale.shown.map((tick) => `<text x="${scale.place(tick)}" y="15" text-anchor="middle">${tick}</text>`).join("");
  const head = `<div class="row head"><span class="name"></span><svg aria-hidden="true">${axis}</svg><span class="n">${floor ? "× floor" : "× first"}</span><span class="n">${floor && own ? "× ours" : ""}</span></div>`;
  const lines = entries.map(({ contestant, figures, unit, ratio, toOwn }) => {
    const about = `${contestant.title}: ${ratioText(ratio.median)} (${ratioText(ratio.low)} – ${ratioText(ratio.high)}); here ${amount(median(figures), unit)}`;
    return `<div class="row ${kindOf(contestant, isOwn(contestant))}"><span class="name">${escape(contestant.title)}</span><svg role="img" aria-label="${escape(about)}"><title>${escape(about)}</title>${gridOf(scale)}<line class="reach" x1="${scale.place(ratio.low)}" x2="${scale.place(ratio.high)}" y1="10" y2="10"/><circle class="dot" cx="${scale.place(ratio.median)}" cy="10" r="4.5"/></svg><span class="n">${ratioText(ratio.median)}</span><span class="n">${floor && toOwn ? ratioText(toOwn.median) : ""}</span></div>`;
  });
  return head + lines.join("");
}
