import assert from 'node:assert/strict';
import { test } from 'node:test';
import { city } from '../../../test/support/answers/ask-operation.ts';
import { freshPipeline } from '../../../test/support/pipeline/fresh-pipeline.ts';
import { type DecisionFixture, reading, writeDecisions } from '../../../test/support/rows/decisions.ts';
import { writeForecasts } from '../../../test/support/rows/forecasts.ts';
import { openMigratedStore } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { DAY, HOUR, SLOT } from '../../domain/time/slot.ts';
import type { Store } from '../../store/engine/store.ts';
import { writeReadings } from '../../store/observation/readings.ts';
import { writeSnapshots } from '../../store/observation/snapshots.ts';
import { pocketCells, pocketReports, restraintReports } from '../../store/report/report-reads.ts';
import { runDue } from '../schedule/run.ts';
import { schedule } from '../schedule/schedule.ts';

const monthly = schedule.filter(({ name }) => ['monthly_report', 'restraint_report'].includes(name));
const first = Date.parse('2026-11-01T00:00:00+08:00');
const four = first + 4 * HOUR;

const dry = {
  rain_mm: 0,
  temperature_c: 28,
  humidity_pct: 75,
  pm25: 12,
  footfall: 400,
  transit_crowding: 0.25,
  traffic_speed_kmh: 40,
  carpark_occupancy: 0.5,
};

/** Writes readings and snapshots for the last `count` slots of the month, and nothing else. */
const writeObserved = (store: Store, pocket: string, count: number, values = dry) =>
  store.transaction(async (tx) => {
    const slots = Array.from({ length: count }, (_, n) => first - (n + 1) * SLOT);
    await writeReadings(
      tx,
      slots.map((slot, n) => ({ ...reading({ pocket, slot, gate: null }), anomaly_flag: n < 3 })),
    );
    const snapshots = slots.map((slot) => ({
      pocket_id: pocket,
      slot,
      values,
      crowd: 0.3,
      crowd_gap: null,
      completeness: 1,
      provenance: [],
    }));
    await writeSnapshots(tx, snapshots, 'simulated');
  });

