// Medians and spreads. Nothing here knows what the numbers are.

export function quantile(numbers, part) {
  const sorted = numbers.toSorted?.((a, b) => a - b) ?? [...numbers].sort((a, b) => a - b);
  const place = (sorted.length - 1) * part;
  const low = Math.floor(place);
  const high = Math.ceil(place);
  return sorted[low] + (sorted[high] - sorted[low]) * (place - low);
}

export const median = (numbers) => quantile(numbers, 0.5);

/** Median, lowest and highest. */
export const spread = (numbers) => ({ median: median(numbers), low: Math.min(...numbers), high: Math.max(...numbers) });
