// How busy outlets were at a slot, in rows of up to five. The numbers of outlets fall into groups of five, and a row has what
// was measured together of one group: thousandths of ten bits each in one number. So a row is asked for by the group of an
// outlet. The view counted_outlets shows a measurement a row.
import { toThousandths } from '../engine/thousandths.ts';

/** As many thousandths of ten bits are below 2⁵³; as migrations/030_outlets_in_groups.sql has it. */
export const GROUP_WIDTH = 5;
const UNITS = 1024;
/** Each is stored one higher: 0 is an outlet that was not measured. */
const MOST_THOUSANDTHS = UNITS - 2;

export interface MeasuredOutlet {
  slot: number;
  outlet: number;
  /** As a share of the usual capacity; it is measured elsewhere, with as many decimals as others like. */
  activity: number;
}

/** A row of outlet_activity. */
export interface ActivityRow {
  slot: number;
  first_outlet: number;
  shares: number;
  /** The measurement of the only outlet of a row, where thousandths are not all of it. */
  activity: number | null;
}

export const groupOf = (outlet: number): number => Math.floor(outlet / GROUP_WIDTH);

/** The rows of measurements, each of another outlet or slot. */
export function packActivity(measured: readonly MeasuredOutlet[]): ActivityRow[] {
  const rows = new Map<string, ActivityRow>();
  for (const { slot, outlet, activity } of measured.toSorted((a, b) => a.outlet - b.outlet)) {
    const milli = toThousandths(activity) ?? 0;
    if (milli / 1_000 !== activity || milli < 0 || milli > MOST_THOUSANDTHS) {
      rows.set(`${slot} ${outlet} alone`, { slot, first_outlet: outlet, shares: 0, activity });
      continue;
    }
    const key = `${slot} ${groupOf(outlet)}`;
    const row = rows.get(key) ?? { slot, first_outlet: outlet, shares: 0, activity: null };
    row.shares += (milli + 1) * UNITS ** (outlet - row.first_outlet);
    rows.set(key, row);
  }
  return [...rows.values()];
}

/**
 * The condition for rows `x` of so many outlets; its parameters are `outletsTwice`. By their ids alone PostgreSQL may read the
 * rows of all outlets at a time, to look up the id of each. Of a list SQLite does not know that it has one member, whose rows
 * the index has in the order of slots.
 */
export function ofOutlets(x: string, count: number): string {
  const oneOf = (column: string) => {
    const each = Array(count).fill(`(select ${column} from outlet_numbers where outlet_id = ?)`);
    return count === 1 ? `= ${each}` : `in (${each.join(', ')})`;
  };
  return `${x}.outlet_group ${oneOf(`number / ${GROUP_WIDTH}`)} and ${x}.outlet ${oneOf('number')}`;
}

export const outletsTwice = (outlets: readonly string[]): string[] => [...outlets, ...outlets];

/** The outlets that may be the first of a row that has one of these. */
export const possibleFirsts = (outlets: readonly number[]): number[] =>
  [...new Set(outlets.map(groupOf))].flatMap((group) =>
    Array.from({ length: GROUP_WIDTH }, (_, place) => group * GROUP_WIDTH + place),
  );
