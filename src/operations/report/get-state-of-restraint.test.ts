import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { bareRestraint, composedAt, restraint, writeReports } from '../../../test/support/rows/reports.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { getStateOfRestraint } from './get-state-of-restraint.ts';

describeStores('get_state_of_restraint', (makePlace) => {
  const store = storeFor(makePlace, writeReports);
  const ask = (given: Record<string, unknown> = {}) =>
    askOperation(getStateOfRestraint, store(), composedAt, given);
  const composed_at = '2026-11-09T01:00:00.000Z';

  test('the most recent month', async () => {
    const { structured, text } = await ask();
    assert.deepEqual(structured, { month_iso: '2026-10', composed_at, ...restraint });
    assert.equal(
      text,
      '2026-10, in waking hours: 3000 said, 50000 held back, each with the line that was not said; silence was right in 0.93 of those judged, preserving an estimated 120000.5 minutes of attention. confident forecasts came true in 0.81, a naive baseline in 0.6 (gap 21 points). top failure: a silence was wrong. top success: a silence was right.',
    );
  });

  test('nothing to average stays null', async () => {
    const { structured, text } = await ask({ month_iso: '2026-09' });
    assert.deepEqual(structured, { month_iso: '2026-09', composed_at, ...bareRestraint });
    assert.match(text, /no silence was judged\. no confident forecast was scored\.$/);
  });

  test('no report is no error', async () => {
    const { structured, text } = await ask({ month_iso: '2026-08' });
    assert.deepEqual(structured, { month_iso: '2026-08', available: false });
    assert.equal(
      text,
      'no report of restraint for 2026-08: one is composed on the 1st for the month before.',
    );
  });
});
