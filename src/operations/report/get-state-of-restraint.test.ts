import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import {
  bareRestraint,
  composedAt,
  month,
  monthForecasts,
  noMonthForecasts,
  restraint,
  thinMonth,
  writeReports,
} from '../../../test/support/rows/reports.ts';
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
    const { forecasts: _stored, ...figures } = restraint;
    assert.deepEqual(structured, {
      month_iso: '2026-10',
      composed_at,
      ...figures,
      ...monthForecasts,
      waking_time: { minutes_said: 45_360, minutes_silent: 750_000, share_said: 0.057 },
      per_pocket: [{ pocket_id: 'tiongbahru', decisions_judged: month.decisions_judged }],
    });
    assert.equal(
      text,
      '2026-10, forecasts: 6000 scored, 2000 of them sealed before their outcome (71.0\u00a0% came true) and 4000 written afterwards on a virtual clock (69.5\u00a0% came true). a line was live for 5.7\u00a0% of waking time: 756 hours said, 12,500 hours silent. in waking hours 3000 said, 50000 held back, each with the line that was not said; of 300 lines judged 240 served (80.0\u00a0%), of 49,500 silences 46,000 were right (92.9\u00a0%); 500 could not be judged; an estimated 2000 hours of attention were preserved. of 6000 state forecasts 70.0\u00a0% came true, in waking hours 60.0\u00a0% of 4000, at night 90.0\u00a0% of 2000: the service is 9.0 points ahead of the same hour last week (62.0\u00a0% of 5000), 15.0 points ahead of persistence (55.0\u00a0% of 6000), 20.0 points ahead of the naive baseline (50.0\u00a0% of 6000). confident forecasts of all kinds came true in 81.0\u00a0%, in waking hours 76.0\u00a0% of 2000, at night 91.0\u00a0% of 1000: the service is 21.0 points ahead of the naive baseline (60.0\u00a0%). top failure: a silence was wrong. top success: a silence was right.',
    );
  });

  test('nothing to average stays null', async () => {
    const { structured, text } = await ask({ month_iso: '2026-09' });
    const { forecasts: _stored, ...figures } = bareRestraint;
    assert.deepEqual(structured, {
      month_iso: '2026-09',
      composed_at,
      ...figures,
      ...noMonthForecasts,
      waking_time: { minutes_said: 360, minutes_silent: 45, share_said: 0.889 },
      per_pocket: [{ pocket_id: 'tiongbahru', decisions_judged: thinMonth.decisions_judged }],
    });
    assert.match(
      text,
      /no silence was judged; 3 could not be judged; an estimated 0 minutes of attention were preserved\. no confident forecast was scored\.$/,
    );
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
