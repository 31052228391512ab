import assert from 'node:assert/strict';
import { test } from 'node:test';
import { city } from '../../../test/support/answers/ask-operation.ts';
import { freshPipeline } from '../../../test/support/pipeline/fresh-pipeline.ts';
import { periodicJobs } from '../../../test/support/pipeline/periodic-jobs.ts';
import { writeDecisions } from '../../../test/support/rows/decisions.ts';
import { writeSenses } from '../../../test/support/rows/senses.ts';
import { openMigratedStore } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { isOpen } from '../../domain/time/opening-hours.ts';
import { HOUR, MINUTE, SLOT } from '../../domain/time/slot.ts';
import { singapore } from '../../domain/time/zones.fixture.ts';
import { currentStory } from '../../store/decision/live-stories.ts';
import { allStories } from '../../store/decision/testing/all-stories.ts';
import type { Store } from '../../store/engine/store.ts';
import { writeOutletActivity } from '../../store/observation/outlet-activity.ts';
import { runDue } from '../schedule/run.ts';

const noon = Date.parse('2026-11-11T12:00:00+08:00');
const pocketOutlets = (pocket: string) => city.outlets.filter(({ pocket_id }) => pocket_id === pocket);

const writeUse = (store: Store, slot: number, outlets: readonly { id: string }[], activity: number) =>
  store.transaction((tx) =>
    writeOutletActivity(
      tx,
      outlets.map(({ id }) => ({ slot, outlet_id: id, activity })),
    ),
  );

describeStores('live stories', (makePlace) => {
  test('one for each pocket with a moment at the half hour, expiring with it', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const pipeline = freshPipeline(store);
    await writeDecisions(store, [
      { slot: noon, gate: 'why_now' },
      { pocket: 'siglap', slot: noon - SLOT, gate: 'why_now' },
      {
        pocket: 'dempsey',
        slot: noon,
        gate: null,
        moment: { half_life_minutes: 12, expires_at: noon + 12 * MINUTE },
      },
    ]);
    await runDue(pipeline, noon, periodicJobs);
    await runDue(pipeline, noon + SLOT, periodicJobs);
    const rows = (await allStories(store)).map(({ pocket_id, slot, expires_at }) => [
      pocket_id,
      slot,
      expires_at,
    ]);
    assert.deepEqual(rows, [
      ['dempsey', noon, noon + 12 * MINUTE],
      ['tiongbahru', noon, noon + 45 * MINUTE],
    ]);
    for (const [pocket, until] of [
      ['dempsey', 12],
      ['tiongbahru', 45],
    ] as const) {
      assert.equal(await currentStory(store, pocket, noon - 1), null);
      assert.equal((await currentStory(store, pocket, noon))?.pocket_id, pocket);
      assert.equal((await currentStory(store, pocket, noon + until * MINUTE - 1))?.slot, noon);
      assert.equal(await currentStory(store, pocket, noon + until * MINUTE), null);
    }
  });

  test('a later story replaces an earlier one that has not expired', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const pipeline = freshPipeline(store);
    await writeDecisions(store, [
      { slot: noon, gate: 'why_now', moment: { expires_at: noon + 4 * HOUR } },
      { slot: noon + 2 * SLOT, gate: 'why_now', moment: { expires_at: noon + 40 * MINUTE } },
    ]);
    await runDue(pipeline, noon, periodicJobs);
    await runDue(pipeline, noon + 2 * SLOT, periodicJobs);
    assert.equal((await currentStory(store, 'tiongbahru', noon + 2 * SLOT - 1))?.slot, noon);
    assert.equal((await currentStory(store, 'tiongbahru', noon + 2 * SLOT))?.slot, noon + 2 * SLOT);
    assert.equal(await currentStory(store, 'tiongbahru', noon + 40 * MINUTE), null);
  });

  test('counts active outlets that are open at the slot and people of the last four hours', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const pockets = [...new Set(city.outlets.map(({ pocket_id }) => pocket_id))];
    await writeDecisions(
      store,
      pockets.map((pocket) => ({ pocket, slot: noon, gate: 'why_now' })),
    );
    await writeUse(store, noon, city.outlets, 0.25);
    await writeUse(store, noon - SLOT, city.outlets, 1);
    await writeSenses(store, [
      { slot: noon - 4 * HOUR, word: 'calm', people: 100 },
      { slot: noon - 4 * HOUR + SLOT, word: 'calm', people: 3 },
      { slot: noon, word: 'calm', people: 4 },
      { slot: noon, word: 'calm', people: 4, pocket: 'siglap' },
    ]);
    await runDue(freshPipeline(store), noon, periodicJobs);
    for (const pocket of pockets) {
      const story = await currentStory(store, pocket, noon);
      const open = pocketOutlets(pocket).filter(
        (outlet) => outlet.active && isOpen(outlet, noon, singapore),
      ).length;
      assert.equal(story?.receipts.outlets, open < 5 ? null : open, pocket);
      assert.equal(/25\u00a0%/.test(story?.why_this_merchant ?? ''), open >= 5, `${open}`);
      assert.equal(story?.receipts.people, pocket === 'tiongbahru' ? 7 : null);
    }
  });

  test('after an outage there is no story for missed half hours, nor for a slot without readings', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await writeDecisions(store, [
      { slot: noon, gate: 'why_now' },
      { slot: noon + 5 * SLOT, gate: 'why_now' },
    ]);
    await runDue(freshPipeline(store), noon - 2 * SLOT, periodicJobs);
    await runDue(freshPipeline(store), noon + 5 * SLOT, periodicJobs);
    assert.deepEqual(await allStories(store), []);
  });

  test('a story is never changed', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await writeDecisions(store, [{ slot: noon, gate: 'why_now' }]);
    await runDue(freshPipeline(store), noon, periodicJobs);
    for (const statement of ["update story_packs set last_pocket = ''", 'delete from story_packs'])
      await assert.rejects(
        store.transaction((tx) => tx.run(statement)),
        /append-only/,
      );
  });
});
