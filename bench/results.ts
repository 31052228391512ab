// The rows of the result table.
import { median } from '../scripts/quantiles.ts';

/** What was measured, what it is compared with, and the ratio of the two. */
export interface Comparison {
  what: string;
  /** Both figures depend on the machine; only their ratio can be compared between machines. */
  value: string;
  reference: string;
  /** One for each round. */
  ratios: number[];
  target?: { atLeast: number } | { atMost: number };
}

export interface Skipped {
  what: string;
  /** Why it was not measured. */
  skipped: string;
}

export type Row = Comparison | Skipped;

/** Ratios are computed within a round, in which both sides had the same conditions. */
export function compare(
  what: string,
  values: readonly number[],
  references: readonly number[],
  { unit = '', ...rest }: { unit?: string; target?: NonNullable<Comparison['target']> } = {},
): Comparison {
  return {
    what,
    value: `${formatFigure(median(values))}${unit}`,
    reference: `${formatFigure(median(references))}${unit}`,
    ratios: values.map((value, round) => value / (references[round] ?? Number.NaN)),
    ...rest,
  };
}

export const formatFigure = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : Number(value.toPrecision(2)).toString();

const header = ['measurement', 'value', 'compared with', 'ratio', 'lowest–highest', 'target'];

export const resultTable = (rows: readonly Row[]): string[][] => [header, ...rows.map(resultCells)];

function resultCells(row: Row): string[] {
  if ('skipped' in row) return [row.what, `skipped: ${row.skipped}`, '', '', '', ''];
  const { what, value, reference, ratios, target } = row;
  const range = `${formatRatio(Math.min(...ratios))}–${formatRatio(Math.max(...ratios))}`;
  const ratio = median(ratios);
  return [what, value, reference, formatRatio(ratio), range, target ? verdict(ratio, target) : ''];
}

const formatRatio = (value: number): string => (value < 0.1 ? value.toPrecision(1) : value.toFixed(2));

function verdict(ratio: number, target: NonNullable<Comparison['target']>): string {
  if ('atLeast' in target) return `≥ ${target.atLeast}: ${ratio >= target.atLeast ? 'met' : 'missed'}`;
  return `≤ ${target.atMost}: ${ratio <= target.atMost ? 'met' : 'missed'}`;
}
