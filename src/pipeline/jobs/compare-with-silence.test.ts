import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshPipeline } from '../../../test/support/pipeline/fresh-pipeline.ts';
import { smallCity } from '../../../test/support/pipeline/small-city.ts';
import { type DecisionFixture, reading, writeDecisions } from '../../../test/support/rows/decisions.ts';
import { openMigratedStore } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { DAY, HOUR } from '../../domain/time/slot.ts';
import { newestComparison, newestComparisons } from '../../store/decision/silence-comparisons.ts';
import type { Store } from '../../store/engine/store.ts';
import { writeReadings } from '../../store/observation/readings.ts';
import { runDue } from '../schedule/run.ts';
import { schedule } from '../schedule/schedule.ts';

const small = smallCity(['holland', 'tiongbahru']);
/** A Wednesday. */
const noon = Date.parse('2026-11-11T12:00:00+08:00');
const night = (days: number) => Date.parse('2026-11-12T03:30:00+08:00') + days * DAY;
const job = schedule.filter(({ name }) => name === 'silence_comparison');

/** Decisions, each with the change of calm in the hour after it; null: nothing was read then. */
async function write(store: Store, rows: (DecisionFixture & { change: number | null })[]): Promise<void> {
  await writeDecisions(store, rows);
  await store.transaction((tx) =>
    writeReadings(
      tx,
      rows.flatMap(({ change, ...row }) => {
        const now = reading(row);
        return change === null ? [] : [{ ...now, slot: now.slot + HOUR, calm: now.calm + change }];
      }),
    ),
  );
}

describeStores('speaking compared with silence', (makePlace, engine) => {
  test('within a part of the day, over the days before', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const pipeline = freshPipeline(store, small);
    const silent = { gate: 'why_now' as const };
    await write(store, [
      { slot: noon - HOUR / 2, gate: null, change: 0.125 },
      { slot: noon, ...silent, change: 0.125 },
      { slot: noon + HOUR / 4, ...silent, change: -0.125 },
      // Nothing was read an hour later.
      { slot: noon + HOUR / 2 + HOUR / 4, ...silent, change: null },
      // The afternoon has nothing to compare with.
      { slot: noon + 4 * HOUR, gate: null, change: 0.25 },
    ]);
    await runDue(pipeline, night(0), job);
    const first = await newestComparison(store, 'calm', 'tiongbahru', night(0));
    assert.deepEqual([first?.pairs, first?.difference], [1, 0.125]);
    assert.deepEqual(await newestComparison(store, 'calm', 'holland', night(0)), {
      pairs: 0,
      difference: null,
      standard_error: null,
    });
    assert.equal(await newestComparison(store, 'calm', 'tiongbahru', night(0) - 1), null);

    // Thursday is another weekday: its line is like the silences of Wednesday.
    await write(store, [{ slot: noon + DAY, gate: null, change: 0.25 }]);
    await runDue(pipeline, night(1), job);
    const second = await newestComparison(store, 'calm', 'tiongbahru', night(1));
    assert.deepEqual([second?.pairs, second?.difference], [2, 0.1875]);
    assert.equal((await newestComparisons(store, 'calm', night(1))).length, 2);
    assert.equal((await newestComparison(store, 'use', 'tiongbahru', night(1)))?.pairs, 0);
  });

  // Which days are compared is decided above the store.
  if (engine === 'sqlite')
    test('a weekend is compared with weekends, and after 90 days a day no longer counts', async (t) => {
      const store = await openMigratedStore(t, makePlace);
      const pipeline = freshPipeline(store, small);
      await write(store, [
        { slot: noon, gate: 'why_now', change: 0 },
        { slot: noon + HOUR / 4, gate: null, change: 0.125 },
        // A Saturday.
        { slot: noon + 3 * DAY, gate: null, change: 0.25 },
      ]);
      await runDue(pipeline, night(0), job);
      const at = async (days: number) => {
        await runDue(pipeline, night(days), job);
        return (await newestComparison(store, 'calm', 'tiongbahru', night(days)))?.pairs;
      };
      assert.equal(await at(3), 1);
      assert.equal(await at(89), 1);
      assert.equal(await at(90), 0);
    });
});
