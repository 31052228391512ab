// Forecasts by leaf: a row of the store has those that a pocket sealed together, and the leaf of the first of them. So who
// asks by leaf names first leaves too, and an order by leaf is one by the first leaf and the place after it.
import { TILE_WIDTH } from '../../ledger/tiles.ts';

/** A row has no more forecasts than this: their confidences are ten bits each, and a number is exact below 2⁵³. */
export const MOST_TOGETHER = 5;
/** A confidence is 0 to 1000 thousandths. */
const CONFIDENCE_UNITS = 1024;

/** The condition for forecasts from one leaf up to but without another; its parameters are `forecastRange`. */
export const forecastsWithin = (leaf: string, first: string): string =>
  `${first} > ? and ${first} < ? and ${leaf} >= ? and ${leaf} < ?`;

export const forecastRange = (from: number, until: number): [number, number, number, number] => [
  from - MOST_TOGETHER,
  until,
  from,
  until,
];

/** An order by leaf that an index gives. */
export const byForecastLeaf = (x: string, order: 'asc' | 'desc'): string =>
  `${x}.first_leaf ${order}, ${x}.place ${order}`;

/** The SQL for the first leaf of the row that has a forecast, for a join with what names the forecast. */
export const firstLeafOf = (leaf: string): string =>
  `(select max(s.leaf) from forecast_sets s where s.leaf <= ${leaf})`;

/** The first in the lowest bits, as the view `predictions` reads them. */
export const packConfidences = (thousandths: readonly number[]): number =>
  thousandths.reduceRight((packed, one) => packed * CONFIDENCE_UNITS + one, 0);

/**
 * Splits what is sealed, in the order of its leaves, into what a row has: no more than `MOST_TOGETHER` of the same key, of
 * which the leaves follow one another within a bundle.
 */
export function groupTogether<Row extends { leaf: number }>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): Row[][] {
  const groups: Row[][] = [];
  let key: string | undefined;
  for (const row of rows) {
    const group = groups.at(-1);
    const own = keyOf(row);
    const isNext =
      group !== undefined &&
      own === key &&
      row.leaf === (group.at(-1)?.leaf ?? 0) + 1 &&
      row.leaf % TILE_WIDTH !== 0 &&
      group.length < MOST_TOGETHER;
    if (isNext) group.push(row);
    else groups.push([row]);
    key = own;
  }
  return groups;
}
