// The readings of the last hours, of every pocket, by half hour and newest first. Most of those hours are not rolled up
// yet, so the rows themselves are read.
import type { Window } from '../../domain/time/window.ts';
import type { Reader } from '../engine/store.ts';

/** The half hour that a slot is in, where each ends with a full or half hour. */
const halfHourSql = (slot: string): string => `(${slot} - 900000) / 1800000`;

export interface CalmHalfHour {
  pocket_id: string;
  readings: number;
  /** Sum of the readings' calm: of two fractions at most, so that it is the same on both engines. */
  calm: number;
}

export const calmHalfHours = (store: Reader, { after, until }: Window): Promise<CalmHalfHour[]> =>
  store.all<CalmHalfHour>(
    `select pocket_id, ${halfHourSql('slot')} as half_hour, count(*) as readings, sum(calm) as calm
     from atmosphere_readings where slot > ? and slot <= ?
     group by pocket_id, half_hour order by half_hour desc`,
    after,
    until,
  );
