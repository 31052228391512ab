// The first history: its progress is in the store, and however often it is interrupted it ends with the same rows.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshPipeline } from '../../../test/support/pipeline/fresh-pipeline.ts';
import { smallCity } from '../../../test/support/pipeline/small-city.ts';
import { dumpTables } from '../../../test/support/stores/dump-tables.ts';
import { openMigratedStore, openStores } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import type { HistoryProgress } from '../../domain/text/history-progress.ts';
import { DAY, HOUR, SLOT } from '../../domain/time/slot.ts';
import { singapore } from '../../domain/time/zones.fixture.ts';
import type { Store } from '../../store/engine/store.ts';
import { readHistory } from '../../store/runtime/history.ts';
import { lastRun } from '../../store/runtime/job-runs.ts';
import { backfill, ensureHistory, historyStart } from './backfill.ts';

const city = smallCity(1);
const now = Date.parse('2026-11-11T01:00:00+08:00');
/** Two hours of one day, a whole one and an hour of another: three transactions. */
const span = { from: now - 27 * HOUR, now };

/** All rows except those that record when and by which worker they were written. */
async function dumpRows(store: Store): Promise<Record<string, string[]>> {
  const { history_progress, job_claims, run_names, ...rows } = await dumpTables(store);
  assert.equal(history_progress?.length, 1);
  return rows;
}

test('the history begins with the previous month, or some days ago', () => {
  assert.equal(historyStart(now, singapore), Date.parse('2026-10-01T00:00:00+08:00'));
  assert.equal(historyStart(now, singapore, 3), Date.parse('2026-11-08T00:00:00+08:00'));
});

describeStores('the first history', (makePlace, engine) => {
  // When progress is told is decided above the store; the other engine reads and writes it in the next test.
  if (engine === 'sqlite')
    test('its progress is in the store after each day, until it is complete; a run that resumes later writes up to its own time', async (t) => {
      let time = now - DAY;
      const clock = () => time;
      const store = { ...(await openMigratedStore(t, makePlace)), clock: async () => time };
      assert.deepEqual(await readHistory(store), { finished: false, done: 0, total: 0, seconds_left: null });
      const early = { days: 0, clock, signal: AbortSignal.abort() };
      await ensureHistory(freshPipeline(store, city), early);
      assert.equal((await readHistory(store)).total, 1);

      // From the first slot of the first run.
      const seen: HistoryProgress[] = [];
      time = now;
      const span = { days: 1, clock };
      assert.equal(
        await ensureHistory(freshPipeline(store, city), span, (progress) => seen.push(progress)),
        true,
      );
      assert.deepEqual(
        seen.map(({ finished, done, total }) => [finished, done, total]),
        [
          [false, 0, 2],
          [false, 1, 2],
          [false, 1, 2],
          [true, 2, 2],
        ],
      );
      assert.equal(seen[0]?.seconds_left, null);
      for (const { seconds_left } of seen.slice(1)) assert.equal(typeof seconds_left, 'number');
      assert.deepEqual(await readHistory(store), seen.at(-1));
      assert.equal(seen.at(-1)?.seconds_left, 0);
      time = now + DAY;
      assert.equal(await ensureHistory(freshPipeline(store, city), span, () => assert.fail()), false);
      assert.equal(await lastRun(store, 'atmosphere'), now);
    });

  test('stopped or failed halfway, it resumes and ends with the same rows', async (t) => {
    const stopped = await openMigratedStore(t, makePlace);
    const stop = new AbortController();
    const isWritten = ({ seconds_left }: HistoryProgress) => seconds_left !== null;
    await backfill(freshPipeline(stopped, city), { ...span, signal: stop.signal }, (progress) => {
      if (isWritten(progress)) stop.abort();
    });
    assert.equal(await lastRun(stopped, 'atmosphere'), span.from + 2 * HOUR - SLOT);
    const killed = new Error('killed');
    await assert.rejects(
      backfill(freshPipeline(stopped, city), span, (progress) => {
        if (isWritten(progress)) throw killed;
      }),
      killed,
    );
    assert.equal(await lastRun(stopped, 'atmosphere'), span.from + 26 * HOUR - SLOT);
    assert.equal((await readHistory(stopped)).finished, false);

    await backfill(freshPipeline(stopped, city), span);
    const alone = await openMigratedStore(t, makePlace);
    await backfill(freshPipeline(alone, city), span);
    assert.deepEqual(await readHistory(stopped), await readHistory(alone));
    assert.deepEqual(await dumpRows(stopped), await dumpRows(alone));
  });

  test('slots that become due while it is written belong to it', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    let time = now;
    const clock = () => time;
    await backfill(freshPipeline(store, city), { from: now - 2 * HOUR, now, clock }, () => {
      time = now + 3 * SLOT;
    });
    const slots = await store.all<{ slot: number }>(
      "select slot from job_runs where job = 'atmosphere' order by slot",
    );
    assert.deepEqual(
      slots.map(({ slot }) => slot),
      Array.from({ length: 12 }, (_, n) => now - 2 * HOUR + n * SLOT),
    );
  });

  test('two workers that write at once write the same rows as one alone', async (t) => {
    // Over midnight: they compete for the transactions of two days.
    const night = { from: now - 3 * HOUR, now };
    const stores = await openStores(t, makePlace, 2);
    await Promise.all(stores.map((store) => backfill(freshPipeline(store, city), night)));
    const alone = await openMigratedStore(t, makePlace);
    await backfill(freshPipeline(alone, city), night);
    const [shared] = stores;
    assert.ok(shared);
    assert.deepEqual(await dumpRows(shared), await dumpRows(alone));
    assert.equal((await readHistory(shared)).finished, true);
  });
});
