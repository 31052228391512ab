import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { referenceReport, revealedForecasts } from '../../../test/support/answers/reference-accuracy.ts';
import { freshPipeline } from '../../../test/support/pipeline/fresh-pipeline.ts';
import { smallCity } from '../../../test/support/pipeline/small-city.ts';
import { openMigratedStore } from '../../../test/support/stores/open-stores.ts';
import { describeStores, type StorePlace } from '../../../test/support/stores/store-places.ts';
import { accuracyReport } from '../../domain/prediction/accuracy-report.ts';
import { PERIOD } from '../../domain/stats/rollup.ts';
import { startOfUtcDay } from '../../domain/time/periods.ts';
import { DAY, HOUR, SLOT, slotStart } from '../../domain/time/slot.ts';
import { namedWindow, type Span, slotSpan, splitDays } from '../../domain/time/window.ts';
import { singapore } from '../../domain/time/zones.fixture.ts';
import { cellSums } from '../../domain/verdict/decision-cells.ts';
import { backfill } from '../../pipeline/backfill/backfill.ts';
import { runDue } from '../../pipeline/schedule/run.ts';
import { schedule } from '../../pipeline/schedule/schedule.ts';
import { openStore } from '../engine/open.ts';
import type { Engine, Reader } from '../engine/store.ts';
import { lastBackfilledSlot } from '../runtime/history.ts';
import { lastRun } from '../runtime/job-runs.ts';
import { migrate } from '../schema/migrate.ts';
import { forecastAccuracy } from './forecast-accuracy.ts';
import { readSums, readTotals, rolledUpTo, sumsOfEach } from './read-rollups.ts';
import { type AnyRollup, forecastRollup, outcomeRollup, pocketRollup, rollups } from './tables.ts';
import { rebuildRollups, rollUp } from './write-rollups.ts';

const { startOfDay } = singapore;

// In a new month, so that windows cross the end of a month.
const end = Date.parse('2026-11-02T10:45:00+08:00');
const registry = smallCity(2);
const [pocket = ''] = registry.pockets.map(({ id }) => id);
/** At 10:30 the forecasts sealed before 07:30 had been revealed. */
const settled = Date.parse('2026-11-02T07:30:00+08:00');

const everySum = ({ sources }: AnyRollup) => sources.flatMap(({ sums }) => Object.keys(sums));

/** All sums of a span by every key, in total and by day. */
async function allSums(store: Reader, span: Span) {
  const found: object[] = [];
  for (const table of rollups) {
    const sums = everySum(table);
    found.push(sorted(await readSums(store, table, span, { by: table.keys, sums })));
    found.push(await readTotals(store, table, span, { sums }));
  }
  const one = {
    by: ['prediction_type'],
    sums: ['revealed', 'open'],
    only: { pocket_id: pocket, shadow: 0 },
  } as const;
  found.push(sorted(await readSums(store, forecastRollup, span, one)));
  for (const startOf of [startOfDay, startOfUtcDay])
    found.push(
      await sumsOfEach(store, pocketRollup, splitDays(span, startOf).slice(-20), {
        by: [],
        sums: ['silences', 'due'],
      }),
    );
  return found;
}
const sorted = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort();

const stored = async (store: Reader) => {
  const found: object[][] = [];
  for (const { name, keys } of rollups)
    found.push(await store.all<object>(`select * from ${name} order by period_end, ${keys.join(', ')}`));
  return found;
};

