// Two feeds of a small town and what they gave: one is well, the other has failed. A key stands wherever a city file or
// a publisher may bring one, so that tests can look for it in answers.
import assert from 'node:assert/strict';
import type { Registry } from '../../../src/domain/city/city.ts';
import { pocketSignalKinds } from '../../../src/domain/signals/signal.ts';
import type { Snapshot } from '../../../src/domain/signals/snapshot.ts';
import { MINUTE } from '../../../src/domain/time/slot.ts';
import { cityDir } from '../../../src/registry/city-dir.ts';
import { loadRegistry } from '../../../src/registry/load.ts';
import type { Feed } from '../../../src/sources/core/feed.ts';
import { describeFeeds } from '../../../src/sources/core/feed-terms.ts';
import { adapters } from '../../../src/sources/live/all.ts';
import type { Store } from '../../../src/store/engine/store.ts';
import { compressBody, writeBodies } from '../../../src/store/feeds/archive.ts';
import { takeBudget } from '../../../src/store/feeds/budget.ts';
import { type FeedState, leaseFeed, writeFeedState } from '../../../src/store/feeds/feed-states.ts';
import { type StoredMeasurement, writeMeasurements } from '../../../src/store/feeds/measurements.ts';
import { writeReadings } from '../../../src/store/observation/readings.ts';
import { writeSnapshots } from '../../../src/store/observation/snapshots.ts';
import { reading } from './decisions.ts';

export const SECRET = 'k3y-of-the-town';

const common = {
  adapter: 'generic-json',
  every_seconds: 300,
  publisher: 'The Town',
  limit: { requests: 10, seconds: 3600 },
  licence: 'CC BY 4.0',
  key: { env: 'FEED_KEY_TOWN', header: 'x-town-key' },
  reach_m: 500,
  settings: { url: `https://town.example/data?apikey=${SECRET}` },
};

const feeds: Feed[] = [
  {
    ...common,
    id: 'parking',
    title: 'Car parks',
    attribution: 'Car parks of The Town, read on {date}',
    fields: {
      free: { measures: 'crowd', what: 'free places', points: 'down', proxy: true, fresh_minutes: 30 },
    },
  },
  {
    ...common,
    id: 'counters',
    title: 'Bike counters',
    attribution: 'Counters of The Town',
    fields: {
      bikes: { measures: 'crowd', what: 'bikes', within_slot: 'sum', stamp_minutes: 5, fresh_minutes: 60 },
      rain: { measures: 'rain_mm', what: 'rain', fresh_minutes: 60 },
    },
  },
];

/** A learned city with those feeds. */
export function townRegistry(): Registry {
  return { ...loadRegistry(cityDir('muenster')), feeds: describeFeeds(feeds, adapters) };
}

export const parkingBytes = Buffer.from('<html><script>free: 120</script>');

const none = Object.fromEntries(pocketSignalKinds.map((kind) => [kind, null])) as Snapshot['values'];

/** States, measurements and bodies received before `slot`, and the snapshot and reading of domplatz at it. */
export async function writeTown(store: Store, slot: number): Promise<void> {
  await writeState(store, 'parking', slot, {
    last_attempt: slot - MINUTE,
    last_success: slot - MINUTE,
    newest_observed: slot - 4 * MINUTE,
    next_due: slot + 4 * MINUTE,
    rows_kept: 1,
    places: 1,
    pockets: ['domplatz'],
    faults: { stale: 2 },
    faults_total: { stale: 5, no_data: 1 },
  });
  await writeState(store, 'counters', slot, {
    last_attempt: slot - MINUTE,
    last_success: slot - 47 * MINUTE,
    last_error: 'the answer has status 500',
    failures: 9,
    breaker: 'open',
  });
  for (const at of [slot - 20 * MINUTE, slot - MINUTE])
    assert.ok((await takeBudget(store, common.publisher, common.limit, 1, at)).admitted);
  const parking = await compressBody('parking', 'https://town.example/data?apikey=withheld', parkingBytes);
  const older = await compressBody('counters', 'https://town.example/data', Buffer.from('1'));
  const measured = (changes: Partial<StoredMeasurement>): StoredMeasurement => ({
    ...{ feed: 'counters', place_id: 'old bridge/north', lat: 51.96, lng: 7.62, field: 'bikes', value: 3 },
    ...{ observed_at: slot - 10 * MINUTE, received_at: slot - 47 * MINUTE, body: older.hash },
    ...changes,
  });
  await store.transaction(async (tx) => {
    await writeBodies(tx, [parking], slot - MINUTE);
    await writeMeasurements(tx, [
      measured({
        feed: 'parking',
        place_id: 'theatre',
        field: 'free',
        received_at: slot - MINUTE,
        body: parking.hash,
      }),
      measured({ feed: 'parking', place_id: 'theatre', field: 'free', observed_at: slot - 20 * MINUTE }),
      // Two intervals of five minutes within the quarter hour, and one before it.
      measured({ observed_at: slot - 10 * MINUTE }),
      measured({ observed_at: slot - 15 * MINUTE }),
      measured({ observed_at: slot - 25 * MINUTE }),
      measured({ field: 'rain', observed_at: null, body: null }),
      // What arrived after the slot is no part of it.
      measured({ observed_at: slot - 6 * MINUTE, received_at: slot + MINUTE }),
    ]);
    const observed = { observed_at: slot - 5 * MINUTE, received_at: slot - MINUTE, fresh: true };
    const snapshot: Snapshot = {
      ...{
        pocket_id: 'domplatz',
        slot,
        values: { ...none, rain_mm: 0 },
        crowd: 0.4,
        crowd_gap: null,
        completeness: 0.5,
      },
      provenance: [
        { kind: 'rain_mm', source: 'counters/old bridge/north', ...observed },
        { kind: 'crowd', source: 'counters/old bridge/north', ...observed },
        { kind: 'crowd', source: 'parking/theatre', ...observed },
      ],
    };
    await writeSnapshots(tx, [snapshot], 'live');
    await writeReadings(tx, [reading({ pocket: 'domplatz', slot, gate: null })]);
  });
}

async function writeState(store: Store, feed: string, now: number, changes: Partial<FeedState>) {
  const state = await leaseFeed(store, feed, 'test', now, now + MINUTE);
  assert.ok(state);
  await store.transaction((tx) => writeFeedState(tx, { ...state, ...changes }, 'test'), 'feeds');
}
