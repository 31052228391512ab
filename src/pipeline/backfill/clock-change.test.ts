// A city whose clocks change: the whole schedule over the day of 25 hours, and what is answered about it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { freshPipeline } from '../../../test/support/pipeline/fresh-pipeline.ts';
import { smallCity } from '../../../test/support/pipeline/small-city.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { HOUR, SLOT } from '../../domain/time/slot.ts';
import { localZone } from '../../domain/time/zones.fixture.ts';
import { getSilenceCounts } from '../../operations/decision/get-silence-counts.ts';
import { getPocketDay } from '../../operations/pocket/get-pocket-day.ts';
import { getPocketLive } from '../../operations/pocket/get-pocket-live.ts';
import { backfill } from './backfill.ts';

const zone = localZone('Europe/Berlin');
const small = smallCity(1);
const registry = {
  ...small,
  city: { ...small.city, name: 'Münster', time_zone: zone.name, locale: 'en-GB' },
};
const [pocket] = registry.pockets;
const from = zone.atLocal('2026-10-24', '22:00');
const end = zone.atLocal('2026-10-26', '09:00');

describeStores('the night in which clocks go back', (makePlace) => {
  const store = storeFor(makePlace, (empty) => backfill(freshPipeline(empty, registry), { from, now: end }));

  test('every slot is observed, and each daily job runs once a day', async () => {
    const runs = await store().all<{ job: string; slot: number }>(
      'select job, slot from job_runs order by slot',
    );
    const of = (job: string) => runs.filter((run) => run.job === job).map(({ slot }) => slot);
    const sunday = of('atmosphere').filter((slot) => zone.localDate(slot) === '2026-10-25');
    assert.equal(sunday.length, 25 * 4);
    assert.equal(of('atmosphere').length, (end - from) / SLOT + 1);
    for (const [job, clock] of [
      ['attention', '03:00'],
      ['legitimacy_index', '08:30'],
    ] as const)
      assert.deepEqual(
        of(job).map((slot) => `${zone.localDate(slot)} ${zone.localClock(slot)}`),
        [`2026-10-25 ${clock}`, `2026-10-26 ${clock}`],
      );
  });

  test('answers count by local days and name the zone of the season', async () => {
    const ask = { pocket_id: pocket?.id };
    const { structured } = await askOperation(getSilenceCounts, store(), end, { window: '7d' }, registry);
    assert.deepEqual(
      structured.daily_counts.slice(-3).map(({ date }) => date),
      ['2026-10-24', '2026-10-25', '2026-10-26'],
    );
    const sunday = structured.daily_counts.at(-2);
    // From 23:00 to 07:00 the 25 hours have one hour of sleep more.
    assert.equal(sunday?.quiet_hours_count, 9 * 4);
    const day = await askOperation(getPocketDay, store(), end, ask, registry);
    assert.match(day.text, /the last at 09:00 CET /);
    const summer = await askOperation(getPocketLive, store(), from + HOUR, ask, registry);
    assert.match(summer.text, / at 23:00 CEST: /);
  });
});
