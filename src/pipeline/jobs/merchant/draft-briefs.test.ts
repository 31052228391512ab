import assert from 'node:assert/strict';
import { test } from 'node:test';
import { city } from '../../../../test/support/answers/ask-operation.ts';
import { freshPipeline } from '../../../../test/support/pipeline/fresh-pipeline.ts';
import { type DecisionFixture, writeDecisions } from '../../../../test/support/rows/decisions.ts';
import { openMigratedStore } from '../../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../../test/support/stores/store-places.ts';
import type { Cause } from '../../../domain/merchant/readiness.ts';
import { HOUR, MINUTE, SLOT } from '../../../domain/time/slot.ts';
import type { Store } from '../../../store/engine/store.ts';
import { type BriefRecord, openBriefs } from '../../../store/merchant/briefs.ts';
import { liveCommitments } from '../../../store/merchant/commitments.ts';
import { writeReadiness } from '../../../store/merchant/readiness.ts';
import { writeOutletActivity } from '../../../store/observation/outlet-activity.ts';
import type { PipelineContext } from '../../core/context.ts';
import { runDue } from '../../schedule/run.ts';
import { schedule } from '../../schedule/schedule.ts';

const noon = Date.parse('2026-11-11T12:00:00+08:00');
const jobs = schedule.filter(({ name }) => ['live_story', 'moment_brief', 'brief_answer'].includes(name));
const here = city.outlets.filter(({ pocket_id, active }) => active && pocket_id === 'tiongbahru');
const daytime = here.filter(({ opens_at, closes_at }) => opens_at < '11:00' && closes_at > '17:00');

/** The same readiness and activity for every outlet of the pocket. */
const writeReady = (store: Store, slot: number, cause: Cause = 'focus', activity = 0.3) =>
  store.transaction(async (tx) => {
    await writeOutletActivity(
      tx,
      here.map(({ id }) => ({ slot, outlet_id: id, activity })),
    );
    await writeReadiness(
      tx,
      here.map(({ id, pocket_id }) => ({
        slot,
        pocket_id,
        outlet_id: id,
        cause,
        confidence: 1,
        idle_pressure: 0.4,
      })),
    );
  });

/** A moment that briefs may be drafted on, unless the fixture changes it, and outlets that are ready. */
const writeReadyMoment = async (store: Store, slot: number, changed: Partial<DecisionFixture> = {}) => {
  await writeDecisions(store, [{ slot, gate: 'why_now', band: 'forming', ...changed }]);
  await writeReady(store, slot);
};

const withAnswers = (answer: 'accepted' | 'declined' | null, pipeline: PipelineContext): PipelineContext => ({
  ...pipeline,
  source: { ...pipeline.source, merchants: { answer: () => answer } },
});
const briefs = (store: Store) =>
  store.all<{ id: string; outlet_id: string; slot: number }>('select * from moment_briefs order by slot, id');
const answers = (store: Store) => store.all<{ answered_by: string }>('select * from brief_answers');

