// The readings and people's words of the last hours, of every pocket, by half hour and newest first. Most of those hours
// are not rolled up yet, so the rows themselves are read.
import type { Sensed } from '../../domain/atmosphere/perception.ts';
import type { Window } from '../../domain/time/window.ts';
import { sameSlotAndPocket } from '../engine/slot-join.ts';
import type { Reader } from '../engine/store.ts';

/** The half hour that a slot is in, where each ends with a full or half hour. */
const halfHourOf = (slot: string): string => `(${slot} - 900000) / 1800000`;

export interface CalmHalfHour {
  pocket_id: string;
  readings: number;
  /** Sum of the readings' calm: of two fractions at most, so that it is the same on both engines. */
  calm: number;
}

export const calmHalfHours = (store: Reader, { after, until }: Window): Promise<CalmHalfHour[]> =>
  store.all<CalmHalfHour>(
    `select pocket_id, ${halfHourOf('slot')} as half_hour, count(*) as readings, sum(calm) as calm
     from atmosphere_readings where slot > ? and slot <= ?
     group by pocket_id, half_hour order by half_hour desc`,
    after,
    until,
  );

export const sensedHalfHours = (
  store: Reader,
  { after, until }: Window,
): Promise<(Sensed & { pocket_id: string })[]> =>
  store.all<Sensed & { pocket_id: string }>(
    `select s.pocket_id, ${halfHourOf('s.slot')} as half_hour, s.word, r.primary_state, sum(s.people) as people
     from citizen_senses s
     left join atmosphere_readings r on ${sameSlotAndPocket('r', 's')}
     where s.slot > ? and s.slot <= ?
     group by s.pocket_id, half_hour, s.word, r.primary_state
     order by half_hour desc, s.word, r.primary_state`,
    after,
    until,
  );
