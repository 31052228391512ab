import { CURRENT_FOR } from '../../domain/atmosphere/reading.ts';
import type { Moment } from '../../domain/decision/moment.ts';
import type { Reader } from '../engine/store.ts';

export interface CalmReading
  extends Pick<
    Moment,
    'pocket_id' | 'primary_state' | 'calm_probability' | 'half_life_minutes' | 'expires_at' | 'window_ends_at'
  > {
  slot: number;
  /** The moment itself asks for silence. */
  silent: boolean;
}

/** The newest moment of each pocket that has a current one; calmest first, then the longest half-life. */
export async function calmReadings(store: Reader, now: number): Promise<CalmReading[]> {
  const rows = await store.all<Omit<CalmReading, 'silent'> & { silence_reasons: string }>(
    `select m.slot, m.pocket_id, m.primary_state, m.calm_probability, m.half_life_minutes, m.expires_at, m.window_ends_at,
       m.silence_reasons
     from moments m
     join (select pocket_id, max(slot) as slot from moments where slot > ? and slot <= ? group by pocket_id) newest
       on newest.slot = m.slot and newest.pocket_id = m.pocket_id
     where m.expires_at > ?
     order by m.calm_probability desc, m.half_life_minutes desc, m.pocket_id`,
    now - CURRENT_FOR,
    now,
    now,
  );
  return rows.map(({ silence_reasons, ...row }) => ({ ...row, silent: silence_reasons !== '[]' }));
}
