import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshPipeline } from '../../../test/support/pipeline/fresh-pipeline.ts';
import { periodicJobs } from '../../../test/support/pipeline/periodic-jobs.ts';
import { type DecisionFixture, writeDecisions } from '../../../test/support/rows/decisions.ts';
import { openMigratedStore } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { DAY, HOUR, SLOT } from '../../domain/time/slot.ts';
import type { Store } from '../../store/engine/store.ts';
import { runDue } from '../schedule/run.ts';

const at = Date.parse('2026-11-11T08:30:00+08:00');

interface Row {
  pocket_id: string;
  reading_date: string;
  score: number;
  environmental_alignment: number;
  expected_value: number;
}
const rows = (store: Store) =>
  store.all<Row>('select * from legitimacy_index order by reading_date, pocket_id');
const moment = (slot: number, calm_probability: number, pocket = 'tiongbahru'): DecisionFixture => ({
  pocket,
  slot,
  gate: 'why_now',
  moment: { calm_probability, movement_friction: 0 },
});

describeStores('legitimacy index', (makePlace) => {
  test('is the mean of the waking day before and of the hour before it is composed', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await writeDecisions(store, [
      moment(at - DAY, 1),
      moment(at - DAY + SLOT, 0),
      moment(at - DAY + 13 * HOUR, 0.5),
      moment(at - DAY + 13 * HOUR + SLOT, 1),
      moment(at - HOUR, 1),
      moment(at - HOUR + SLOT, 0.5),
      moment(at, 1),
      moment(at + SLOT, 0),
      moment(at, 0.5, 'siglap'),
      moment(at - HOUR, 0.5, 'dempsey'),
    ]);
    await runDue(freshPipeline(store), at, periodicJobs);
    const read = await rows(store);
    // Calm is 0.25 over the day and 0.75 in the morning.
    assert.deepEqual(
      read.map((row) => [row.pocket_id, row.reading_date, row.environmental_alignment, row.expected_value]),
      [
        ['siglap', '2026-11-11', 0.75, 0.96],
        ['tiongbahru', '2026-11-11', 0.75, 0.96],
      ],
    );
    const day = 18 + 40 * 0.75 + 45 * 0.96 - 25 * 0.15 - 10 * 0.25;
    const score = Math.min(100, 65 + 3 * (day - 67));
    for (const row of read) assert.ok(Math.abs(row.score - score) < 0.151);
  });

  test('composed late, it uses only what was known at half past eight', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await writeDecisions(store, [moment(at, 1), moment(at + SLOT, 0), moment(at + 6 * HOUR, 0)]);
    await runDue(freshPipeline(store), at + 6 * HOUR, periodicJobs);
    await runDue(freshPipeline(store), at + 7 * HOUR, periodicJobs);
    assert.deepEqual(
      (await rows(store)).map((row) => [row.reading_date, row.environmental_alignment]),
      [['2026-11-11', 1]],
    );
  });

  test('a morning that was not observed has no index, and a missed day stays a gap', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await runDue(freshPipeline(store), at - 3 * DAY, periodicJobs);
    await writeDecisions(store, [
      moment(at - 2 * DAY, 1),
      moment(at - DAY, 1),
      moment(at - DAY + 4 * HOUR, 1),
    ]);
    await runDue(freshPipeline(store), at + 5 * HOUR, periodicJobs);
    assert.deepEqual(await rows(store), []);
    await writeDecisions(store, [moment(at + DAY, 1)]);
    await runDue(freshPipeline(store), at + DAY, periodicJobs);
    assert.deepEqual(
      (await rows(store)).map(({ reading_date }) => reading_date),
      ['2026-11-12'],
    );
  });

  test('a reading is never changed', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await writeDecisions(store, [moment(at, 1)]);
    await runDue(freshPipeline(store), at, periodicJobs);
    for (const statement of ['update legitimacy_index set score = 100', 'delete from legitimacy_index'])
      await assert.rejects(
        store.transaction((tx) => tx.run(statement)),
        /append-only/,
      );
  });
});
