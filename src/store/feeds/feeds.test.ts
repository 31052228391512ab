import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { openMigratedStore, openStores } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { readRevision } from '../engine/revision.ts';
import type { Store } from '../engine/store.ts';
import { ArchiveError, compressBody, pruneBodies, readBody, writeBodies } from './archive.ts';
import { budgetUsed, pausePublisher, takeBudget } from './budget.ts';
import { forgetPlaces, knownPlaces, placeCounts, writePlaces } from './feed-places.ts';
import { dueTimes, feedStates, leaseFeed, renewLease, writeFeedState } from './feed-states.ts';
import {
  measurementsReceived,
  pruneMeasurements,
  type StoredMeasurement,
  writeMeasurements,
} from './measurements.ts';
import { measurementsBefore } from './provenance.ts';
import { sensorRuns, writeSensorRuns } from './sensor-runs.ts';

const MINUTE = 60_000;
const now = Date.parse('2026-06-10T10:00:00Z');
const measured = (changes: Partial<StoredMeasurement> = {}): StoredMeasurement => ({
  feed: 'parking',
  place_id: 'theatre',
  lat: 51.9657,
  lng: 7.6265,
  field: 'free',
  value: 120.5,
  observed_at: now - 5 * MINUTE,
  received_at: now - 4 * MINUTE,
  body: null,
  ...changes,
});
const write = (store: Store, ...rows: StoredMeasurement[]) =>
  store.transaction((tx) => writeMeasurements(tx, rows), 'feeds');

