import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { describeStores, type StorePlace } from '../../../test/support/postgres.ts';
import { freshWorks, smallCity } from '../../../test/support/small-city.ts';
import {
  countsOf,
  everySubject,
  type KindCounts,
  type PocketCounts,
  THIRD,
} from '../../domain/stats/thirds.ts';
import { DAY, HOUR, SLOT } from '../../domain/time/sgt.ts';
import { backfill } from '../../pipeline/backfill/backfill.ts';
import { runDue } from '../../pipeline/core/run.ts';
import { schedule } from '../../pipeline/core/schedule.ts';
import { migrate } from '../engine/migrate.ts';
import { openStore } from '../engine/open.ts';
import type { Engine } from '../engine/store.ts';
import { addendsOf, daySums, kindSums, pocketSums } from './third-sums.ts';

const end = Date.parse('2026-11-11T19:45:00+08:00');
const registry = smallCity(2);
const [pocket = ''] = registry.pockets.map(({ id }) => id);

const keptThirds = async (store: Engine) =>
  (await store.all<{ start: number }>('select start from third_kinds order by start')).map(
    ({ start }) => start,
  );

/** Every figure of a window. */
async function everything(store: Engine, window: { after: number; until: number }) {
  const addends = await addendsOf(store, window, everySubject);
  const plain = (pockets: Map<string, PocketCounts>) =>
    Object.fromEntries(
      [...pockets].sort(([a], [b]) => (a < b ? -1 : 1)).map(([id, counts]) => [id, rounded(counts)]),
    );
  return {
    pockets: plain(await pocketSums(store, addends)),
    one: plain(await pocketSums(store, addends, pocket)),
    days: [...(await daySums(store, addends, 'UTC')), ...(await daySums(store, addends, 'SGT'))]
      .map(([day, pockets]) => [day, plain(pockets)] as const)
      .sort(([a], [b]) => a - b),
    kinds: inOrder(await kindSums(store, addends)),
  };
}
/** Minutes are fractions: adding them in another order may tell. */
const rounded = (counts: PocketCounts) => ({
  ...counts,
  attention_minutes: Math.round(counts.attention_minutes * 10) / 10,
});
const inOrder = (kinds: KindCounts) =>
  Object.entries(kinds).map(([kind, parts]) => [
    kind,
    Object.entries(parts).sort(([a], [b]) => (a < b ? -1 : 1)),
  ]);

describeStores('sums of thirds', (makePlace, engine) => {
  const days = engine === 'sqlite' ? 5 : 2;
  const start = end - days * DAY;
  let place: StorePlace;
  let store: Engine;

  before(async () => {
    place = await makePlace();
    store = openStore(place);
    await migrate(store, end);
    // History, an outage of two hours, and slots one by one.
    await backfill(freshWorks(store, registry), { from: start, now: end - 8 * HOUR });
    const works = freshWorks(store, registry);
    for (let slot = end - 6 * HOUR; slot <= end; slot += SLOT) await runDue(works, slot);
  });
  after(async () => {
    await store.close();
    await place.remove();
  });

  test('every third is kept from the first on, as soon as all of it is judged', async () => {
    const kept = await keptThirds(store);
    const first = Math.floor(start / THIRD) * THIRD;
    // At 19:00 the last forecasts sealed before 16:00 were revealed.
    const last = Date.parse('2026-11-11T08:00:00+08:00');
    assert.deepEqual(
      kept,
      Array.from({ length: (last - first) / THIRD + 1 }, (_, n) => first + n * THIRD),
    );
  });

  test('whatever the window, kept sums and rows give the same figures', async () => {
    const windows = [
      { after: 0, until: end },
      { after: end - DAY, until: end },
      { after: end - 2 * DAY + 1, until: end - 3 * HOUR },
      { after: end - 30 * HOUR, until: end - 29 * HOUR },
      {
        after: Date.parse('2026-11-10T16:00:00+08:00') - 1,
        until: Date.parse('2026-11-11T00:00:00+08:00') - 1,
      },
      { after: end + DAY, until: end + 2 * DAY },
      { after: end, until: end - DAY },
    ];
    const answers = async () => {
      const found = [];
      for (const window of windows) found.push(await everything(store, window));
      return found;
    };
    const before = await answers();
    assert.ok(Number(before[0]?.pockets[pocket]?.readings) > 90 * days);
    const rows = await store.all<{ start: number; body: string }>('select * from third_kinds');
    await store.transaction((tx) => tx.run('delete from third_kinds'));
    assert.deepEqual(await answers(), before);
    await store.transaction((tx) => tx.insert('third_kinds', rows));
  });

  test('the whole adds up to the rows', async () => {
    const { pockets } = await everything(store, { after: 0, until: end });
    const total = (name: keyof PocketCounts) =>
      Object.values(pockets).reduce((sum, counts) => sum + counts[name], 0);
    const counted = async (sql: string) => (await store.get<{ n: number }>(`select ${sql}`))?.n;
    const facts: [keyof PocketCounts, sql: string][] = [
      ['readings', 'count(*) as n from atmosphere_readings'],
      ['anomalies', 'sum(anomaly_flag) as n from atmosphere_readings'],
      ['emissions', 'count(*) as n from packages'],
      ['silences', 'count(*) as n from silences'],
      ['vindicated', 'count(*) as n from vindications where vindicated = 1'],
      ['missed', 'count(*) as n from vindications where vindicated = 0'],
      ['unjudged', 'count(*) as n from vindications where vindicated is null'],
      ['sealed', 'count(*) as n from predictions where shadow = 0'],
      ['scored', 'count(*) as n from reveals where shadow = 0 and accuracy_score is not null'],
      ['inconclusive', 'count(*) as n from reveals where shadow = 0 and accuracy_score is null'],
      ['due', 'count(*) as n from reveals where shadow = 0 and accuracy_score is not null'],
    ];
    for (const [name, sql] of facts) assert.equal(total(name), await counted(sql), name);
    assert.ok(total('inconclusive') > 0, 'the outage left forecasts without an outcome');
    assert.equal(total('score'), total('due_score'));
    assert.equal(facts.length + 3, countsOf(everySubject).length);
  });

  test('a third whose silences or forecasts are not judged waits, and is caught up with', async (t) => {
    const place = await makePlace();
    const late = openStore(place);
    t.after(async () => {
      await late.close();
      await place.remove();
    });
    await migrate(late, end);
    const works = freshWorks(late, registry);
    const from = Date.parse('2026-11-10T08:00:00+08:00');
    const without = (...names: string[]) => schedule.filter(({ name }) => !names.includes(name));
    const play = async (until: number, jobs: typeof schedule) => {
      for (let slot = (await at(late)) ?? from; slot <= until; slot += SLOT) await runDue(works, slot, jobs);
    };
    await play(from + 3 * HOUR, without('reveal'));
    assert.deepEqual(await keptThirds(late), []);
    const noon = from + THIRD + 3 * HOUR;
    await play(noon, without('vindication'));
    assert.deepEqual(await keptThirds(late), []);
    await play(noon + THIRD, schedule);
    assert.deepEqual(await keptThirds(late), [from, from + THIRD]);
  });
});

const at = async (store: Engine) => {
  const row = await store.get<{ slot: number | null }>(
    "select max(slot) as slot from job_runs where job = 'atmosphere'",
  );
  return row?.slot ? row.slot + SLOT : undefined;
};
