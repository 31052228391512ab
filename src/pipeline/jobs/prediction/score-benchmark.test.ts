import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { freshPipeline } from '../../../../test/support/pipeline/fresh-pipeline.ts';
import { smallCity } from '../../../../test/support/pipeline/small-city.ts';
import { sealSubmission } from '../../../../test/support/rows/seal-submission.ts';
import { openStores } from '../../../../test/support/stores/open-stores.ts';
import { describeStores, type MakePlace } from '../../../../test/support/stores/store-places.ts';
import { testLedger } from '../../../../test/support/stores/test-ledger.ts';
import { type Scores, scoresOfTally, tallyItems } from '../../../domain/prediction/benchmark.ts';
import type { BenchmarkItem, Submission } from '../../../domain/prediction/submission.ts';
import { HOUR, MINUTE, SLOT } from '../../../domain/time/slot.ts';
import type { Store } from '../../../store/engine/store.ts';
import { canonicalRowsOfPocket } from '../../../store/prediction/canonical-rows.ts';
import type { StepBounds } from '../../../store/prediction/submissions.ts';
import { backfill } from '../../backfill/backfill.ts';
import type { Job } from '../../core/context.ts';
import { runDue } from '../../schedule/run.ts';
import { scoreSubmissions } from './score-benchmark.ts';

const registry = smallCity(2);
const pockets = registry.pockets.map(({ id }) => id);
const noon = Date.parse('2026-11-11T12:00:00+08:00');
const start = noon - 5 * HOUR;
const SEALED_AT = start + 7 * MINUTE;

const makeItems = (n: number, count: number): BenchmarkItem[] =>
  Array.from({ length: count }, (_, i) => ({
    pocket_id: pockets[(n + i) % 2] as string,
    horizon_minutes: ([60, 120, 180] as const)[(n + i) % 3] as 60,
    predicted_state: (['calm-restful', 'calm-productive', 'busy-productive'] as const)[
      i % 3
    ] as 'calm-restful',
    predicted_calm_probability: ((n * 7 + i) % 10) / 10,
    confidence: ((n * 3 + i) % 7) / 7,
  }));

const submissions = (count: number, items = 3): Submission[] =>
  Array.from({ length: count }, (_, n) => ({
    submitter_name: `s${n}`,
    window_start: start + n * MINUTE,
    // The later ones have the earlier windows, so that the order of scoring is not that of the log.
    window_end: noon - HOUR - n * MINUTE,
    items: makeItems(n, items),
  }));

/** A history with revealed forecasts, and submissions whose window has closed. */
async function openWithBacklog(t: TestContext, makePlace: MakePlace, backlog: readonly Submission[]) {
  const stores = await openStores(t, makePlace, 2);
  const [store, other] = stores;
  if (!store || !other) throw new Error('no store');
  const clock = () => SEALED_AT;
  await backfill(freshPipeline(store, registry, clock), { from: start, now: noon });
  await store.transaction(async (tx) => {
    const ledger = testLedger(clock);
    for (const [n, submission] of backlog.entries())
      await sealSubmission(tx, ledger, submission, { id: `id${n}`, nonce: `n${n}`, now: SEALED_AT });
    await ledger.write(tx);
  });
  return { store, other };
}

const scoringJob = (bounds: StepBounds, changed: Partial<Job> = {}): Job => ({
  name: 'submission_score',
  cron: '*/15 * * * *',
  late: 'skip',
  prepare: (store, slot) => scoreSubmissions(store, slot, bounds),
  run: () => assert.fail('the whole job ran in the transaction'),
  ...changed,
});

interface ScoreRow extends Scores {
  submitter_name: string;
  scored_at: number;
}
const scoreRows = (store: Store) =>
  store.all<ScoreRow>(
    `select s.submitter_name, r.scored_at, r.scored_count, r.accuracy, r.silence_correctness, r.calibration_error,
       r.gap_vs_service, r.gap_vs_naive
     from submission_scores r join submissions s on s.leaf = r.submission_leaf order by s.leaf`,
  );

/** The scores of each submission, from all its rows at once. */
async function expectedScores(store: Store, backlog: readonly Submission[]) {
  const rows = (
    await Promise.all(pockets.map((pocket) => canonicalRowsOfPocket(store, pocket, SEALED_AT, noon)))
  ).flat();
  return backlog.map(({ submitter_name, window_start, window_end, items }) => {
    const inWindow = rows.filter(({ reveal_at }) => reveal_at >= window_start && reveal_at <= window_end);
    return { submitter_name, ...scoresOfTally(tallyItems(items, inWindow)) };
  });
}
const withoutTime = (rows: readonly ScoreRow[]) => rows.map(({ scored_at: _, ...row }) => row);

