// A city too large to be held in memory is processed in batches, and must leave the same rows in the store.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { freshPipeline } from '../../../test/support/pipeline/fresh-pipeline.ts';
import { smallCity } from '../../../test/support/pipeline/small-city.ts';
import { dumpTables } from '../../../test/support/stores/dump-tables.ts';
import { openMigratedStore, openStores } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { HOUR, SLOT } from '../../domain/time/slot.ts';
import type { Store } from '../../store/engine/store.ts';
import { runDue } from '../schedule/run.ts';
import { schedule } from '../schedule/schedule.ts';
import type { PipelineContext } from './context.ts';
import { PipelineState } from './pipeline-state.ts';

// Across midnight, long enough that silences and forecasts of every horizon are judged.
const start = Date.parse('2026-11-11T20:45:00+08:00');
const end = start + 4.5 * HOUR;

async function play(
  store: Store,
  stateFor: (state: PipelineState | undefined) => PipelineState,
): Promise<void> {
  const pipeline = freshPipeline(store, smallCity(5));
  let state: PipelineState | undefined;
  for (let slot = start; slot <= end; slot += SLOT) {
    state = stateFor(state);
    await run({ ...pipeline, state }, slot);
  }
}

async function run(pipeline: PipelineContext, slot: number, jobs = schedule): Promise<void> {
  for (const { job, outcome, error } of await runDue(pipeline, slot, jobs))
    assert.equal(outcome, 'ran', `${job}: ${error}`);
}

/** Jobs are numbered in the order in which they first ran: runs are compared by their names. */
async function written(store: Store): Promise<Record<string, string[]>> {
  const { job_claims, run_names, ...rows } = await dumpTables(store);
  assert.ok(job_claims?.length && run_names?.length);
  const runs = await store.all<object>('select job, slot, worker, ran_at from job_runs');
  return { ...rows, job_runs: runs.map((run) => JSON.stringify(run)).sort() };
}

describeStores('pipeline state', (makePlace, engine) => {
  let alone: Promise<Record<string, string[]>> | undefined;
  /** What one worker writes that holds all pockets in memory. */
  const oneWorker = (t: TestContext) => {
    alone ??= openMigratedStore(t, makePlace).then(async (store) => {
      await play(store, (state) => state ?? new PipelineState());
      return written(store);
    });
    return alone;
  };

  // What is held in memory is decided above the store. Its statements run on the other engine in the tests below.
  if (engine === 'sqlite') {
    test('processing in batches writes the same rows as holding all pockets in memory', async (t) => {
      const inBatches = await openMigratedStore(t, makePlace);
      await play(inBatches, (state) => state ?? new PipelineState({ entries: 0, batch: 2 }));
      const [expected, found] = [await oneWorker(t), await written(inBatches)];
      for (const table of [
        'moment_figures',
        'silence_figures',
        'forecast_sets',
        'reveal_figures',
        'story_packs',
        'scenario_outlooks',
      ])
        assert.ok(expected[table]?.length, `nothing in ${table}`);
      for (const [table, rows] of Object.entries(expected)) assert.deepEqual(found[table], rows, table);
    });

    test('a state that outgrows its limit is evicted without losing anything', async (t) => {
      const growing = await openMigratedStore(t, makePlace);
      await play(growing, (state) => state ?? new PipelineState({ entries: 30, batch: 3 }));
      assert.deepEqual(await written(growing), await oneWorker(t));
    });
  }

  test('workers that alternate, slot by slot or job by job, write the same rows as one alone', async (t) => {
    const bySlot = await openMigratedStore(t, makePlace);
    const [byJob, other] = await openStores(t, makePlace, 2);
    if (!byJob || !other) throw new Error('no store');
    const expected = await oneWorker(t);

    const states = [new PipelineState(), new PipelineState()];
    let calls = 0;
    await play(bySlot, () => states[calls++ % 2] as PipelineState);
    assert.deepEqual(await written(bySlot), expected);

    const workers = [freshPipeline(byJob, smallCity(5)), freshPipeline(other, smallCity(5))];
    for (let slot = start; slot <= end; slot += SLOT)
      for (const [n, job] of schedule.entries()) await run(workers[n % 2] as PipelineContext, slot, [job]);
    // A job that never ran takes its first turn in another order, and runs are numbered as they are committed.
    const { stream_runs: own, ...rows } = await written(byJob);
    const { stream_runs: runs, ...others } = expected;
    assert.deepEqual(rows, others);
    assert.equal(own?.length, runs?.length);
  });

  test('an evicted entry must be loaded again, and keeps its changes', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const state = new PipelineState({ entries: 1 });
    await store.transaction(async (tx) => {
      await state.begin(tx);
      for (const key of ['a', 'b', 'c']) state.set(key, { key });
      await state.load(tx, ['a', 'nowhere']);
      assert.deepEqual(state.get('a'), { key: 'a' });
      assert.equal(state.get('nowhere'), undefined);
      assert.throws(() => state.get('b'), /'b' was not loaded/);
      state.set('a', { key: 'changed' });
      await state.load(tx, ['b', 'c']);
      assert.deepEqual([state.get('b'), state.get('c')], [{ key: 'b' }, { key: 'c' }]);
      await state.load(tx, ['a']);
      assert.deepEqual(state.get('a'), { key: 'changed' });
      await state.write(tx);
    });
    const fresh = new PipelineState();
    await store.transaction((tx) => fresh.begin(tx));
    assert.deepEqual(fresh.get('a'), { key: 'changed' });
    assert.deepEqual(fresh.get('c'), { key: 'c' });
  });

  test('another worker sees entries written in batches, and a failed transaction leaves none', async (t) => {
    const [one, other] = await openStores(t, makePlace, 2);
    if (!one || !other) throw new Error('no store');
    const limited = new PipelineState({ entries: 0 });
    const unlimited = new PipelineState();
    const replaceWord = (state: PipelineState, store: Store, word: string, fails = false) =>
      store.transaction(async (tx) => {
        await state.begin(tx);
        await state.load(tx, ['word']);
        const before = state.get<string>('word');
        state.set('word', word);
        await state.load(tx, []);
        await state.write(tx);
        if (fails) throw new Error('failed');
        return before;
      });
    assert.equal(await replaceWord(limited, one, 'first'), undefined);
    assert.equal(await replaceWord(unlimited, other, 'second'), 'first');
    assert.equal(await replaceWord(limited, one, 'third'), 'second');
    await assert.rejects(replaceWord(limited, one, 'never', true), /failed/);
    limited.reset();
    assert.equal(await replaceWord(unlimited, other, 'fourth'), 'third');
    assert.equal(await replaceWord(limited, one, 'fifth'), 'fourth');
  });
});