describeStores('feeds', (makePlace) => {
  test('a slot reads what had been received by then, the oldest observation first', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const untimed = measured({ place_id: 'hall', observed_at: null, lat: null, lng: null, expires_at: now });
    const older = measured({ observed_at: now - 9 * MINUTE, received_at: now - 2 * MINUTE, body: 'ab' });
    const sooner = { ...untimed, value: 1 };
    await write(store, untimed, measured(), older, measured({ place_id: 'late', received_at: now + 1 }));
    // Of two messages that were stored together each keeps its own time.
    await write(store, { ...sooner, arrived_at: untimed.received_at - 1 });
    await write(
      store,
      measured({ value: 7, received_at: now }),
      measured({ received_at: now - 61 * MINUTE, observed_at: 1 }),
    );
    assert.deepEqual(await measurementsReceived(store, now, 60 * MINUTE), [
      older,
      measured(),
      sooner,
      untimed,
    ]);
    const hall = { feed: 'parking', place_id: 'hall', field: 'free' };
    assert.equal((await measurementsBefore(store, hall, now, 9)).length, 2);
    assert.deepEqual(await measurementsBefore(store, hall, now + 1, 9), [], 'expired');
    await store.transaction((tx) => pruneMeasurements(tx, now));
    assert.equal((await measurementsReceived(store, now + MINUTE, 600 * MINUTE)).length, 1);
    assert.equal((await readRevision(store)).revision, 1, 'rows of feeds drop no cached answer');
  });

  test('a place that says that it is closed or has no data is stored as such', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const closed = measured({ value: Number.NaN, state: 'closed', high: 300 });
    const none = measured({ value: Number.NaN, state: 'no_data', observed_at: now - 4 * MINUTE });
    await write(store, closed, none);
    assert.deepEqual(await measurementsReceived(store, now, 60 * MINUTE), [closed, none]);
    const traced = await measurementsBefore(store, closed, now, 9);
    assert.deepEqual(
      traced.map(({ observed_at }) => observed_at),
      [closed.observed_at],
      'nothing rests on a row without data',
    );
  });

  test('a feed that is due is leased to one worker, and its state is written by that one', async (t) => {
    const stores = await openStores(t, makePlace, 3);
    const [store] = stores;
    assert.ok(store);
    const attempt = (time: number) =>
      Promise.all(stores.map((each, i) => leaseFeed(each, 'parking', `w${i} ${time}`, time, time + MINUTE)));
    const first = await attempt(now);
    assert.equal(first.filter(Boolean).length, 1);
    const winner = `w${first.findIndex(Boolean)} ${now}`;
    assert.deepEqual(await attempt(now + 1), [null, null, null]);
    const state = first.find(Boolean);
    assert.ok(state);
    const after = {
      ...state,
      next_due: now + 5 * MINUTE,
      last_success: now,
      pockets: ['dom'],
      faults: { stale: 2 },
    };
    assert.equal(await store.transaction((tx) => writeFeedState(tx, after, 'another')), false);
    assert.equal(await renewLease(store, 'parking', 'another', now + 9 * MINUTE), false);
    assert.equal(await renewLease(store, 'parking', winner, now + 2 * MINUTE), true);
    assert.deepEqual(await attempt(now + MINUTE), [null, null, null], 'the lease goes on');
    assert.equal(await store.transaction((tx) => writeFeedState(tx, after, winner)), true);
    assert.deepEqual(await feedStates(store), [after]);
    assert.deepEqual(await attempt(now + 4 * MINUTE), [null, null, null]);
    assert.deepEqual(await dueTimes(store), new Map([['parking', now + 5 * MINUTE]]));
    assert.equal((await attempt(now + 5 * MINUTE)).filter(Boolean).length, 1);
    // The worker died: the lease ends by itself.
    assert.equal((await attempt(now + 6 * MINUTE)).filter(Boolean).length, 1);
  });

  test('workers together stay within the limit of a publisher, in any span of its window', async (t) => {
    const stores = await openStores(t, makePlace, 3);
    const limit = { requests: 5, seconds: 60 };
    const sent: number[] = [];
    for (let time = now; time < now + 5 * MINUTE; time += 7_000)
      await Promise.all(
        stores.map(async (store) => {
          if ((await takeBudget(store, 'city', limit, 1, time)).admitted) sent.push(time);
        }),
      );
    for (const from of sent)
      assert.ok(sent.filter((at) => at >= from && at < from + MINUTE).length <= limit.requests);
    assert.ok(sent.length >= 20, `${sent.length} were sent`);
  });

  test('a budget says when to come again, counts what a request costs, and pauses after a 429', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const limit = { requests: 10, seconds: 60 };
    const take = (cost: number, at: number) => takeBudget(store, 'city', limit, cost, at);
    assert.deepEqual(await take(11, now), { admitted: false, retry_at: null });
    assert.deepEqual(await take(6, now), { admitted: true });
    assert.deepEqual(await take(4, now + 1_000), { admitted: true });
    assert.deepEqual(await take(1, now + 2_000), { admitted: false, retry_at: now + 61_000 });
    assert.deepEqual(await take(7, now + 2_000), { admitted: false, retry_at: now + 62_000 });
    assert.equal(await budgetUsed(store, 'city', limit, now + 2_000), 10);
    assert.deepEqual(await take(1, now + 61_000), { admitted: true });
    await pausePublisher(store, 'city', now + 90_000);
    await pausePublisher(store, 'city', now + 80_000);
    assert.deepEqual(await take(1, now + 89_000), { admitted: false, retry_at: now + 90_000 });
    assert.deepEqual(await takeBudget(store, 'other', null, 999, now), { admitted: true });
  });

  test('feeds of one publisher may state limits over different spans', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const daily = { requests: 2, seconds: 86_400 };
    const minutely = { requests: 5, seconds: 60 };
    const take = async (limit: typeof daily, at: number) =>
      (await takeBudget(store, 'city', limit, 1, at)).admitted;
    assert.equal(await take(daily, now), true);
    assert.equal(await take(minutely, now + 5 * MINUTE), true);
    assert.equal(await take(minutely, now + 10 * MINUTE), true);
    assert.equal(await take(daily, now + 15 * MINUTE), false);
  });

  test('bodies are read back byte for byte, and a damaged one is noticed', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const raw = Buffer.from([...Array(2000).keys()].map((n) => n % 256));
    const body = await compressBody('parking', 'https://feed.example/rows', raw);
    const empty = await compressBody('parking', 'https://feed.example/none', Buffer.alloc(0));
    assert.equal(body.hash, createHash('sha256').update(raw).digest('hex'));
    assert.ok(body.stored_size < raw.length);
    await store.transaction((tx) => writeBodies(tx, [body, body, empty], now), 'feeds');
    await store.transaction((tx) => writeBodies(tx, [body], now + 90 * MINUTE), 'feeds');
    const kept = await store.get<{ at: number }>('select max(last_received_at) as at from feed_bodies');
    assert.equal(kept?.at, now + 90 * MINUTE);
    const read = await readBody(store, 'parking', body.hash);
    assert.deepEqual([Buffer.from(read?.raw ?? []), read?.url, read?.received_at], [raw, body.url, now]);
    assert.equal((await readBody(store, 'parking', empty.hash))?.raw.length, 0);
    assert.equal(await readBody(store, 'bikes', body.hash), undefined);
    await store.transaction((tx) =>
      tx.run('update feed_bodies set content = ? where hash = ?', empty.content, body.hash),
    );
    await assert.rejects(readBody(store, 'parking', body.hash), ArchiveError);
    await store.transaction((tx) =>
      tx.run("update feed_bodies set content = 'AAAA' where hash = ?", body.hash),
    );
    await assert.rejects(readBody(store, 'parking', body.hash), ArchiveError);
  });

  test('the archive is bounded by days and by size, and the newest stay', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const bodies = await Promise.all(
      [0, 1, 2, 3].map((n) => compressBody('f', 'u', Buffer.from(`body ${n}`))),
    );
    for (const [n, body] of bodies.entries())
      await store.transaction((tx) => writeBodies(tx, [body], now + n), 'feeds');
    const left = async () => (await store.all('select hash from feed_bodies')).length;
    await store.transaction((tx) => pruneBodies(tx, now + 1, 1e9));
    assert.equal(await left(), 3);
    const [, , third, fourth] = bodies;
    await store.transaction((tx) =>
      pruneBodies(tx, 0, (third?.stored_size ?? 0) + (fourth?.stored_size ?? 0)),
    );
    assert.equal(await left(), 2);
    assert.ok(await readBody(store, 'f', fourth?.hash ?? ''));
  });

  test('runs of sensors are replaced, and forgotten when a place is gone', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const run = {
      feed: 'f',
      place_id: 'a',
      field: 'x',
      value: 1,
      since: 1,
      until: 2,
      longest_ms: 0,
      first_seen: 1,
      largest: 7,
      shown: null,
      capacity: 20,
      zero: null,
    };
    const after = { ...run, until: 9, largest: 8, shown: 8, zero: 'no_data' } as const;
    await store.transaction(async (tx) => {
      await writeSensorRuns(tx, [run, { ...run, place_id: 'b' }]);
      await writeSensorRuns(tx, [after]);
      await writePlaces(tx, 'f', [{ place_id: 'a', pocket_id: 'dom' }], now);
      await forgetPlaces(tx, now, { shortest: 1, longest: 2 });
    }, 'feeds');
    const found = await sensorRuns(store, 'f', ['a', 'b', 'c']);
    assert.deepEqual(
      found.map((row) => ({ ...row })),
      [after],
    );
  });

  test('runs that were read and runs that are new are written together', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const made = { value: 1, since: 2, until: 3, longest_ms: 4, first_seen: 5, largest: 6 };
    const named = { feed: 'f', place_id: 'a', field: 'x' };
    const rest = { shown: null, capacity: null, zero: null };
    const known = { ...named, ...made, ...rest };
    const fresh = { ...made, ...rest, ...named, place_id: 'b' };
    await store.transaction((tx) => writeSensorRuns(tx, [known, fresh]), 'feeds');
    assert.deepEqual(
      (await sensorRuns(store, 'f', ['a', 'b'])).map((row) => ({ ...row })),
      [known, { ...known, place_id: 'b' }],
    );
  });

  test('a place is remembered for as long as it was there, within bounds', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const DAY = 24 * 60 * MINUTE;
    const bounds = { shortest: DAY, longest: 60 * DAY };
    const see = (place_id: string, at: number) =>
      store.transaction((tx) => writePlaces(tx, 'f', [{ place_id, pocket_id: 'dom' }], at), 'feeds');
    for (const days of [0, 10]) await see('ten days', now + days * DAY);
    for (const days of [0, 200]) await see('long', now + (days - 190) * DAY);
    await see('once', now + 10 * DAY);
    const left = async (days: number) => {
      await see('new', now + (10 + days) * DAY);
      await store.transaction((tx) => forgetPlaces(tx, now + (10 + days) * DAY, bounds), 'feeds');
      return [...(await knownPlaces(store, 'f', ['ten days', 'long', 'once']))].sort();
    };
    assert.deepEqual([...(await placeCounts(store, 'f'))], [['dom', 3]]);
    assert.deepEqual(await left(1), ['long', 'once', 'ten days']);
    assert.deepEqual(await left(2), ['long', 'ten days']);
    assert.deepEqual(await left(11), ['long']);
    assert.deepEqual(await left(60), ['long']);
    assert.deepEqual(await left(61), []);

    // While the feed is away, its places do not grow old; after the longest time they are gone too.
    const stays = async (days: number) => {
      await store.transaction((tx) => forgetPlaces(tx, now + (71 + days) * DAY, bounds), 'feeds');
      return (await knownPlaces(store, 'f', ['new'])).size;
    };
    assert.deepEqual([await stays(60), await stays(61)], [1, 0]);
  });
});
