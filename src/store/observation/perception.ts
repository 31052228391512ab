// The words of citizen sense as they may be published: in releases of five or more people (sense-release.ts).

import type { PrimaryState } from '../../domain/atmosphere/primary-state.ts';
import { WHOLE_CITY } from '../../domain/city/districts.ts';
import {
  releaseSenses,
  type SenseRelease,
  type SlotSenses,
  senseDayStart,
} from '../../domain/perception/sense-release.ts';
import type { Window } from '../../domain/time/window.ts';
import type { Zone } from '../../domain/time/zone.ts';
import type { Reader } from '../engine/store.ts';
import { windowAndDays, withinDays } from '../rows/day-index.ts';
import { ofDistrict } from '../rows/district-rows.ts';
import { lastRun } from '../runtime/job-runs.ts';

/** The newest slot that has been observed: what the sources measured at it and before is written, and no more follows. */
export const lastObservedSlot = (store: Reader): Promise<number | null> => lastRun(store, 'atmosphere');

/** A release with the state that was read at its slot; null where there was no reading. */
type ReadRelease = SenseRelease & { primary_state: PrimaryState | null };

/** What people said within a window, as it may be published. */
interface Perception {
  releases: ReadRelease[];
  /** All who answered, whatever they chose: shown only where nothing is released. */
  answered: number;
}

/** One pocket, or those of a district; by default all of them. */
interface Whose {
  pocket?: string;
  district?: string;
}

export const senseReleasesWithin = async (
  store: Reader,
  window: Window,
  zone: Zone,
  whose?: Whose,
): Promise<ReadRelease[]> => (await perceptionWithin(store, window, zone, whose)).releases;

/**
 * The releases within a window, of one pocket or of many, and how many answered. Rows of a slot that is not observed yet
 * are left out: more could be added to it, and the difference between the answers before and after would be few people.
 */
export async function perceptionWithin(
  store: Reader,
  { after, until }: Window,
  zone: Zone,
  { pocket, district = WHOLE_CITY }: Whose = {},
): Promise<Perception> {
  const observed = await lastObservedSlot(store);
  if (observed === null) return { releases: [], answered: 0 };
  const last = Math.min(until, observed);
  const { and, params } =
    pocket === undefined ? ofDistrict('pocket_id', district) : { and: 'and pocket_id = ?', params: [pocket] };
  // Batches begin with the day, wherever the window does. Words of a slot may come in any order.
  const rows = await store.all<SlotSenses>(
    `select pocket_id, slot, word, people, countable_from from sensed_words
     where ${withinDays('slot')} and (countable_from is null or countable_from <= ?) ${and}
     order by slot`,
    ...windowAndDays({ after: senseDayStart(after, zone) - 1, until: last }),
    last,
    ...params,
  );
  const releases = releaseSenses(rows, zone).filter(({ slot }) => slot > after);
  const answered = rows.reduce((sum, { slot, people }) => sum + (slot > after ? people : 0), 0);
  if (releases.length === 0) return { releases: [], answered };
  // Not joined with the rows above: far fewer slots have a release than have words.
  const readings = await store.all<{ pocket_id: string; slot: number; primary_state: PrimaryState }>(
    `select pocket_id, slot, primary_state from atmosphere_readings
     where ${withinDays('slot')} ${and}`,
    ...windowAndDays({ after, until: last }),
    ...params,
  );
  const states = new Map(
    readings.map(({ pocket_id, slot, primary_state }) => [`${pocket_id} ${slot}`, primary_state]),
  );
  const read = releases.map((release) => ({
    ...release,
    primary_state: states.get(`${release.pocket_id} ${release.slot}`) ?? null,
  }));
  return { releases: read, answered };
}