describeStores('monthly reports', (makePlace) => {
  test('every pocket has one, with observations only from a week of readings on', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await writeObserved(store, 'tiongbahru', 700);
    await writeObserved(store, 'dempsey', 672, { ...dry, transit_crowding: 0.05 });
    await writeObserved(store, 'holland', 671);
    await runDue(freshPipeline(store), four, monthly);
    const reports = await pocketReports(store, { limit: 1 });
    assert.deepEqual(
      reports.map(({ pocket_id }) => pocket_id),
      city.pockets.map(({ id }) => id).sort(),
    );
    const of = (pocket: string) => reports.find(({ pocket_id }) => pocket_id === pocket);
    assert.deepEqual([of('tiongbahru')?.readings, of('dempsey')?.readings], [700, 672]);
    assert.equal(of('tiongbahru')?.month_iso, '2026-10');
    assert.equal(of('tiongbahru')?.observations?.anomaly_count, 3);
    assert.equal(of('dempsey')?.observations?.strongest_comfort?.signal, 'transit');
    for (const pocket of ['holland', 'siglap']) {
      assert.equal(of(pocket)?.observations, null);
      assert.match(of(pocket)?.narrative ?? '', /under the floor of 672/);
    }
  });

  test('restraint: emissions, silences, accuracy, and the best and worst decisions', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const silence = (slot: number, more: Partial<DecisionFixture>): DecisionFixture => ({
      slot,
      gate: 'resonance',
      ...more,
    });
    await writeDecisions(store, [
      silence(first - 31 * DAY - SLOT, { vindicated: true, minutes: 99 }),
      silence(first - 31 * DAY, { vindicated: true, minutes: 2 }),
      silence(first - 9 * DAY, { vindicated: true, minutes: 7.5, pocket: 'dempsey', gate: 'why_now' }),
      silence(first - 8 * DAY, { vindicated: true, minutes: 7.5 }),
      silence(first - 7 * DAY, { vindicated: false, score: 71 }),
      silence(first - 6 * DAY, { vindicated: false, score: 82.5, pocket: 'holland' }),
      silence(first - 5 * DAY, { vindicated: null }),
      { slot: first - 4 * DAY, gate: null, vindicated: true },
      { slot: first - 4 * DAY + 4 * SLOT, gate: null, vindicated: false, score: 91.5 },
      { slot: first - 3 * DAY, gate: null, vindicated: false, score: 84, pocket: 'siglap' },
      { slot: first - 2 * DAY, gate: null, vindicated: null, pocket: 'siglap' },
      { slot: first - 2 * DAY, gate: null, pocket: 'holland' },
      silence(first - SLOT, { vindicated: true, minutes: 0.1 }),
      silence(first, { vindicated: false, score: 99 }),
    ]);
    await writeForecasts(store, [
      { slot: first - 3 * DAY, score: 0.9, baseline: 0.2 },
      { slot: first - 3 * DAY + SLOT, score: 0.9, baseline: 0.9 },
      { slot: first - 3 * DAY + 2 * SLOT, score: 0.2, baseline: 0.2 },
      { slot: first - 3 * DAY + 3 * SLOT, score: 0.2, confidence: 0.5 },
      { slot: first - 2 * DAY, score: null },
      { slot: first - SLOT, score: 0.9, shadow: true },
      { slot: first, score: 0.1, baseline: 0.9 },
    ]);
    await runDue(freshPipeline(store), four, monthly);
    const [stored] = await restraintReports(store, { limit: 2 });
    assert.ok(stored);
    const { forecasts, ...report } = stored;
    assert.deepEqual(forecasts.sealed_before_outcome, { n: 3, accuracy: 0.667 });
    assert.deepEqual(forecasts.written_afterwards, { n: 0, accuracy: null });
    const { accuracy, baseline, n } = forecasts.state_forecasts;
    assert.deepEqual([accuracy, baseline, n], [0.5, 0.25, 4]);
    assert.deepEqual(
      { ...report },
      {
        month_iso: '2026-10',
        composed_at: four,
        signals_emitted_count: 5,
        signals_withheld_count: 7,
        already_speaking_count: 0,
        quiet_hours_count: 0,
        accuracy: 0.667,
        naive_baseline_accuracy: 0.333,
        gap_points: 33.4,
        silence_correctness_rate: 0.667,
        attention_minutes_preserved: 17.1,
        counterfactual_count: 7,
        narrative_top_failure:
          'holland was left in silence at 00:00 SGT on 2026-10-26 (not enough reasons to speak, mainly because of rain, heat or heavy air), though legitimacy stood at 82.5; the calm held, above what is usual: a line would have served. 2 of 6 silences judged were wrong. a line about tiongbahru was said at 01:00 SGT on 2026-10-28 with a legitimacy of 91.5; the calm did not hold to the end that was named. 2 of 3 lines judged failed.',
        narrative_top_success:
          'dempsey was left in silence at 00:00 SGT on 2026-10-23 (no reason to say it at this hour); the calm did not hold, and an estimated 8 minutes of attention were preserved. 4 of 6 silences judged were right. 1 of 3 lines judged served.',
        decisions_judged: {
          spoke_served: 1,
          spoke_failed: 2,
          silent_right: 4,
          silent_wrong: 2,
          inconclusive: 2,
        },
      },
    );
    const pockets = new Map(
      (await pocketCells(store, '2026-10')).map(({ pocket_id, decisions_judged }) => [
        pocket_id,
        Object.values(decisions_judged),
      ]),
    );
    assert.deepEqual(
      ['tiongbahru', 'dempsey', 'holland', 'siglap', 'cluny'].map((pocket) => pockets.get(pocket)),
      [
        [1, 1, 3, 1, 1],
        [0, 0, 1, 0, 0],
        [0, 0, 0, 1, 0],
        [0, 1, 0, 0, 1],
        [0, 0, 0, 0, 0],
      ],
    );
  });

  test('months missed during an outage are reported late; a month without readings has no report', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const pipeline = freshPipeline(store);
    await runDue(pipeline, Date.parse('2026-09-01T04:00:00+08:00'), monthly);
    await writeObserved(store, 'tiongbahru', 700);
    await runDue(pipeline, first + 9 * DAY, monthly);
    const months = async () => (await restraintReports(store, { limit: 9 })).map((row) => row.month_iso);
    assert.deepEqual(await months(), ['2026-10']);
    assert.equal((await restraintReports(store, { limit: 1 }))[0]?.composed_at, first + 9 * DAY);
    await runDue(pipeline, first + 10 * DAY, monthly);
    assert.deepEqual(await months(), ['2026-10']);
  });

  test('a report is never changed', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await writeObserved(store, 'tiongbahru', 1);
    await runDue(freshPipeline(store), four, monthly);
    for (const table of ['pocket_reports', 'restraint_reports'])
      for (const statement of [`update ${table} set composed_at = 0`, `delete from ${table}`])
        await assert.rejects(
          store.transaction((tx) => tx.run(statement)),
          /append-only/,
        );
  });
});
