import { currentSlots, type Reading } from '../../domain/atmosphere/reading.ts';
import type { Reader } from '../engine/store.ts';
import { type MomentRecord, type MomentRow, momentFromRow } from './moments.ts';

/** A current moment with its reading and rain, as composing a line or scoring legitimacy needs them. */
export interface SituationRecord extends MomentRecord {
  reading: Pick<Reading, 'slot' | 'calm' | 'stress' | 'social_energy' | 'productive' | 'completeness'>;
  rain_mm: number | null;
}

export async function currentSituation(
  store: Reader,
  pocket: string,
  now: number,
): Promise<SituationRecord | null> {
  const row = await store.get<MomentRow & SituationRecord['reading'] & { rain_mm: number | null }>(
    `select m.*, r.calm, r.stress, r.social_energy, r.productive, r.completeness, e.rain_mm from moments m
     join atmosphere_readings r on r.slot = m.slot and r.pocket_id = m.pocket_id
     left join snapshots e on e.slot = m.slot and e.pocket_id = m.pocket_id
     where m.pocket_id = ? and m.slot in (?, ?) order by m.slot desc limit 1`,
    pocket,
    ...currentSlots(now),
  );
  if (!row) return null;
  const { slot, calm, stress, social_energy, productive, completeness, rain_mm } = row;
  const reading = { slot, calm, stress, social_energy, productive, completeness };
  return { ...momentFromRow(row), reading, rain_mm };
}
