import type { Sensed } from '../../domain/atmosphere/perception.ts';
import type { Window } from '../../domain/time/window.ts';
import type { Reader } from '../engine/store.ts';

/**
 * How many people chose each word about a pocket within a window, by the primary state of the reading at the same slot
 * (null where there is none).
 */
export const citizenSensesWithin = (
  store: Reader,
  pocket: string,
  { after, until }: Window,
): Promise<Sensed[]> =>
  store.all<Sensed>(
    `select s.word, r.primary_state, sum(s.people) as people
     from citizen_senses s
     left join atmosphere_readings r on r.slot = s.slot and r.pocket_id = s.pocket_id
     where s.pocket_id = ? and s.slot > ? and s.slot <= ?
     group by s.word, r.primary_state order by s.word, r.primary_state`,
    pocket,
    after,
    until,
  );
