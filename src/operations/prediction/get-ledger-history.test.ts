import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { freshPipeline } from '../../../test/support/pipeline/fresh-pipeline.ts';
import { smallCity } from '../../../test/support/pipeline/small-city.ts';
import { NOON } from '../../../test/support/services/service.ts';
import { openMigratedStore } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { HOUR, iso, SLOT } from '../../domain/time/slot.ts';
import { backfill } from '../../pipeline/backfill/backfill.ts';
import { runDue } from '../../pipeline/schedule/run.ts';
import { lastBackfilledSlot } from '../../store/runtime/history.ts';
import { getLedgerHistory } from './get-ledger-history.ts';

describeStores('GET /api/ledger/history', (makePlace) => {
  test('an empty ledger has neither kind', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const { structured, text } = await askOperation(getLedgerHistory, store, NOON);
    assert.deepEqual(structured, {
      tree_size: 0,
      sealed_before_outcome: 0,
      written_afterwards: 0,
      reveals: 0,
      key_changes: 0,
      history: null,
      checkpoint: null,
    });
    assert.equal(text, 'nothing has been sealed yet.');
    assert.equal(await lastBackfilledSlot(store), null);
  });

  test('history ends at a leaf, and live entries after it are sealed before their outcome', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    let now = NOON + 7000;
    const pipeline = freshPipeline(store, smallCity(2), () => now);
    await backfill(pipeline, { from: NOON - 2 * HOUR, now: NOON });
    const history = (await askOperation(getLedgerHistory, store, NOON)).structured;
    now = NOON + SLOT + 2000;
    await runDue(pipeline, now);

    const { structured, text } = await askOperation(getLedgerHistory, store, now);
    const { tree_size, sealed_before_outcome, written_afterwards, reveals } = structured;
    assert.equal(sealed_before_outcome + written_afterwards + reveals, tree_size);
    assert.deepEqual(structured.history, {
      complete: true,
      first_slot: iso(NOON - 2 * HOUR),
      last_slot: iso(NOON),
      last_leaf: history.tree_size - 1,
      written_from: iso(NOON + 7000),
      written_until: iso(NOON + 7000),
    });
    assert.deepEqual(structured.checkpoint, { tree_size, written_at: iso(now) });
    assert.deepEqual([history.sealed_before_outcome, history.written_afterwards], [0, written_afterwards]);
    assert.ok(sealed_before_outcome > 0);
    assert.match(
      text,
      /^\d+ entries were sealed before their outcome; \d+ were written afterwards, as history of the simulated city, on 2026-11-11\. \d+ more are reveals and verdicts\. history is of /,
    );
    assert.equal(await lastBackfilledSlot(store), NOON);
  });
});