describeStores('scoring of submissions', (makePlace, engine) => {
  test('works off a backlog in bounded steps, and a step that fails is repeated whole', async (t) => {
    const backlog = submissions(10);
    const { store } = await openWithBacklog(t, makePlace, backlog);
    const pipeline = freshPipeline(store, registry);
    const bounds = { submissions: 4, items: 1000 };
    let dies = false;
    const prepare: NonNullable<Job['prepare']> = async (reader, slot) => {
      const write = await scoreSubmissions(reader, slot, bounds);
      // No transaction is open yet: another one can begin and end meanwhile.
      await store.transaction((tx) => tx.run('delete from submission_keys'));
      return async (context) => {
        await write(context);
        if (dies) throw new Error('died');
      };
    };
    const scoredAfter = async (slot: number) => {
      const outcomes = await runDue(pipeline, slot, [scoringJob(bounds, { prepare })]);
      const rows = await scoreRows(store);
      return [outcomes.map(({ outcome }) => outcome), rows.map(({ submitter_name }) => submitter_name)];
    };
    const named = (from: number) => backlog.slice(from).map(({ submitter_name }) => submitter_name);
    assert.deepEqual(await scoredAfter(noon + SLOT), [['ran'], named(6)]);
    assert.deepEqual(await scoredAfter(noon + SLOT + 20_000), [[], named(6)], 'one step for each slot');
    dies = true;
    assert.deepEqual(await scoredAfter(noon + 2 * SLOT), [['failed'], named(6)]);
    dies = false;
    assert.deepEqual(await scoredAfter(noon + 2 * SLOT + 20_000), [['ran'], named(2)]);
    assert.deepEqual(await scoredAfter(noon + 3 * SLOT), [['ran'], named(0)]);
    assert.deepEqual(await scoredAfter(noon + 4 * SLOT), [['ran'], named(0)]);
    const expected = await expectedScores(store, backlog);
    assert.ok(expected.every(({ scored_count }) => scored_count > 10));
    assert.deepEqual(withoutTime(await scoreRows(store)), expected);
  });

  // How much a step takes is decided above the store.
  if (engine === 'sqlite')
    test('a step is also bounded by its items, and scores at least one submission', async (t) => {
      const backlog = submissions(3, 9);
      const { store } = await openWithBacklog(t, makePlace, backlog);
      const pipeline = freshPipeline(store, registry);
      const scored = [];
      for (const [step, items] of [20, 1].entries()) {
        await runDue(pipeline, noon + (step + 1) * SLOT, [scoringJob({ submissions: 100, items })]);
        scored.push((await scoreRows(store)).length);
      }
      assert.deepEqual(scored, [2, 3]);
      assert.deepEqual(withoutTime(await scoreRows(store)), await expectedScores(store, backlog));
    });

  test('two workers that have prepared the same step write each score once', async (t) => {
    const backlog = submissions(5);
    const { store, other } = await openWithBacklog(t, makePlace, backlog);
    const bounds = { submissions: 4, items: 1000 };
    const bothPrepared = Promise.withResolvers<void>();
    let preparing = 2;
    const prepare: NonNullable<Job['prepare']> = async (reader, slot) => {
      const write = await scoreSubmissions(reader, slot, bounds);
      if (--preparing === 0) bothPrepared.resolve();
      await bothPrepared.promise;
      return write;
    };
    // One of them is a slot behind, so both have a claim.
    const outcomes = await Promise.all(
      [store, other].map((at, n) =>
        runDue(freshPipeline(at, registry), noon + (n + 1) * SLOT, [scoringJob(bounds, { prepare })]),
      ),
    );
    for (const { outcome, error } of outcomes.flat()) assert.equal(outcome, 'ran', String(error));
    const rows = await scoreRows(store);
    assert.equal(rows.length, 4);
    assert.equal(new Set(rows.map(({ scored_at }) => scored_at)).size, 1, 'those of the first stay');
    await runDue(freshPipeline(store, registry), noon + 3 * SLOT, [scoringJob(bounds)]);
    assert.deepEqual(withoutTime(await scoreRows(store)), await expectedScores(store, backlog));
  });
});
