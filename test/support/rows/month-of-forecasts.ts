// A day of scored forecasts made into a month of them: every sum is multiplied, each simple forecast has its own, and
// every tenth of the calm probability was stated. Totals are what reports read, so no single forecast is needed.
import assert from 'node:assert/strict';
import { HORIZONS, projectionGenerator } from '../../../src/domain/prediction/prediction.ts';
import type { Store } from '../../../src/store/engine/store.ts';
import { rolledUpTo } from '../../../src/store/rollup/read-rollups.ts';
import { calmRollup, forecastRollup, storedSums } from '../../../src/store/rollup/tables.ts';

/** Odd, so that shares keep their three digits. */
const DAYS = 31;

export async function scoreMonthOfForecasts(store: Store): Promise<void> {
  const end = (await rolledUpTo(store)) ?? assert.fail('nothing is rolled up');
  const multiplied = storedSums(forecastRollup).map((sum) => {
    // A day has no week before it: the forecasts of the other simple rule stand in.
    const counted = sum.replace('last_week', 'persistence');
    return `${sum} = ${DAYS} * ${counted}`;
  });
  await store.transaction(async (tx) => {
    await tx.run(`update ${forecastRollup.name} set ${multiplied.join(', ')} where period_end = ?`, end);
    await tx.run(`delete from ${calmRollup.name} where period_end = ?`, end);
    for (const [n, horizon] of HORIZONS.entries())
      for (const waking of [0, 1])
        for (let tenth = 0; tenth < 10; tenth++) {
          const forecasts = 1_237 + 101 * n + 17 * tenth;
          await tx.run(
            `insert into ${calmRollup.name} (period_end, generator, shadow, waking, tenth, forecasts, calm, probability)
             values (?, ?, 0, ?, ?, ?, ?, ?)`,
            ...[end, projectionGenerator(horizon), waking, tenth, forecasts],
            Math.round(forecasts * (tenth / 10 + 0.047)),
            Math.round(10_000 * forecasts * (tenth / 10 + 0.053)),
          );
        }
  });
}
