// Hours of three workers that read all feeds of a live city from the emulator, over one store: no publisher is asked more
// often than it allows, and every feed is read all the same. No publisher's limit is over longer than an hour.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readFeedKeys } from '../../src/config.ts';
import { HOUR, MINUTE } from '../../src/domain/time/slot.ts';
import { feedContext } from '../../src/pipeline/feeds/feed-context.ts';
import { pollFeeds } from '../../src/pipeline/feeds/poll-feeds.ts';
import { cityDir } from '../../src/registry/city-dir.ts';
import { loadCity } from '../../src/registry/load.ts';
import { feedStates } from '../../src/store/feeds/feed-states.ts';
import { emulatedCity } from '../support/feed-server/emulated-city.ts';
import { startFeedServer } from '../support/feed-server/server.ts';
import { openStores } from '../support/stores/open-stores.ts';
import { sqlitePlace } from '../support/stores/store-places.ts';

const start = Date.parse('2026-11-10T16:00:00Z');
const STEP = 10 * MINUTE;
const HOURS = 6;

test('three workers never exceed the limit of a publisher, also after hours in which one fails', async (t) => {
  const emulated = emulatedCity(cityDir('singapore-live'));
  const clock = { now: start };
  const server = await startFeedServer({ now: () => clock.now, places: emulated.places });
  const folder = mkdtempSync(join(tmpdir(), 'pocketwatch-budgets-'));
  t.after(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  emulated.write(folder, server.url);
  const { registry, feeds } = loadCity(folder);
  const stores = await openStores(t, sqlitePlace, 3);
  const workers = stores.map((store, number) =>
    feedContext({
      store,
      feeds,
      pockets: registry.pockets,
      time_zone: registry.city.time_zone,
      worker: `worker ${number}`,
      userAgent: 'pocketwatch/test',
      keys: readFeedKeys({
        FEED_KEY_LTA: 'any',
        FEED_KEY_LTA_HOSTS: new URL(server.url).host,
      }),
      log: { info: () => undefined, warn: () => undefined },
      keep: { feed_days: 14, archive_days: 7, archive_bytes: 1e9 },
      clock: () => clock.now,
      policy: { retries: 1, pause_ms: 1, failures: 100, open_ms: 1 },
    }),
  );
  const pollAll = () =>
    Promise.all(workers.map((worker) => pollFeeds(worker, clock.now, AbortSignal.timeout(60_000))));
  for (; clock.now < start + HOURS * HOUR; clock.now += STEP) {
    const hour = Math.floor((clock.now - start) / HOUR);
    // For two hours a publisher fails: what is asked again counts as well.
    server.setFault('/data-gov-sg', hour === 2 || hour === 3 ? 'error_500' : null);
    await pollAll();
    // What had to wait for its publisher.
    clock.now += 11_000;
    await pollAll();
    clock.now -= 11_000;
  }
  const [worker] = workers;
  assert.ok(worker && worker.polled.length === feeds.length);
  for (const { feed, terms } of worker.polled) {
    const publisher = emulated.feeds.find(({ id }) => id === feed.id)?.publisher ?? '';
    const { limit } = terms;
    const asked = server.requests.filter((request) => request.publisher === publisher).length;
    assert.ok(asked >= 3 * HOURS, `${feed.id}: ${asked} requests`);
    if (!limit) continue;
    assert.ok(limit.seconds <= HOUR / 1000, `the limit of ${publisher} needs longer`);
    const most = server.mostWithin(publisher, limit.seconds);
    assert.ok(most <= limit.requests, `${publisher}: ${most} requests within ${limit.seconds} s`);
  }
  const late = (await feedStates(stores[0] ?? assert.fail())).filter(
    ({ last_success }) => (last_success ?? 0) < start + (HOURS - 1) * HOUR,
  );
  assert.deepEqual(late, [], 'every feed is read to the end');
});
