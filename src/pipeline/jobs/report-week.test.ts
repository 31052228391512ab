import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshPipeline } from '../../../test/support/pipeline/fresh-pipeline.ts';
import { type DecisionFixture, writeDecisions } from '../../../test/support/rows/decisions.ts';
import { openMigratedStore } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { DAY, HOUR, SLOT } from '../../domain/time/slot.ts';
import type { Store } from '../../store/engine/store.ts';
import { weeklyReports } from '../../store/report/report-reads.ts';
import { runDue } from '../schedule/run.ts';
import { schedule } from '../schedule/schedule.ts';

const weekly = schedule.filter(({ name }) => name === 'weekly_report');
const monday = Date.parse('2026-11-09T00:00:00+08:00');
const nine = monday + 9 * HOUR;

const decision = (
  slot: number,
  pocket = 'tiongbahru',
  more: Partial<DecisionFixture> = {},
): DecisionFixture => ({
  pocket,
  slot,
  gate: 'why_now',
  ...more,
});
const listed = async (store: Store) =>
  (await weeklyReports(store, { limit: 9 })).map(
    ({ week_iso, pocket_id, basis }) => `${week_iso} ${pocket_id} ${basis.readings}`,
  );

describeStores('weekly report', (makePlace) => {
  test('covers the seven days up to Monday, for each pocket with readings', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await writeDecisions(store, [
      decision(monday - 7 * DAY - 2 * HOUR),
      decision(monday - 7 * DAY + 7 * HOUR),
      decision(monday - 3 * DAY + 12 * HOUR, 'tiongbahru', { values: { rain_mm: 2 }, band: 'peak' }),
      decision(monday - HOUR - SLOT),
      decision(monday - HOUR - SLOT, 'dempsey'),
      // Outside waking hours.
      decision(monday - HOUR),
      decision(monday - 3 * DAY + 3 * HOUR),
      decision(monday + 7 * HOUR),
      decision(nine, 'holland'),
    ]);
    await runDue(freshPipeline(store), nine, weekly);
    assert.deepEqual(await listed(store), ['2026-W45 dempsey 1', '2026-W45 tiongbahru 3']);
    const [report] = await weeklyReports(store, { pocket: 'tiongbahru', limit: 1 });
    assert.equal(report?.composed_at, nine);
    assert.deepEqual(report?.basis, { readings: 3, rainy_readings: 1, moments: 3 });
    assert.equal(report?.metrics.rain_comfort_alignment, 1);
    assert.equal(report?.metrics.attention_saturation.mqs_band, 'weak');
    // That of the Monday after it is not of this week.
    assert.deepEqual(report?.holidays, [{ date: '2026-11-08', day: 'sunday', name: 'Deepavali' }]);
    assert.match(report?.narrative ?? '', /^tiongbahru in 2026-W45, from \d+ readings only: /);
  });

  test('weeks missed during an outage are reported late, each from its own days, with the time they were composed', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await runDue(freshPipeline(store), nine - 14 * DAY, weekly);
    await writeDecisions(store, [
      decision(monday - 10 * DAY + 9 * HOUR),
      decision(monday - 2 * DAY + 9 * HOUR),
      decision(monday + DAY + 9 * HOUR),
    ]);
    const late = nine + 3 * DAY;
    await runDue(freshPipeline(store), late, weekly);
    assert.deepEqual(await listed(store), ['2026-W45 tiongbahru 1', '2026-W44 tiongbahru 1']);
    for (const { composed_at } of await weeklyReports(store, { limit: 9 })) assert.equal(composed_at, late);
  });

  test('is written once and never changed', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await writeDecisions(store, [decision(nine - DAY)]);
    const pipeline = freshPipeline(store);
    await runDue(pipeline, nine, weekly);
    await runDue(pipeline, nine + HOUR, weekly);
    assert.equal((await listed(store)).length, 1);
    for (const statement of ["update weekly_reports set narrative = ''", 'delete from weekly_reports'])
      await assert.rejects(
        store.transaction((tx) => tx.run(statement)),
        /append-only/,
      );
  });

  test('does not exist before nine on Monday, or for a week without readings', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await writeDecisions(store, [decision(nine - DAY), decision(nine - 21 * DAY)]);
    await runDue(freshPipeline(store), nine - SLOT, weekly);
    assert.deepEqual(await listed(store), []);
  });
});
