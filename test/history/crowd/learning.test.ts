// When a new sensor begins to count: at once where its range is stated, else when its range has been learned.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Sensor } from '../../../src/domain/signals/signal.ts';
import { DAY, HOUR, SLOT } from '../../../src/domain/time/slot.ts';
import { singapore } from '../../../src/domain/time/zones.fixture.ts';
import { hashText, mix, normal, uniform } from '../../../src/sources/simulated/random/random.ts';
import { bump } from '../../../src/sources/simulated/rhythm.ts';
import { atmosphereJob, runJobs } from '../../support/pipeline/decision-jobs.ts';
import { learnedCity, type Measured, pipelineOn } from '../../support/pipeline/learned-city.ts';
import { sqlitePlace } from '../../support/stores/store-places.ts';
import { storeFor } from '../../support/stores/suite-store.ts';

const FROM = singapore.startOfDay(Date.parse('2026-10-05T04:00:00Z'));
const DAYS = 6;
/** A counter is silent in so many slots. */
const SILENT_SHARE = 0.1;

/** A sensor of each kind, and after how many hours it begins to count; null: never. */
const kinds: readonly { what: string; sensor: Pick<Sensor, 'proxy' | 'range'>; after: number | null }[] = [
  { what: 'a counter', sensor: { proxy: false }, after: 72 },
  { what: 'a counter that begins at nought', sensor: { proxy: false, range: { low: 0 } }, after: 24 },
  { what: 'a stand-in whose most is stated', sensor: { proxy: true, range: { high: 700 } }, after: 24 },
  { what: 'a counter of a stated range', sensor: { proxy: false, range: { low: 0, high: 700 } }, after: 0 },
  { what: 'a stand-in of a stated range', sensor: { proxy: true, range: { low: 0, high: 700 } }, after: 0 },
  { what: 'a stand-in that is fullest at night', sensor: { proxy: true }, after: null },
];
const registry = { ...learnedCity(kinds.length, ['temperature_c', 'crowd']), outlets: [] };
const pocketId = (n: number): string => registry.pockets[n]?.id ?? '';

function signalsAt(slot: number): Measured[] {
  return kinds.flatMap(({ sensor, after }, n): Measured[] => {
    const pocket_id = pocketId(n);
    const key = mix(hashText(pocket_id), slot / SLOT);
    const temperature: Measured = { kind: 'temperature_c', pocket_id, value: 18 };
    if (uniform(mix(key, 1)) < SILENT_SHARE) return [temperature];
    const hour = singapore.hourOfDay(slot);
    const people = 40 + 300 * bump(hour, 12.5, 2) + 500 * bump(hour, 18, 2.5);
    const value = Math.max(0, Math.round((after === null ? 700 - people : people) + 15 * normal(key)));
    const id = `made-up/${pocket_id}/people`;
    return [
      temperature,
      { kind: 'crowd', pocket_id, value, sensor: { id, kind: 'made-up/people', points: 'up', ...sensor } },
    ];
  });
}

interface Snapshot {
  slot: number;
  crowd: number | null;
  crowd_gap: string | null;
  reading: number;
}

describe('new sensors', () => {
  const openedStore = storeFor(sqlitePlace, (store) =>
    runJobs(pipelineOn(store, registry, signalsAt), [atmosphereJob], FROM, FROM + DAYS * DAY - SLOT),
  );
  /** Each slot of a pocket, with 1 where there is a reading. */
  const readSlots = (n: number): Promise<Snapshot[]> =>
    openedStore().all<Snapshot>(
      `select e.slot, e.crowd, e.crowd_gap, case when r.slot is null then 0 else 1 end as reading
       from snapshots e left join atmosphere_readings r on r.slot = e.slot and r.pocket_id = e.pocket_id
       where e.pocket_id = ? order by e.slot`,
      pocketId(n),
    );

  for (const [n, { what, after }] of kinds.entries())
    test(`${what} ${after === null ? 'never counts' : `counts from hour ${after} on`}`, async () => {
      const slots = await readSlots(n);
      const begins = after === null ? Number.POSITIVE_INFINITY : FROM + after * HOUR;
      for (const { slot, crowd, crowd_gap, reading } of slots) {
        const isSilent = crowd_gap === 'missing';
        assert.equal(reading, crowd === null ? 0 : 1);
        if (slot < begins) assert.equal(reading, 0, `${slot}`);
        else assert.ok(isSilent || reading, `${slot}`);
      }
      const silent = slots.filter(({ crowd_gap }) => crowd_gap === 'missing').length;
      assert.ok(silent > 0 && silent < 2 * SILENT_SHARE * slots.length);
    });

  test('a counter of an unknown range has a reading in nearly every slot of the fourth day and of later ones', async () => {
    const slots = (await readSlots(0)).filter(({ slot }) => slot >= FROM + 3 * DAY);
    const reporting = slots.filter(({ crowd_gap }) => crowd_gap !== 'missing');
    assert.ok(reporting.length > 0.8 * slots.length);
    assert.ok(reporting.filter(({ reading }) => reading).length >= 0.95 * reporting.length);
  });

  test('a snapshot says whether its sensor is learned or of no use', async () => {
    const readGaps = async (n: number, from: number) =>
      new Set((await readSlots(n)).filter(({ slot }) => slot >= from).map(({ crowd_gap }) => crowd_gap));
    assert.deepEqual(await readGaps(0, FROM), new Set(['learning', 'missing', null]));
    // It shows at night that it is fullest then: what is known of three nights is enough.
    assert.deepEqual(
      await readGaps(kinds.length - 1, FROM + 3 * DAY),
      new Set(['fullest_at_night', 'missing']),
    );
  });
});
