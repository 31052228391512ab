import type { PrimaryState } from '../domain/states.ts';
import type { Reader } from './store.ts';

export interface PastReading {
  slot: number;
  pocket_id: string;
  calm: number;
  primary_state: PrimaryState;
  rain_mm: number | null;
  footfall: number | null;
  transit_crowding: number | null;
}

/** What a forecaster learns from, of every pocket, after `after` and before `before`, oldest first. */
export const pastReadings = (store: Reader, after: number, before: number): Promise<PastReading[]> =>
  store.all<PastReading>(
    `select r.slot, r.pocket_id, r.calm, r.primary_state, e.rain_mm, e.footfall, e.transit_crowding
     from atmosphere_readings r
     join env_snapshots e on e.slot = r.slot and e.pocket_id = r.pocket_id
     where r.slot > ? and r.slot < ? order by r.slot`,
    after,
    before,
  );
