// The words of citizen sense as they may be published: in releases of five or more people (sense-release.ts).

import {
  releaseSenses,
  type SenseRelease,
  type SlotSenses,
  senseDayOf,
} from '../../domain/atmosphere/sense-release.ts';
import type { Window } from '../../domain/time/window.ts';
import type { Zone } from '../../domain/time/zone.ts';
import { sameSlotAndPocket } from '../engine/slot-join.ts';
import type { Reader } from '../engine/store.ts';
import { lastRun } from '../runtime/job-runs.ts';

/** The newest slot that has been observed: what the sources measured at it and before is written, and no more follows. */
export const lastObservedSlot = (store: Reader): Promise<number | null> => lastRun(store, 'atmosphere');

/**
 * The releases within a window, of one pocket or of all. Rows of a slot that is not observed yet
 * are left out: more could be added to it, and the difference between the answers before and after would be few people.
 */
export async function senseReleasesWithin(
  store: Reader,
  { after, until }: Window,
  zone: Zone,
  pocket?: string,
): Promise<SenseRelease[]> {
  const observed = await lastObservedSlot(store);
  if (observed === null) return [];
  const last = Math.min(until, observed);
  // Batches begin with the day, wherever the window does.
  const rows = await store.all<SlotSenses>(
    `select s.pocket_id, s.slot, s.word, s.countable_from, r.primary_state, sum(s.people) as people
     from citizen_senses s
     left join atmosphere_readings r on ${sameSlotAndPocket('r', 's')}
     where ${pocket === undefined ? '' : 's.pocket_id = ? and'} s.slot >= ? and s.slot <= ?
       and (s.countable_from is null or s.countable_from <= ?)
     group by s.pocket_id, s.slot, s.word, s.countable_from, r.primary_state
     order by s.pocket_id, s.slot, coalesce(s.countable_from, 0), s.word`,
    ...(pocket === undefined ? [] : [pocket]),
    senseDayOf(after, zone),
    last,
    last,
  );
  return releaseSenses(rows, zone).filter(({ slot }) => slot > after);
}
