import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { composedAt, week, writeReports } from '../../../test/support/rows/reports.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { getWeeklyReport } from './get-weekly-report.ts';

describeStores('get_weekly_report', (makePlace) => {
  const store = storeFor(makePlace, writeReports);
  const ask = (given: Record<string, unknown>) => askOperation(getWeeklyReport, store(), composedAt, given);

  test('the latest report of a pocket, as it was composed', async () => {
    const { structured, text } = await ask({ pocket_id: 'tiongbahru' });
    assert.deepEqual(structured, {
      pocket_id: 'tiongbahru',
      week_iso: '2026-W45',
      report: {
        pocket_id: 'tiongbahru',
        week_iso: '2026-W45',
        composed_at: '2026-11-09T01:00:00.000Z',
        ...week,
      },
    });
    assert.equal(text, 'a quiet week.');
  });

  test('a week by its name', async () => {
    const { structured } = await ask({ pocket_id: 'tiongbahru', week_iso: '2025-W52' });
    assert.equal(structured.week_iso, '2025-W52');
    assert.notEqual(structured.report, null);
  });

  test('no report is no error: the answer names the week asked for and when reports are composed', async () => {
    const none = await ask({ pocket_id: 'tiongbahru', week_iso: '2025-W50' });
    assert.deepEqual(none.structured, { pocket_id: 'tiongbahru', week_iso: '2025-W50', report: null });
    assert.equal(
      none.text,
      'no weekly report of tiongbahru for 2025-W50: one is composed on monday at 09:00 SGT, for the week that has just ended.',
    );
    const unknown = await ask({ pocket_id: 'ATLANTIS' });
    assert.deepEqual(unknown.structured, { pocket_id: 'ATLANTIS', week_iso: null, report: null });
    assert.match(unknown.text, /^no weekly report of ATLANTIS: one is composed/);
  });
});