describeStores('moment briefs', (makePlace, engine) => {
  test('are drafted on the half hour for the two most idle outlets of a pocket with a moment', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await writeReadyMoment(store, noon);
    await runDue(freshPipeline(store), noon, jobs);
    const open = await openBriefs(store, noon);
    assert.equal(open.length, 2);
    for (const { outlet_id, window_end, expires_at, value_stack } of open) {
      assert.ok(daytime.some(({ id }) => id === outlet_id));
      assert.equal(window_end, noon + 75 * MINUTE);
      assert.equal(expires_at, noon + 45 * MINUTE);
      assert.equal(value_stack.timing.level, 0.75);
    }
  });

  // To whom nothing is offered is decided above the store; the other tests write and read briefs on both engines.
  if (engine === 'sqlite')
    test('are not drafted where the moment is silent, closed or scored too low, or no outlet is ready or has room', async (t) => {
      const table: [changed: Partial<DecisionFixture>, cause: Cause, activity: number, drafted: boolean][] = [
        [{}, 'focus', 0.3, true],
        [{ gate: null }, 'focus', 0.3, true],
        [{ moment: { silence_reasons: ['it is late'], should_stay_silent: true } }, 'focus', 0.3, false],
        [{ band: 'weak' }, 'focus', 0.3, false],
        [{ band: 'decaying' }, 'focus', 0.3, false],
        [{ score: 39 }, 'focus', 0.3, false],
        [{}, 'settled', 0.3, false],
        [{}, 'full', 0.3, false],
        [{}, 'focus', 0.7, false],
        [{}, 'focus', 0, false],
      ];
      for (const [changed, cause, activity, drafted] of table) {
        const store = await openMigratedStore(t, makePlace);
        await writeDecisions(store, [{ slot: noon, gate: 'why_now', band: 'forming', ...changed }]);
        await writeReady(store, noon, cause, activity);
        await runDue(freshPipeline(store), noon, jobs);
        assert.equal((await briefs(store)).length > 0, drafted, JSON.stringify([changed, cause, activity]));
      }
    });

  if (engine === 'sqlite')
    test('no outlet has two open briefs, and briefs for one outlet are hours apart', async (t) => {
      const store = await openMigratedStore(t, makePlace);
      const pipeline = withAnswers(null, freshPipeline(store));
      for (let slot = noon - 4 * HOUR; slot <= noon + 9 * HOUR; slot += 2 * SLOT) {
        await writeReadyMoment(store, slot);
        await runDue(pipeline, slot, jobs);
      }
      const all = await briefs(store);
      for (const offers of Map.groupBy(all, ({ outlet_id }) => outlet_id).values()) {
        assert.ok(offers.length <= 3);
        for (const [i, { slot }] of offers.entries())
          assert.ok(i === 0 || slot - (offers[i - 1]?.slot ?? 0) >= 4 * HOUR);
      }
      assert.ok(all.length >= 10);
      assert.ok(new Set(all.map(({ id }) => id)).size === all.length);
    });

  test('an outlet that became inactive, or that the registry does not know, is not asked', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const [first, ...others] = city.outlets.filter(({ pocket_id }) => pocket_id === 'tiongbahru');
    assert.ok(first);
    const outlets = [{ ...first, active: false }, ...others.slice(0, 1)];
    await writeReadyMoment(store, noon);
    await runDue(freshPipeline(store, { ...city, outlets }), noon, jobs);
    assert.deepEqual(
      (await briefs(store)).map(({ outlet_id }) => outlet_id),
      [others[0]?.id],
    );
  });

  test('simulated merchants answer a quarter hour later, marked as simulated', async (t) => {
    for (const answer of ['accepted', 'declined', null] as const) {
      const store = await openMigratedStore(t, makePlace);
      const pipeline = withAnswers(answer, freshPipeline(store));
      await writeReadyMoment(store, noon);
      await runDue(pipeline, noon, jobs);
      assert.deepEqual(await answers(store), []);
      await runDue(pipeline, noon + SLOT + 3000, jobs);
      const given = await answers(store);
      assert.equal(given.length, answer === null ? 0 : 2);
      for (const { answered_by } of given) assert.equal(answered_by, 'simulated');
      const live = await liveCommitments(store, 'tiongbahru', noon + SLOT + 3000);
      assert.equal(live.length, answer === 'accepted' ? 2 : 0);
      for (const { window_start } of live) assert.equal(window_start, noon + SLOT + 3000);
    }
  });

  test('the pipeline does not answer for real merchants', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const pipeline = freshPipeline(store);
    const { merchants: _none, ...source } = pipeline.source;
    const live: PipelineContext = { ...pipeline, source: { ...source, substrate: 'live' } };
    await writeReadyMoment(store, noon);
    await runDue(live, noon, jobs);
    await runDue(live, noon + SLOT, jobs);
    assert.equal((await briefs(store)).length, 2);
    assert.deepEqual(await answers(store), []);
  });

  test('an answer that comes too late, or conflicts with another commitment, is dropped', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const pipeline = withAnswers('accepted', freshPipeline(store));
    await writeReadyMoment(store, noon);
    await runDue(pipeline, noon, jobs);
    const [taken]: BriefRecord[] = await openBriefs(store, noon);
    assert.ok(taken);
    await store.transaction((tx) =>
      tx.insert('brief_answers', [
        {
          brief_id: 'elsewhere',
          pocket_id: taken.pocket_id,
          outlet_id: taken.outlet_id,
          answer: 'accepted',
          answered_at: noon,
          answered_by: 'operator',
          window_start: noon,
          window_end: noon + 2 * HOUR,
        },
      ]),
    );
    const outcomes = await runDue(pipeline, noon + SLOT, jobs);
    assert.ok(outcomes.every(({ outcome }) => outcome === 'ran'));
    assert.equal((await answers(store)).length, 2);
  });
});
