// The newest moments of many pockets, in the columns that a question needs: whole moments of a large city would fill the
// memory.
import { CURRENT_FOR, currentSlots } from '../../domain/atmosphere/reading.ts';
import type { Moment } from '../../domain/decision/moment.ts';
import type { MqsBand } from '../../domain/decision/moment-quality.ts';
import { allOfPockets } from '../engine/in-clause-chunks.ts';
import type { Reader } from '../engine/store.ts';

interface MomentColumns
  extends Pick<
    Moment,
    | 'pocket_id'
    | 'primary_state'
    | 'calm_probability'
    | 'calm_level'
    | 'calm_change'
    | 'fragility'
    | 'half_life_minutes'
    | 'expires_at'
    | 'window_ends_at'
    | 'window_held_share'
  > {
  slot: number;
  /** The list as JSON. */
  silence_reasons: string;
  band: MqsBand;
}

export type NewestMoment<Column extends keyof MomentColumns> = Pick<
  MomentColumns,
  Column | 'pocket_id' | 'slot'
>;

/**
 * The newest moment of each pocket that has a current one, in no order; of a few pockets, if `only` names them. Of the
 * slots before the newest only those pockets are read that it left out; of none where every one of `pockets` is in it.
 */
export async function newestMoments<Column extends keyof MomentColumns>(
  store: Reader,
  now: number,
  pockets: readonly { id: string }[],
  columns: readonly Column[],
  only?: readonly string[],
): Promise<NewestMoment<Column>[]> {
  type Found = NewestMoment<Column>;
  const after = now - CURRENT_FOR;
  const selected = `select ${['pocket_id', 'slot', ...columns].map((column) => `m.${column}`).join(', ')} from`;
  if (only)
    return allOfPockets<Found>(
      store,
      only,
      `${selected} asked a cross join moments m
       where m.pocket_id = a.pocket_id and m.slot = (select max(n.slot) from moments n
         where n.pocket_id = a.pocket_id and n.slot in (?, ?))`,
      ...currentSlots(now),
    );
  const select = `${selected} moments m`;
  const rows = await store.all<Found>(
    `${select} where m.slot = (select max(slot) from moments where slot > ? and slot <= ?)`,
    after,
    now,
  );
  const read = new Set(rows.map(({ pocket_id }) => pocket_id));
  const [newest] = rows;
  if (!newest || pockets.every(({ id }) => read.has(id))) return rows;
  const earlier = await store.all<Found>(
    `${select} where m.slot > ? and m.slot < ? and not exists
       (select 1 from moments n where n.pocket_id = m.pocket_id and n.slot > m.slot and n.slot <= ?)`,
    after,
    newest.slot,
    newest.slot,
  );
  return [...rows, ...earlier];
}

/** Whether the moment itself asks for silence. */
export const asksForSilence = ({ silence_reasons }: Pick<MomentColumns, 'silence_reasons'>): boolean =>
  silence_reasons !== '[]';

export interface CalmReading extends Omit<NewestMoment<(typeof calmColumns)[number]>, 'silence_reasons'> {
  /** The moment itself asks for silence. */
  silent: boolean;
}

const calmColumns = [
  'primary_state',
  'calm_probability',
  'half_life_minutes',
  'expires_at',
  'window_ends_at',
  'silence_reasons',
] as const;

/** The newest moment of each pocket that has a current one; calmest first, then the longest half-life. */
export async function calmReadings(
  store: Reader,
  now: number,
  pockets: readonly { id: string }[],
): Promise<CalmReading[]> {
  const rows = await newestMoments(store, now, pockets, calmColumns);
  return rows
    .filter(({ expires_at }) => expires_at > now)
    .sort(
      (a, b) =>
        b.calm_probability - a.calm_probability ||
        b.half_life_minutes - a.half_life_minutes ||
        (a.pocket_id < b.pocket_id ? -1 : 1),
    )
    .map((row) => ({
      slot: row.slot,
      pocket_id: row.pocket_id,
      primary_state: row.primary_state,
      calm_probability: row.calm_probability,
      half_life_minutes: row.half_life_minutes,
      expires_at: row.expires_at,
      window_ends_at: row.window_ends_at,
      silent: asksForSilence(row),
    }));
}
