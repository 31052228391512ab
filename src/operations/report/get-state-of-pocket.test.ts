import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { composedAt, month, thinMonth, writeReports } from '../../../test/support/rows/reports.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { getStateOfPocket } from './get-state-of-pocket.ts';

describeStores('get_state_of_pocket', (makePlace) => {
  const store = storeFor(makePlace, writeReports);
  const ask = (given: Record<string, unknown>) => askOperation(getStateOfPocket, store(), composedAt, given);
  const composed_at = '2026-11-09T01:00:00.000Z';

  test('the latest month, as it was composed', async () => {
    const { structured, text } = await ask({ pocket_id: 'tiongbahru' });
    assert.deepEqual(structured, {
      pocket_id: 'tiongbahru',
      month_iso: '2026-10',
      report: { composed_at, ...month },
    });
    assert.equal(text, 'a month like others.');
  });

  test('a month below the floor says so instead of observing', async () => {
    const { structured, text } = await ask({ pocket_id: 'tiongbahru', month_iso: '2026-09' });
    assert.deepEqual(structured.report, { composed_at, ...thinMonth });
    assert.equal(text, 'too little was read.');
  });

  test('no report is no error', async () => {
    const none = await ask({ pocket_id: 'tiongbahru', month_iso: '2026-12' });
    assert.deepEqual(none.structured, { pocket_id: 'tiongbahru', month_iso: '2026-12', report: null });
    assert.equal(
      none.text,
      'no monthly report of tiongbahru for 2026-12: one is composed on the 1st for the month before.',
    );
    assert.deepEqual((await ask({ pocket_id: 'holland' })).structured, {
      pocket_id: 'holland',
      month_iso: null,
      report: null,
    });
  });
});
