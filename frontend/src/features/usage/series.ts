import type { UsagePeriod, UsagePoint } from '@tanya/contract';
import { addAmounts, type Amount, amountOf, type Measure } from './measures';
import { stepsOf } from './period';

/** Names that a chart draws one by one; the others are drawn as one. */
const MAX_DRAWN = 5;

/** Amounts of one measure by step and name. */
export interface Breakdown {
  steps: string[];
  /** Largest amount first, then null for all further names together. */
  names: (string | null)[];
  /** The amounts of a step in the order of `names`. */
  rows: Amount[][];
}

/** Breaks a series of a report down by step and name. Steps without usage have amounts of 0. */
export function breakDown(points: readonly UsagePoint[], period: UsagePeriod, measure: Measure): Breakdown {
  const byName = new Map<string | null, Map<string, Amount>>();
  for (const point of points) {
    const amounts = byName.get(point.name) ?? new Map<string, Amount>();
    byName.set(point.name, amounts.set(point.day, amountOf(point, measure)));
  }
  const size = (name: string | null) =>
    name === null ? -1 : [...byName.get(name)!.values()].reduce((sum, amount) => sum + Number(amount), 0);
  const names = [...byName.keys()].sort((one, other) => size(other) - size(one));
  const steps = stepsOf(period);
  return { steps, names, rows: steps.map((step) => names.map((name) => amountAt(byName.get(name)!, step))) };
}

function amountAt(amounts: Map<string, Amount>, step: string): Amount {
  const amount = amounts.get(step);
  return amount === undefined ? '0' : amount;
}

/** Joins all but the largest names, as many as a chart can show legibly. */
export function joinSmall(whole: Breakdown): Breakdown {
  const { steps, names, rows } = whole;
  if (names.filter((name) => name !== null).length <= MAX_DRAWN) return whole;
  return {
    steps,
    names: [...names.slice(0, MAX_DRAWN), null],
    rows: rows.map((row) => [...row.slice(0, MAX_DRAWN), addAmounts(row.slice(MAX_DRAWN))]),
  };
}