describeStores('rollups', (makePlace, engine) => {
  // The same statements run on both engines: the long history, longer than the window of a week, and most of the spans
  // are for the faster one.
  const [days, samples] = engine === 'sqlite' ? [8, 20] : [2, 8];
  const start = end - days * DAY;
  let place: StorePlace;
  let store: Engine;

  before(async () => {
    place = await makePlace();
    store = openStore(place);
    await migrate(store, end);
    // A backfill, an outage of two hours, then live slots.
    await backfill(freshPipeline(store, registry), { from: start, now: end - 8 * HOUR });
    const pipeline = freshPipeline(store, registry);
    for (let slot = end - 6 * HOUR; slot <= end; slot += SLOT) await runDue(pipeline, slot);
  });
  after(async () => {
    await store.close();
    await place.remove();
  });

  test('every half hour is rolled up from the first reading on, as soon as it is settled', async () => {
    const rows = await store.all<{ period_end: number }>(
      'select distinct period_end from rollup_pockets order by period_end',
    );
    const first = Math.floor(start / PERIOD) * PERIOD;
    assert.deepEqual(
      rows.map(({ period_end }) => period_end),
      Array.from({ length: (settled - first) / PERIOD }, (_, n) => first + (n + 1) * PERIOD),
    );
  });

  test('whatever the span, rollups and rows alone give the same sums', async () => {
    const slot = fc.integer({ min: start - DAY, max: end + HOUR }).map(slotStart);
    const spans = [
      slotSpan({ after: 0, until: end }),
      slotSpan(namedWindow('1d', end)),
      { from: startOfDay(end) - 2 * DAY, to: startOfDay(end) },
      { from: end + DAY, to: end + 2 * DAY },
      { from: end, to: end - DAY },
      ...fc
        .sample(fc.tuple(slot, slot), samples)
        .map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) })),
    ];
    const answers = async () => {
      const found = [];
      for (const span of spans) found.push([span, await allSums(store, span)]);
      return found;
    };
    const before = await answers();
    await store.transaction((tx) => rebuildRollups(tx, singapore, 0, 0));
    assert.equal(await rolledUpTo(store), null);
    assert.deepEqual(await answers(), before);
    await store.transaction((tx) => rollUp(tx, singapore));
  });

  test('a rebuild of all or a part gives the same rows, and the job continues from it', async () => {
    const before = await stored(store);
    const rebuilt = async (from: number, to: number) => {
      await store.transaction((tx) => rebuildRollups(tx, singapore, from, to));
      return { rows: await stored(store), until: await rolledUpTo(store) };
    };
    assert.deepEqual(await rebuilt(0, end), { rows: before, until: settled });
    assert.deepEqual(await rebuilt(end - 20 * HOUR, end), { rows: before, until: settled });
    assert.equal((await rebuilt(end - 20 * HOUR, settled - 5 * HOUR)).until, settled - 5 * HOUR);
    await store.transaction((tx) => rollUp(tx, singapore));
    assert.deepEqual(await stored(store), before);
  });

  test('the totals equal the sums of the rows', async () => {
    const all = slotSpan({ after: 0, until: end });
    const pockets = await readTotals(store, pocketRollup, all, {
      sums: [
        ...(['readings', 'anomalies', 'calm', 'emissions', 'silences'] as const),
        ...cellSums,
        ...(['due', 'due_score'] as const),
      ],
    });
    const outcomes = await readTotals(store, outcomeRollup, all, { sums: ['lines'] });
    const forecasts = await readTotals(store, forecastRollup, all, {
      sums: ['revealed', 'open', 'scored', 'score'],
      only: { shadow: 0 },
    });
    const facts: [found: number, sql: string][] = [
      [pockets.readings, 'count(*) as n from atmosphere_readings'],
      [pockets.anomalies, 'sum(anomaly_flag) as n from atmosphere_readings'],
      [pockets.calm, 'sum(round(calm * 10000)) as n from atmosphere_readings'],
      [pockets.emissions, 'count(*) as n from packages'],
      [pockets.silences, 'count(*) as n from silences'],
      [pockets.vindicated, 'count(*) as n from verdicts where spoke = 0 and served = 0'],
      [pockets.missed, 'count(*) as n from verdicts where spoke = 0 and served = 1'],
      [pockets.unjudged, 'count(*) as n from verdicts where spoke = 0 and served is null'],
      [pockets.lines_served, 'count(*) as n from verdicts where spoke = 1 and served = 1'],
      [pockets.lines_failed, 'count(*) as n from verdicts where spoke = 1 and served = 0'],
      [pockets.lines_unjudged, 'count(*) as n from verdicts where spoke = 1 and served is null'],
      [outcomes.lines, 'count(*) as n from verdicts where spoke = 1'],
      [pockets.due, 'count(accuracy_score) as n from revealed_forecasts where shadow = 0'],
      [pockets.due_score, 'sum(round(accuracy_score * 10000)) as n from revealed_forecasts where shadow = 0'],
      [forecasts.revealed, 'count(*) as n from revealed_forecasts where shadow = 0'],
      [forecasts.revealed + forecasts.open, 'count(*) as n from predictions where shadow = 0'],
      [forecasts.scored, 'count(accuracy_score) as n from revealed_forecasts where shadow = 0'],
      [forecasts.score, 'sum(round(accuracy_score * 10000)) as n from revealed_forecasts where shadow = 0'],
    ];
    for (const [found, sql] of facts)
      assert.equal(found, (await store.get<{ n: number }>(`select ${sql}`))?.n, sql);
    assert.ok(forecasts.revealed > forecasts.scored, 'the outage left forecasts without an outcome');
    assert.ok(forecasts.open > 0);
  });

  test('the accuracy report equals one computed from the rows, for every combination of arguments', async () => {
    const rows = await revealedForecasts(store);
    const history = end - 8 * HOUR;
    assert.ok(rows.length > 500 * days * 0.9, `${rows.length} reveals`);
    assert.equal(await lastBackfilledSlot(store), history);
    // On PostgreSQL the windows that two days of history tell apart.
    const [windows, times] =
      engine === 'sqlite'
        ? [['1h', '1d', '7d', 'all'] as const, [end, end - DAY - 1]]
        : [['1d', 'all'] as const, [end]];
    for (const since of windows) {
      for (const now of times) {
        for (const pocket_id of [undefined, pocket]) {
          const window = namedWindow(since, now);
          for (const prediction_type of [undefined, 'other', 'offer_intensity'] as const) {
            for (const include_shadow of [false, true]) {
              const filter = { prediction_type, include_shadow };
              const found = await forecastAccuracy(store, slotSpan(window), { pocket_id, ...filter });
              const report = accuracyReport(found.rows, found.pockets);
              assert.deepEqual(
                { ...report, baselines: report.baselines.map(({ definition: _text, ...row }) => row) },
                referenceReport(rows, window, pocket_id, filter, history),
                JSON.stringify([since, pocket_id, filter]),
              );
            }
          }
        }
      }
    }
  });

  // Both ways of writing run on both engines in the history above; whether they agree is decided above the store.
  if (engine === 'sqlite')
    test('a backfill and live slots give the same rollups', async (t) => {
      const [history, live] = [await openMigratedStore(t, makePlace), await openMigratedStore(t, makePlace)];
      const from = end - 6 * HOUR;
      await backfill(freshPipeline(history, registry), { from, now: end });
      const pipeline = freshPipeline(live, registry);
      for (let slot = from; slot <= end; slot += SLOT) await runDue(pipeline, slot);
      assert.equal(await rolledUpTo(live), settled);
      assert.deepEqual(await stored(live), await stored(history));
    });

  test('a half hour with unjudged decisions or forecasts is rolled up only after they are judged', async (t) => {
    const late = await openMigratedStore(t, makePlace);
    const pipeline = freshPipeline(late, registry);
    const from = Date.parse('2026-11-10T08:00:00+08:00');
    const without = (name: string) => schedule.filter((job) => job.name !== name);
    const play = async (until: number, jobs: typeof schedule) => {
      const last = await lastRun(late, 'atmosphere');
      for (let slot = last === null ? from : last + SLOT; slot <= until; slot += SLOT)
        await runDue(pipeline, slot, jobs);
    };
    await play(from + 4 * HOUR, without('reveal'));
    assert.equal(await rolledUpTo(late), null);
    await play(from + 8 * HOUR, without('vindication'));
    assert.equal(await rolledUpTo(late), from + HOUR);
    await play(from + 8.5 * HOUR, schedule);
    assert.equal(await rolledUpTo(late), from + 5.5 * HOUR);
  });
});
