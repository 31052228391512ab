// A feed that names new places at every poll: what is kept stays bounded, and real places keep their history.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openMigratedStore } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { readFeedKeys } from '../../config.ts';
import type { Pocket } from '../../domain/city/city.ts';
import { DAY, HOUR } from '../../domain/time/slot.ts';
import type { Feed } from '../../sources/core/feed.ts';
import { placeLimits } from '../../sources/core/place-limits.ts';
import type { Engine } from '../../store/engine/store.ts';
import { feedStates } from '../../store/feeds/feed-states.ts';
import { sensorRuns } from '../../store/feeds/sensor-runs.ts';
import { readEntries, writeEntries } from '../../store/runtime/pipeline-state.ts';
import { feedContext } from './feed-context.ts';
import { pollFeeds } from './poll-feeds.ts';

const start = Date.parse('2026-06-10T10:00:00Z');
const real = ['north gate', 'south gate', 'constructor', '__proto__'];

const folderFeed = (folder: string): Feed => ({
  id: 'gates',
  title: 'gates',
  adapter: 'files',
  every_seconds: 300,
  reach_m: 500,
  fields: {
    people: { measures: 'crowd', points: 'up', what: 'people', zero: 'value', fresh_minutes: 60 },
  },
  settings: { folder },
});

/** A poller of a folder, on a clock that the test moves. */
async function startPoller(t: TestContext, store: Engine) {
  const folder = await mkdtemp(join(tmpdir(), 'invented-'));
  t.after(() => rm(folder, { recursive: true }));
  const clock = { now: start };
  const context = feedContext({
    store,
    feeds: [folderFeed(folder)],
    pockets: [{ id: 'dom', lat: 51.963, lng: 7.6255 }] as Pocket[],
    time_zone: 'Europe/Berlin',
    worker: 'test',
    userAgent: 'pocketwatch/test',
    keys: readFeedKeys({}),
    log: { info: () => {}, warn: () => {} },
    keep: { feed_days: 14, archive_days: 7, archive_bytes: 1e9 },
    clock: () => clock.now,
  });
  const poll = async (ids: readonly string[]) => {
    const time = new Date(clock.now - 60_000).toISOString();
    const rows = ids.map((id, n) => `${time},gates,${id},51.963,7.6255,people,${n % 90}`);
    await writeFile(
      join(folder, 'now.csv'),
      `timestamp,feed,place_id,lat,lon,field,value\n${rows.join('\n')}\n`,
    );
    return pollFeeds(context, clock.now, new AbortController().signal);
  };
  return { clock, poll };
}

const countRows = async (store: Engine, table: string): Promise<number> =>
  (await store.get<{ n: number }>(`select count(*) as n from ${table}`))?.n ?? -1;

describeStores('places that a feed invents', (makePlace) => {
  test('are bounded in number and counted, and make room after a day; real places keep their history', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const { clock, poll } = await startPoller(t, store);
    await poll(real);
    for (let n = 1; n <= 12; n++) {
      clock.now = start + n * 6 * HOUR;
      const invented = Array.from({ length: 300 }, (_, i) => `bike ${n}-${i}`);
      // Invented ones come first: the order of the rows decides nothing for places that are known.
      assert.deepEqual(
        (await poll([...invented, ...real])).map(({ outcome, error }) => error ?? outcome),
        ['read'],
      );
      for (const table of ['feed_places', 'sensor_runs'])
        assert.ok((await countRows(store, table)) <= placeLimits.of_pocket, `${table} after poll ${n}`);
    }
    const [state] = await feedStates(store);
    // In five polls of a day 300 and 196 fit.
    assert.ok((state?.faults_total.too_many_places ?? 0) > 1000, JSON.stringify(state?.faults_total));
    const runs = await sensorRuns(store, 'gates', real);
    assert.deepEqual(
      runs.map(({ place_id, first_seen }) => [place_id, first_seen]).sort(),
      real.map((id) => [id, start - 60_000]).sort(),
    );

    for (let n = 0; n < 3; n++) {
      clock.now += DAY;
      await poll(real);
    }
    assert.equal(await countRows(store, 'feed_places'), real.length);
    assert.equal(await countRows(store, 'sensor_runs'), real.length);
  });

  test('what was learned of a sensor is forgotten with its place, on every worker', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const { clock, poll } = await startPoller(t, store);
    await poll([...real, 'bike']);
    const keys = ['sensor gates/north gate/people', 'sensor gates/bike/people', 'sensors dom', 'ranges dom'];
    await store.transaction(async (tx) => {
      await writeEntries(
        tx,
        keys.map((key) => [key, {}]),
      );
      await tx.insert('excluded_sensors', [
        { sensor: 'gates/bike/people', since_slot: 1 },
        { sensor: 'gates/north gate/people', since_slot: 1 },
      ]);
    });
    const readVersion = () =>
      store.get<{ body: string }>("select body from pipeline_state where key = 'version'");
    clock.now += 6 * HOUR;
    await poll(real);
    const before = await readVersion();
    assert.equal((await readEntries(store, keys)).size, 4);
    for (let n = 0; n < 2; n++) {
      clock.now += DAY;
      await poll(real);
    }
    assert.deepEqual([...(await readEntries(store, keys)).keys()].sort(), [keys[3], keys[0], keys[2]]);
    assert.notDeepEqual(await readVersion(), before);
    assert.equal(await countRows(store, 'excluded_sensors'), 1);
  });
});
