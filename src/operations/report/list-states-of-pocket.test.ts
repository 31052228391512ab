import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { composedAt, month, thinMonth, writeReports } from '../../../test/support/rows/reports.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { listStatesOfPocket } from './list-states-of-pocket.ts';

describeStores('list_states_of_pocket', (makePlace) => {
  const store = storeFor(makePlace, writeReports);
  const ask = (given: Record<string, unknown>) =>
    askOperation(listStatesOfPocket, store(), composedAt, { pocket_id: 'tiongbahru', ...given });
  const composed_at = '2026-11-09T01:00:00.000Z';
  const [september, october] = [
    { composed_at, ...thinMonth },
    { composed_at, ...month },
  ];

  test('the latest month, and the months before it', async () => {
    const { structured, text } = await ask({});
    assert.deepEqual(structured, {
      pocket_id: 'tiongbahru',
      month_iso: '2026-10',
      report: october,
      reports: [
        { month_iso: '2026-10', ...october },
        { month_iso: '2026-09', ...september },
      ],
    });
    assert.equal(text, '2 monthly reports; the newest: a month like others.');
  });

  test('the limit, a month by its name, and a month without a report', async () => {
    assert.deepEqual((await ask({ limit: 1 })).structured.reports, [{ month_iso: '2026-10', ...october }]);
    const named = (await ask({ month_iso: '2026-09' })).structured;
    assert.deepEqual([named.month_iso, named.report], ['2026-09', september]);
    assert.deepEqual(named.reports, [{ month_iso: '2026-09', ...september }]);
    const none = { pocket_id: 'tiongbahru', month_iso: '2024-01', report: null, reports: [] };
    assert.deepEqual((await ask({ month_iso: '2024-01' })).structured, none);
  });
});
