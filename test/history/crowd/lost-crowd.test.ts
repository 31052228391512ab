// The same simulated month with the sensors' dropouts and without them: where nobody was counted nothing is said,
// learned or forecast, and elsewhere a dropout changes no more than what is lost explains.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { CALM_STATE_LEVEL } from '../../../src/domain/atmosphere/atmosphere.ts';
import { usualCalm } from '../../../src/domain/atmosphere/usual-calm.ts';
import { pocketSignalKinds } from '../../../src/domain/signals/signal.ts';
import { DAY, SLOT } from '../../../src/domain/time/slot.ts';
import { singapore } from '../../../src/domain/time/zones.fixture.ts';
import { schedule } from '../../../src/pipeline/schedule/schedule.ts';
import { simulatedCity } from '../../../src/sources/simulated/city.ts';
import type { Store } from '../../../src/store/engine/store.ts';
import { readCalmNorms } from '../../../src/store/observation/norms.ts';
import { atmosphereJob, runJobs } from '../../support/pipeline/decision-jobs.ts';
import { freshPipeline } from '../../support/pipeline/fresh-pipeline.ts';
import { smallCity } from '../../support/pipeline/small-city.ts';
import { sqlitePlace } from '../../support/stores/store-places.ts';
import { storeFor } from '../../support/stores/suite-store.ts';

/** Two whose sensors are lost often, and of which something is said often. */
const registry = smallCity(['cluny', 'dempsey']);
const FROM = singapore.startOfDay(Date.parse('2026-10-05T04:00:00Z'));
const DAYS = 28;
/** Forecasts take most of the time, so they are sealed on the first days only. */
const FORECAST_DAYS = 2;
/** How far the calm of a reading may move while something other than the crowd is lost. */
const MOVED_BY_OTHERS = 0.2;

interface Reading {
  pocket_id: string;
  slot: number;
  calm: number;
  stress: number;
  primary_state: string;
}
type Row = Pick<Reading, 'pocket_id' | 'slot'>;
type Snapshot = Row & Record<string, unknown>;

const rowKey = ({ pocket_id, slot }: Row): string => `${pocket_id} ${slot}`;
const byKey = <T extends Row>(rows: readonly T[]): Map<string, T> =>
  new Map(rows.map((row) => [rowKey(row), row]));

async function playMonth(store: Store, dropouts: boolean): Promise<void> {
  const source = simulatedCity(registry, registry.city.seed, { dropouts });
  const pipeline = { ...freshPipeline(store, registry), source };
  const withForecasts = schedule.filter(({ name }) => name === 'atmosphere');
  const sealed = FROM + (dropouts ? FORECAST_DAYS : 0) * DAY;
  await runJobs(pipeline, withForecasts, FROM, sealed - SLOT);
  await runJobs(pipeline, [atmosphereJob], sealed, FROM + DAYS * DAY - SLOT);
}

const readMonth = async (store: Store) => ({
  store,
  snapshots: byKey(await store.all<Snapshot>('select * from snapshots')),
  readings: byKey(await store.all<Reading>('select * from atmosphere_readings')),
  lines: await store.all<Row>('select pocket_id, slot from packages'),
  norms: await calmNorms(store),
});

async function calmNorms(store: Store) {
  const hours = Array.from({ length: 168 }, (_, hour) => hour);
  return new Map((await readCalmNorms(store, hours)).map((norm) => [hourKey(norm), norm]));
}

const hourKey = ({ pocket_id, hour_of_week }: { pocket_id: string; hour_of_week: number }): string =>
  `${pocket_id} ${hour_of_week}`;
const hourOfWeekKey = ({ pocket_id, slot }: Row): string =>
  hourKey({ pocket_id, hour_of_week: singapore.hourOfWeek(slot) });
const meanCalm = (readings: readonly Reading[]): number =>
  readings.reduce((sum, { calm }) => sum + calm, 0) / readings.length;

type Month = Awaited<ReturnType<typeof readMonth>>;

