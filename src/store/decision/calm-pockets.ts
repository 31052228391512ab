import { CURRENT_FOR, type Moment } from '../../domain/decision/moment.ts';
import type { Reader } from '../engine/store.ts';

export type CalmPocket = Pick<
  Moment,
  'pocket_id' | 'primary_state' | 'calm_probability' | 'half_life_minutes' | 'expires_at'
>;

/**
 * The calmest pockets whose newest moment is current, has no reason for silence and a calm probability of at least
 * `least`; calmest first, then the longest half-life.
 */
export function calmPockets(store: Reader, now: number, least: number, limit: number): Promise<CalmPocket[]> {
  return store.all<CalmPocket>(
    `select m.pocket_id, m.primary_state, m.calm_probability, m.half_life_minutes, m.expires_at
     from moments m
     join (select pocket_id, max(slot) as slot from moments where slot > ? and slot <= ? group by pocket_id) newest
       on newest.slot = m.slot and newest.pocket_id = m.pocket_id
     where m.silence_reasons = '[]' and m.calm_probability >= ? and m.expires_at > ?
     order by m.calm_probability desc, m.half_life_minutes desc, m.pocket_id
     limit ?`,
    now - CURRENT_FOR,
    now,
    least,
    now,
    limit,
  );
}
