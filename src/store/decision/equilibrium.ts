import { type Dimensions, dimensions, type Equilibrium } from '../../domain/decision/equilibrium.ts';
import type { Window } from '../../domain/time/window.ts';
import type { Reader, Transaction } from '../engine/store.ts';
import { thousandthColumns } from '../engine/thousandths.ts';
import { windowAndDays, withinDays } from '../rows/day-index.ts';
import { rowsAt } from '../rows/district-rows.ts';
import { directionNumbers } from '../rows/word-numbers.ts';

export interface EquilibriumReading extends Equilibrium {
  pocket_id: string;
  slot: number;
}

type EquilibriumRow = Dimensions & Pick<EquilibriumReading, 'pocket_id' | 'slot' | 'composite' | 'direction'>;

export const writeEquilibria = (tx: Transaction, readings: readonly EquilibriumReading[]): Promise<void> =>
  tx.insert(
    'equilibrium_figures',
    readings.map(({ slot, pocket_id, dimensions, composite, direction }) => ({
      slot,
      pocket_id,
      direction: directionNumbers[direction],
      ...thousandthColumns({ ...dimensions, composite }),
    })),
  );

/** The composite of every pocket of a district at the newest equilibrium reading before `slot`. */
export async function compositesBefore(
  store: Reader,
  slot: number,
  district: string,
): Promise<Map<string, number | null>> {
  const newest = await store.get<{ slot: number | null }>(
    'select max(slot) as slot from equilibrium_readings where slot < ?',
    slot,
  );
  if (newest?.slot == null) return new Map();
  const rows = await rowsAt<{ composite: number | null }>(
    store,
    'equilibrium_readings',
    'composite',
    newest.slot,
    district,
  );
  return new Map([...rows].map(([pocket_id, { composite }]) => [pocket_id, composite]));
}

/** The equilibrium readings of a pocket within a window, oldest first. */
export async function equilibriaWithin(
  store: Reader,
  pocket: string,
  window: Window,
): Promise<EquilibriumReading[]> {
  const rows = await store.all<EquilibriumRow>(
    `select * from equilibrium_readings where pocket_id = ? and ${withinDays('slot')} order by slot`,
    pocket,
    ...windowAndDays(window),
  );
  return rows.map(fromRow);
}

const fromRow = (row: EquilibriumRow): EquilibriumReading => ({
  slot: row.slot,
  pocket_id: row.pocket_id,
  dimensions: Object.fromEntries(dimensions.map((dimension) => [dimension, row[dimension]])) as Dimensions,
  composite: row.composite,
  direction: row.direction,
});
