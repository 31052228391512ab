import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { composedAt, week, writeReports } from '../../../test/support/rows/reports.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { listWeeklyReports } from './list-weekly-reports.ts';

describeStores('list_weekly_reports', (makePlace) => {
  const store = storeFor(makePlace, writeReports);
  const ask = async (given: Record<string, unknown>) => {
    const { structured, text } = await askOperation(listWeeklyReports, store(), composedAt, given);
    const { report, reports } = structured;
    assert.deepEqual(report, reports[0] ?? null);
    return { report, text, listed: reports.map(({ week_iso, pocket_id }) => `${week_iso} ${pocket_id}`) };
  };

  test('which reports, newest week first and then by pocket', async () => {
    const table: [given: Record<string, unknown>, listed: string[]][] = [
      [
        {},
        [
          '2026-W45 dempsey',
          '2026-W45 tiongbahru',
          '2026-W44 dempsey',
          '2026-W01 tiongbahru',
          '2025-W52 tiongbahru',
        ],
      ],
      [{ limit: 1 }, ['2026-W45 dempsey', '2026-W45 tiongbahru']],
      [{ limit: 1, first: 1 }, ['2026-W45 dempsey']],
      [{ limit: 2 }, ['2026-W45 dempsey', '2026-W45 tiongbahru', '2026-W44 dempsey']],
      [{ pocket_id: 'tiongbahru', limit: 2 }, ['2026-W45 tiongbahru', '2026-W01 tiongbahru']],
      [{ pocket_id: 'tiongbahru', week_iso: '2026-W44' }, []],
      [{ pocket_id: 'dempsey', week_iso: '2026-W44' }, ['2026-W44 dempsey']],
      [{ week_iso: '2026-W45', limit: 1 }, ['2026-W45 dempsey', '2026-W45 tiongbahru']],
      [{ pocket_id: 'holland' }, []],
    ];
    for (const [given, listed] of table)
      assert.deepEqual((await ask(given)).listed, listed, JSON.stringify(given));
  });

  test('a report has every field', async () => {
    const { report, text } = await ask({ pocket_id: 'tiongbahru' });
    const composed_at = '2026-11-09T01:00:00.000Z';
    assert.deepEqual(report, { pocket_id: 'tiongbahru', week_iso: '2026-W45', composed_at, ...week });
    assert.equal(text, '3 weekly reports; the first: a quiet week.');
    assert.equal((await ask({ pocket_id: 'holland' })).text, 'no weekly reports.');
  });
});
