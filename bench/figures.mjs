import { readFileSync } from 'node:fs';

const budgets = JSON.parse(readFileSync(new URL('../budget.json', import.meta.url), 'utf8'));

/** Goal of a figure that stands in `budget.json`. */
export const budget = (name) => ({ atMost: budgets[name] });

/**
 * One figure of one round. A part returns a list of them; figures of one name in several rounds form a row of the table.
 * @param value NaN when the round did not measure it
 * @param bound goal of the figure, { atMost } or { atLeast }
 */
export const figure = (name, value, unit, bound = {}) => ({ name, value, unit, ...bound });

export const median = (values) => {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
};

/** Rows by name, in order of first appearance. */
export function summarise(figures) {
  const rows = new Map();
  for (const { name, value, unit, atMost, atLeast } of figures) {
    const row = rows.get(name) ?? { name, unit, atMost, atLeast, values: [] };
    if (!Number.isNaN(value)) row.values.push(value);
    rows.set(name, row);
  }
  return [...rows.values()].map((row) => {
    const { values, atMost, atLeast } = row;
    if (values.length === 0) return { ...row, goal: 'not measured' };
    const middle = median(values);
    const spread = middle === 0 ? 0 : (Math.max(...values) - Math.min(...values)) / middle;
    return {
      ...row,
      median: middle,
      least: Math.min(...values),
      most: Math.max(...values),
      spread,
      goal: verdict(middle, atMost, atLeast),
    };
  });
}

function verdict(value, atMost, atLeast) {
  if (atMost !== undefined) {
    return value <= atMost
      ? `reached (≤ ${atMost})`
      : `not reached: ${short(value / atMost)} × the goal of ≤ ${atMost}`;
  }
  if (atLeast !== undefined) {
    return value >= atLeast
      ? `reached (≥ ${atLeast})`
      : `not reached: ${short(value / atLeast)} × the goal of ≥ ${atLeast}`;
  }
  return '';
}

export const short = (value) => {
  if (!Number.isFinite(value)) return String(value);
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en');
  return String(Number(value.toPrecision(3)));
};

/** Formats the rows as a Markdown table. */
export function table(rows) {
  const cells = rows.map((row) => [
    row.name,
    row.values.length > 0 ? `${short(row.median)} ${row.unit}` : '–',
    row.values.length > 1 ? `${short(row.least)}–${short(row.most)}` : '',
    row.goal,
  ]);
  const head = ['figure', 'median', 'range', 'goal'];
  const widths = head.map((title, column) => Math.max(title.length, ...cells.map((line) => line[column].length)));
  const line = (texts) => `| ${texts.map((text, column) => text.padEnd(widths[column])).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...cells.map(line)].join('\n');
}
