// A live city on emulated feeds: what the pipeline makes of them while one of them fails in every known way.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { faultOfLog } from '../../src/cli/runtime/ledger/fault-of-log.ts';
import { readFeedKeys } from '../../src/config.ts';
import { MINUTE, SLOT } from '../../src/domain/time/slot.ts';
import { feedContext } from '../../src/pipeline/feeds/feed-context.ts';
import { pollFeeds } from '../../src/pipeline/feeds/poll-feeds.ts';
import { runDue } from '../../src/pipeline/schedule/run.ts';
import { cityDir } from '../../src/registry/city-dir.ts';
import { loadCity } from '../../src/registry/load.ts';
import { fetchLimits } from '../../src/sources/core/fetch-body.ts';
import { liveSource } from '../../src/sources/live/live-source.ts';
import { openStore } from '../../src/store/engine/open.ts';
import type { Engine } from '../../src/store/engine/store.ts';
import { measurementsReceived } from '../../src/store/feeds/measurements.ts';
import { migrate } from '../../src/store/schema/migrate.ts';
import { emulatedCity } from '../support/feed-server/emulated-city.ts';
import { type FaultKind, faultKinds } from '../support/feed-server/faults.ts';
import { type FeedServer, startFeedServer } from '../support/feed-server/server.ts';
import { freshPipeline } from '../support/pipeline/fresh-pipeline.ts';
import { type StorePlace, sqlitePlace } from '../support/stores/store-places.ts';

const PEDESTRIANS = 'melbourne-pedestrians';
/** Faults that leave the values as they are: the rows that are repeated, or too late to be seen as wrong at once. */
const harmless: readonly FaultKind[] = ['duplicated_rows', 'frozen'];

const clock = { now: Date.parse('2026-11-11T02:00:00Z') };
const folder = mkdtempSync(join(tmpdir(), 'pocketwatch-live-'));
/** Long enough for an answer on a busy machine; while a feed does not answer in time, that is waited for at every tick. */
const limits = { ...fetchLimits, timeout_ms: 30_000, max_bytes: 8e6 };
const neverInTime: readonly FaultKind[] = ['timeout', 'slow'];
let server: FeedServer;
let place: StorePlace;
let store: Engine;
let tick: () => Promise<{ completeness: number; people: number; degrees: number }>;

interface Content {
  extends?: string;
  pockets?: { id: string }[];
  sources?: { id: string; places?: Record<string, unknown> }[];
}

/** Two pockets with three of the counters: enough for an answer of two pages. */
function writeSmallMelbourne(): string {
  const small = join(folder, 'small');
  const from = cityDir('melbourne');
  cpSync(from, small, { recursive: true });
  const change = (file: string, changed: (content: Content) => object) => {
    const content: Content = JSON.parse(readFileSync(join(from, file), 'utf8'));
    writeFileSync(join(small, file), JSON.stringify({ ...content, ...changed(content) }));
  };
  change('city.json', (city) => ({ extends: resolve(from, String(city.extends)) }));
  change('pockets.json', ({ pockets }) => ({
    pockets: pockets?.filter(({ id }) => ['bourke-street', 'docklands'].includes(id)),
  }));
  change('sources.json', ({ sources }) => ({
    sources: sources?.map((feed) =>
      feed.id === PEDESTRIANS
        ? { ...feed, places: Object.fromEntries(['2', '3', '12'].map((id) => [id, feed.places?.[id]])) }
        : feed,
    ),
  }));
  return small;
}

before(async () => {
  const emulated = emulatedCity(writeSmallMelbourne());
  server = await startFeedServer({ now: () => clock.now, places: emulated.places });
  const live = join(folder, 'live');
  emulated.write(live, server.url);
  const { registry, feeds } = loadCity(live);
  place = await sqlitePlace();
  store = openStore(place);
  await migrate(store, clock.now);
  const pipeline = {
    ...freshPipeline(store, registry, () => clock.now),
    source: liveSource(registry.pockets, feeds, (until, lookback) =>
      measurementsReceived(store, until, lookback),
    ),
  };
  const polling = feedContext({
    store,
    feeds,
    pockets: registry.pockets,
    time_zone: registry.city.time_zone,
    worker: 'test',
    userAgent: 'pocketwatch/test',
    keys: readFeedKeys({}),
    log: { info: () => undefined, warn: () => undefined },
    keep: { feed_days: 14, archive_days: 7, archive_bytes: 1e9 },
    clock: () => clock.now,
    limits,
    policy: { retries: 0, pause_ms: 1, failures: 100, open_ms: 1 },
  });
  /** Polls a minute before a slot, then runs the slot's jobs. */
  tick = async () => {
    const slot = clock.now + SLOT - (clock.now % SLOT);
    clock.now = slot - MINUTE;
    await pollFeeds(polling, clock.now, AbortSignal.timeout(20_000));
    clock.now = slot;
    const outcomes = await runDue(pipeline, slot);
    assert.deepEqual(
      outcomes.filter(({ outcome }) => outcome !== 'ran'),
      [],
      'every job ran at its slot',
    );
    const at = async (feed: string) =>
      (await store.get<{ n: number }>('select count(*) as n from measurements where feed = ?', feed))?.n ?? 0;
    const row = await store.get<{ completeness: number }>(
      "select completeness from snapshots where pocket_id = 'bourke-street' and slot = ?",
      slot,
    );
    return {
      completeness: row?.completeness ?? 0,
      people: await at(PEDESTRIANS),
      degrees: await at('open-meteo'),
    };
  };
});
after(async () => {
  await server.close();
  await store.close();
  await place.remove();
  rmSync(folder, { recursive: true, force: true });
});

for (const kind of Object.keys(faultKinds) as FaultKind[])
  test(`a feed that fails (${kind}) delays no tick, harms no other feed and invents nothing`, async () => {
    const whole = await tick();
    assert.equal(whole.completeness, 1);

    server.setFault('/opendatasoft', kind, kind === 'slow' ? { seconds: 5 } : {});
    limits.timeout_ms = neverInTime.includes(kind) ? 300 : 30_000;
    // Until what was received before is no longer fresh.
    let failing = await tick();
    for (let slots = 0; slots < 6 && failing.completeness === 1; slots += 1) failing = await tick();
    assert.ok(failing.degrees > whole.degrees, 'the weather is read all the while');
    if (!harmless.includes(kind)) {
      assert.equal(failing.people, whole.people, 'nothing is stored of it');
      assert.ok(failing.completeness < 1 && failing.completeness > 0);
    }

    server.setFault('/opendatasoft', null);
    limits.timeout_ms = 30_000;
    // A publisher that asked for a pause is given one.
    let again = await tick();
    for (let slots = 0; slots < 6 && again.completeness < 1; slots += 1) again = await tick();
    assert.equal(again.completeness, 1, 'it recovers');
  });

test('what was sealed meanwhile verifies, and the tables and rollups follow from it', async () => {
  for (let slot = 0; slot < 20; slot++) await tick();
  assert.equal(await faultOfLog(store, { tables: true }), undefined);
});
