import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import {
  composedAt,
  month,
  monthForecasts,
  restraint,
  writeReports,
} from '../../../test/support/rows/reports.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { listStatesOfRestraint } from './list-states-of-restraint.ts';

describeStores('list_states_of_restraint', (makePlace) => {
  const store = storeFor(makePlace, writeReports);
  const ask = (given: Record<string, unknown> = {}) =>
    askOperation(listStatesOfRestraint, store(), composedAt, given);
  const months = async (given: Record<string, unknown>) =>
    (await ask(given)).structured.reports.map(({ month_iso }) => month_iso);

  test('each report as the interface has it, newest first', async () => {
    const { structured, text } = await ask();
    assert.deepEqual(structured.reports[0], {
      month_iso: '2026-10',
      composed_at: '2026-11-09T01:00:00.000Z',
      metrics: {
        signals_emitted_count: 3000,
        signals_withheld_count: 50_000,
        already_speaking_count: 24,
        quiet_hours_count: 64,
        accuracy_high_confidence: 0.81,
        naive_baseline_accuracy: 0.6,
        silence_correctness_rate: 0.93,
        attention_minutes_preserved: 120_000.5,
        ...monthForecasts,
        waking_time: { minutes_said: 45_360, minutes_silent: 750_000, share_said: 0.057 },
        decisions_judged: restraint.decisions_judged,
      },
      narrative_top_failure: 'a silence was wrong.',
      narrative_top_success: 'a silence was right.',
    });
    assert.equal(text, '2 reports of restraint, the newest of 2026-10.');
  });

  test('one month has the cells of each pocket too', async () => {
    const { reports } = (await ask({ month_iso: '2026-10' })).structured;
    assert.deepEqual(
      reports.map(({ per_pocket }) => per_pocket),
      [[{ pocket_id: 'tiongbahru', decisions_judged: month.decisions_judged }]],
    );
  });

  test('the limit, a month by its name, and a month without a report', async () => {
    assert.deepEqual(await months({}), ['2026-10', '2026-09']);
    assert.deepEqual(await months({ limit: 1 }), ['2026-10']);
    assert.deepEqual(await months({ month_iso: '2026-09' }), ['2026-09']);
    assert.deepEqual(await months({ month_iso: '2026-08' }), []);
    assert.equal((await ask({ month_iso: '2026-08' })).text, 'no reports of restraint.');
  });
});