describe('a month with dropouts beside the same without', () => {
  const withDropouts = storeFor(sqlitePlace, (store) => playMonth(store, true));
  const withoutDropouts = storeFor(sqlitePlace, (store) => playMonth(store, false));

  let faulty: Month;
  let whole: Month;
  /** Whether the crowd of a pocket was lost at a slot. */
  let isLost: (row: Row) => boolean;
  /** Whether all that was measured is the same in both months. */
  let isWhole: (row: Row) => boolean;

  before(async () => {
    faulty = await readMonth(withDropouts());
    whole = await readMonth(withoutDropouts());
    isLost = (row) => (faulty.snapshots.get(rowKey(row))?.crowd ?? null) === null;
    isWhole = (row) => {
      const [one, other] = [faulty, whole].map(({ snapshots }) => snapshots.get(rowKey(row)));
      return pocketSignalKinds.every((kind) => one?.[kind] === other?.[kind]);
    };
  });

  test('where nobody was counted there is no reading, moment, line, silence, pause or forecast', async () => {
    const lost = [...whole.snapshots.values()].filter(isLost);
    assert.ok(lost.length > 65 && lost.length < 0.05 * whole.snapshots.size, `${lost.length} lost`);
    assert.ok(lost.some(({ slot }) => slot < FROM + FORECAST_DAYS * DAY));
    for (const table of ['atmosphere_readings', 'moments', 'packages', 'silences', 'pauses', 'predictions']) {
      const rows = await faulty.store.all<Row>(`select distinct pocket_id, slot from ${table}`);
      assert.ok(rows.length > (table === 'packages' ? 10 : 100), `${table} ${rows.length}`);
      assert.deepEqual(rows.filter(isLost), [], table);
    }
    for (const { crowd, crowd_gap } of faulty.snapshots.values())
      assert.equal(crowd_gap, crowd === null ? 'missing' : null);
  });

  test('every other slot has a reading, which is the same in both months where all was measured', () => {
    let moved = 0;
    for (const [key, reading] of whole.readings) {
      const other = faulty.readings.get(key);
      if (isLost(reading)) continue;
      assert.ok(other, key);
      const difference = Math.abs(other.calm - reading.calm);
      if (!isWhole(reading)) moved = Math.max(moved, difference);
      else
        assert.deepEqual(
          [other.calm, other.stress, other.primary_state],
          [reading.calm, reading.stress, reading.primary_state],
          key,
        );
    }
    assert.ok(moved < MOVED_BY_OTHERS, `${moved}`);
  });

  test('what is usual at an hour differs by no more than the lost samples explain', () => {
    const kept = Map.groupBy(
      [...whole.readings.values()].filter((reading) => !isLost(reading)),
      hourOfWeekKey,
    );
    for (const [hour, { samples, mean }] of whole.norms) {
      const same = kept.get(hour) ?? [];
      const norm = faulty.norms.get(hour);
      assert.equal(norm?.samples ?? 0, same.length, `${hour}: a sample a reading`);
      if (!norm) continue;
      // Of the readings that are in both months only those with another signal lost may differ.
      const others = same.filter((reading) => !isWhole(reading)).length;
      const moved = (MOVED_BY_OTHERS * others) / samples;
      assert.ok(
        Math.abs(norm.mean - meanCalm(same)) <= moved + 1e-9,
        `${hour}: ${norm.mean} ${meanCalm(same)}`,
      );
      // Each lost sample lies within 0 and 1, as all others do.
      assert.ok(Math.abs(norm.mean - mean) <= moved + (samples - same.length) / samples, hour);
    }
  });

  test('no hour is usually calm because of dropouts', () => {
    const isUsuallyCalm = (month: Month, hour: string, level: number) =>
      (usualCalm(month.norms.get(hour)) ?? 0) >= level;
    const hours = [...faulty.norms.keys()].filter((hour) => isUsuallyCalm(faulty, hour, CALM_STATE_LEVEL));
    assert.ok(hours.length > 165);
    // A hundredth: a gauge that is missing now and then may move an hour that lies at the limit.
    assert.deepEqual(
      hours.filter((hour) => !isUsuallyCalm(whole, hour, CALM_STATE_LEVEL - 0.01)),
      [],
    );
  });

  test('dropouts bring at most 2 % more lines, in all and where people were counted', () => {
    const counted = whole.lines.filter((line) => !isLost(line));
    assert.ok(counted.length > 25, `${counted.length}`);
    // Of few lines, chance alone makes a few more.
    assert.ok(
      faulty.lines.length <= Math.max(1.02 * counted.length, counted.length + 2),
      `${faulty.lines.length} ${counted.length}`,
    );
  });
});
