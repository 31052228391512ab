import assert from 'node:assert/strict';
import { test } from 'node:test';
import { baseUrl, city } from '../../../test/support/answers/ask-operation.ts';
import { freshPipeline } from '../../../test/support/pipeline/fresh-pipeline.ts';
import { smallCity } from '../../../test/support/pipeline/small-city.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import type { CityFeed } from '../../domain/city/city-feed.ts';
import { buildLookup } from '../../domain/city/lookup.ts';
import type { MailStatus } from '../../domain/report/heartbeat.ts';
import { DAY, HOUR, MINUTE, SLOT } from '../../domain/time/slot.ts';
import { singapore } from '../../domain/time/zones.fixture.ts';
import { backfill } from '../../pipeline/backfill/backfill.ts';
import { dueBy } from '../../pipeline/schedule/schedule.ts';
import type { Store } from '../../store/engine/store.ts';
import { leaseFeed, writeFeedState } from '../../store/feeds/feed-states.ts';
import { addTakedown, resolveTakedown } from '../../store/merchant/takedowns.ts';
import { claim } from '../../store/runtime/job-runs.ts';
import { writeWithheld } from '../../store/runtime/reviews.ts';
import type { StatusProvider } from '../core/define.ts';
import { getHeartbeat } from './get-heartbeat.ts';

const NOON = Date.parse('2026-11-11T04:00:00Z');
const [outlet] = city.outlets;
const feed: CityFeed = {
  id: 'counters',
  title: 'Counters',
  publisher: 'the town',
  licence: 'CC BY 4.0',
  attribution: 'the town',
  limit: null,
  every_seconds: 300,
  fields: { people: { measures: 'crowd', fresh_minutes: 30 } },
};

describeStores('the heartbeat', (makePlace) => {
  const store = storeFor(makePlace, async (empty: Store) => {
    await backfill(freshPipeline(empty, smallCity(['tiongbahru', 'dempsey'])), {
      from: NOON - 6 * HOUR,
      now: NOON,
    });
    const state = await leaseFeed(empty, feed.id, 'test', NOON, NOON + MINUTE);
    assert.ok(state);
    const pockets = city.pockets.map(({ id }) => id);
    const read = {
      ...state,
      last_success: NOON,
      newest_observed: NOON,
      next_due: NOON + 5 * MINUTE,
      pockets,
    };
    await empty.transaction((tx) => writeFeedState(tx, read, 'test'), 'feeds');
  });
  let mail: MailStatus = 'found';
  const provider: StatusProvider = {
    dueBy: (now) => dueBy(now, singapore),
    mail: async () => mail,
    storeDamage: () => undefined,
    fullSince: () => undefined,
    isKeyChanged: async () => false,
    isUpgraded: () => false,
  };

  async function ask(now = NOON + MINUTE) {
    const context = {
      registry: { ...city, feeds: [feed] },
      zone: singapore,
      lookup: buildLookup(city.pockets),
      store: store(),
      substrate: 'live' as const,
      now,
      baseUrl,
      status: provider,
    };
    const { structured, text } = await getHeartbeat.answer({}, context);
    const { status, checks } = structured;
    const of = (name: string) => checks.find((check) => check.name === name)?.status;
    return { status, of, checks, text };
  }

  test('is green while the jobs run on time', async () => {
    const { status, checks } = await ask();
    assert.equal(checks.length, 9);
    const faulty = checks.filter((check) => check.status !== 'green');
    // Six hours of a morning may speak more or less than a day does.
    assert.deepEqual(
      faulty.filter(({ name }) => name !== 'gate pass rate'),
      [],
      JSON.stringify(faulty),
    );
    assert.ok(status === 'green' || faulty.length === 1);
  });

  test('changes colour when the jobs stop', async () => {
    const late = await ask(NOON + 30 * MINUTE);
    for (const name of ['env_snapshots freshness', 'agent worker']) assert.equal(late.of(name), 'amber');
    assert.equal(late.of('LTA signals'), 'red', 'the only feed was not read for half an hour');
    assert.match(
      late.text,
      /^red: city feeds, '0 of 1 feed fresh, [^']+'; what to do: 'see \/feeds: counters was last read 30 minutes ago'\.$/m,
    );
    assert.match(late.text, /^the service is red: 4 of 9 checks are green\.\n/);
    assert.equal(late.of('stale crons'), 'red');
    const gone = await ask(NOON + 2 * DAY);
    for (const name of ['env_snapshots freshness', 'agent worker', 'gate pass rate', 'LTA signals'])
      assert.equal(gone.of(name), 'red', name);
    assert.equal(gone.status, 'red');
  });

  test('a job that was never due since the beginning is not stale', async () => {
    const { checks } = await ask(NOON + SLOT - 1);
    assert.equal(checks.find(({ name }) => name === 'stale crons')?.value, 'none stale');
  });

  test('changes colour with an open takedown, and back when it is resolved', async () => {
    await store().transaction((tx) => addTakedown(tx, outlet?.id ?? '', NOON, NOON));
    assert.equal((await ask()).of('takedown SLA'), 'green');
    assert.equal((await ask(NOON + 60 * HOUR)).of('takedown SLA'), 'amber');
    assert.equal((await ask(NOON + 73 * HOUR)).of('takedown SLA'), 'red');
    await store().transaction((tx) => resolveTakedown(tx, 1, 'removed', NOON));
    assert.equal((await ask(NOON + 73 * HOUR)).of('takedown SLA'), 'green');
  });

  test('changes colour with the number of lines that wait for review', async () => {
    const line = { at: NOON, operation: 'get_pocket_moment', faults: ['exclamation'], line: 'x' };
    const lines = Array.from({ length: 101 }, (_, n) => ({ id: `line-${n}`, ...line }));
    await store().transaction((tx) => writeWithheld(tx, lines));
    assert.equal((await ask()).of('human reviews backlog'), 'amber');
  });

  test('changes colour with what is known of the contact domain’s mail', async () => {
    const seen: (string | undefined)[] = [];
    for (mail of ['not configured', 'unknown', 'missing', 'found'] as const)
      seen.push((await ask()).of('inbound MX'));
    assert.deepEqual(seen, ['amber', 'amber', 'red', 'green']);
  });

  test('is red after a run for a slot of the future, which hides no stale job', async () => {
    await store().transaction((tx) => claim(tx, 'atmosphere', NOON + 26 * HOUR, 'fast', NOON + 26 * HOUR));
    const { of, checks } = await ask();
    assert.equal(of('agent worker'), 'red');
    assert.equal(checks.find(({ name }) => name === 'agent worker')?.value, 'ran 25 hours 59 minutes ahead');
    assert.equal(of('stale crons'), 'green');
    assert.equal((await ask(NOON + 30 * MINUTE)).of('stale crons'), 'red');
    assert.equal((await ask(NOON + 26 * HOUR)).of('agent worker'), 'green');
  });

  test('changes colour when a migration is missing', async () => {
    await store().transaction((tx) => tx.run("delete from schema_migrations where key like '001%'"));
    assert.equal((await ask()).of('migrations applied'), 'red');
  });
});
