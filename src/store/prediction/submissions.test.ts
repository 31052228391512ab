import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMigratedStore } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storedEntries } from '../../../test/support/stores/stored-entries.ts';
import { testSigner } from '../../../test/support/stores/test-key.ts';
import { TEST_TIME } from '../../../test/support/stores/test-ledger.ts';
import { HOUR, MINUTE } from '../../domain/time/slot.ts';
import { ClockError } from '../engine/clock.ts';
import { ledgerAppender } from '../ledger/append.ts';
import { writeSubmission } from './submissions.ts';

describeStores('a submission', (makePlace) => {
  test('is not sealed if the time of the log is more than a minute from its own', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const window = { window_start: TEST_TIME, window_end: TEST_TIME + 3 * HOUR };
    let ids = 0;
    /** Accepted at `now`; the log's clock says `clock` when it has waited for the log. */
    const submit = (now: number, clock: number) =>
      ledgerAppender(
        store,
        testSigner,
        () => clock,
      )((tx, ledger) => {
        const submission = { submitter_name: 'a system', ...window, items: [] };
        return writeSubmission(tx, ledger, submission, { id: `s${ids++}`, nonce: '', now });
      });
    const size = async () => (await storedEntries(store)).length;

    await submit(TEST_TIME, TEST_TIME);
    for (const delay of [-MINUTE, MINUTE]) await submit(TEST_TIME + HOUR, TEST_TIME + HOUR + delay);
    const newest = TEST_TIME + HOUR + MINUTE;
    assert.equal(await size(), 3);

    const wrong: [what: string, now: number, clock: number][] = [
      ['it waited for too long', newest, newest + MINUTE + 1],
      ['its clock is ahead', newest + MINUTE + 1, newest],
      ['the clock was set back', newest - MINUTE - 1, newest - MINUTE - 1],
      ['the clock was set back by hours', TEST_TIME, TEST_TIME],
    ];
    for (const [what, now, clock] of wrong) await assert.rejects(submit(now, clock), ClockError, what);
    assert.equal(await size(), 3);
    await submit(newest - MINUTE, newest - MINUTE);
    assert.equal(await size(), 4);
  });
});
