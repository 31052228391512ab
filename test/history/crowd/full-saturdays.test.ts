// Garages that begin to be full on Saturdays: a crowd stays a crowd however often it comes back, and the forecast of it
// is what follows the habit.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isCalmState, type PrimaryState } from '../../../src/domain/atmosphere/primary-state.ts';
import { type ProjectionPayload, projectionGenerator } from '../../../src/domain/prediction/prediction.ts';
import type { Sensor } from '../../../src/domain/signals/signal.ts';
import { DAY, HOUR, SLOT } from '../../../src/domain/time/slot.ts';
import { singapore } from '../../../src/domain/time/zones.fixture.ts';
import type { Job } from '../../../src/pipeline/core/context.ts';
import { computeReadings } from '../../../src/pipeline/jobs/compute-readings.ts';
import { decidePockets } from '../../../src/pipeline/jobs/decide.ts';
import { forecastPockets, sealForecasts } from '../../../src/pipeline/jobs/prediction/seal-forecasts.ts';
import { writeSlotSnapshots } from '../../../src/pipeline/jobs/write-snapshots.ts';
import { smooth } from '../../../src/sources/simulated/random/noise.ts';
import { hashText, mix, normal } from '../../../src/sources/simulated/random/random.ts';
import { bump, plateau } from '../../../src/sources/simulated/rhythm.ts';
import { readEntries } from '../../../src/store/ledger/entries.ts';
import { runJobs } from '../../support/pipeline/decision-jobs.ts';
import { learnedCity, pipelineOn } from '../../support/pipeline/learned-city.ts';
import { sqlitePlace } from '../../support/stores/store-places.ts';
import { storeFor } from '../../support/stores/suite-store.ts';

const registry = { ...learnedCity(2, ['crowd']), outlets: [] };
const pockets = registry.pockets.map(({ id }) => id);
/** A Monday. */
const FROM = singapore.startOfDay(Date.parse('2026-08-31T04:00:00Z'));
const ORDINARY_WEEKS = 3;
const FULL_WEEKS = 6;
const PLACES = 300;
const FULL_HOURS: readonly [from: number, to: number] = [11, 18];

const { hourOfDay, weekday } = singapore;
const isSaturday = (slot: number): boolean => weekday(slot) === 5;
/** The Saturday of each week with full garages. */
const saturdays = Array.from({ length: FULL_WEEKS }, (_, n) => FROM + ((ORDINARY_WEEKS + n) * 7 + 5) * DAY);
const isFull = (slot: number): boolean =>
  slot >= FROM + ORDINARY_WEEKS * 7 * DAY &&
  isSaturday(slot) &&
  hourOfDay(slot) >= FULL_HOURS[0] &&
  hourOfDay(slot) < FULL_HOURS[1];

/** The share of a garage's places that are taken: by day more than at night, most on the afternoons of working days. */
function takenShare(pocket: string, slot: number): number {
  const [seed, quarter, hour] = [hashText(pocket), slot / SLOT, hourOfDay(slot)];
  const noise = normal(mix(seed, quarter));
  if (isFull(slot)) return 0.985 + 0.01 * noise;
  const ordinary =
    weekday(slot) < 5 ? 0.35 * plateau(hour, 9, 18) + 0.1 * bump(hour, 15, 2) : 0.22 * plateau(hour, 10, 20);
  return 0.15 + ordinary + 0.03 * smooth(seed, quarter / 8) + 0.012 * noise;
}

/** Free places: nought is full, and how many are free when it is empty is learned. */
const garageSensor = (pocket: string): Sensor => ({
  id: `parking/${pocket}/free_spaces`,
  kind: 'parking/free_spaces',
  points: 'down',
  proxy: true,
  range: { low: 0 },
});

/** The atmosphere job, except that it decides and seals forecasts where this test looks: on Saturdays at eight. */
const job: Job = {
  name: 'atmosphere',
  cron: '*/15 * * * *',
  late: 'skip',
  run: async (context) => {
    const readings = await computeReadings(context, await writeSlotSnapshots(context));
    const forecasts = await forecastPockets(context, readings);
    const { slot } = context;
    if (!isSaturday(slot) || hourOfDay(slot) !== 8) return;
    await sealForecasts(context, await decidePockets(context, readings, forecasts.forecasts), forecasts);
  },
};

interface Reading {
  pocket_id: string;
  slot: number;
  calm: number;
  primary_state: PrimaryState;
  anomaly_flag: number;
}

describe('garages that become full on Saturdays', () => {
  const openedStore = storeFor(sqlitePlace, async (store) => {
    const pipeline = pipelineOn(store, registry, (slot) =>
      pockets.map((pocket_id) => ({
        kind: 'crowd',
        pocket_id,
        sensor: garageSensor(pocket_id),
        value: Math.max(0, Math.round(PLACES * (1 - takenShare(pocket_id, slot)))),
      })),
    );
    await runJobs(pipeline, [job], FROM, FROM + (ORDINARY_WEEKS + FULL_WEEKS) * 7 * DAY - SLOT);
  });

  const readingsFrom = (from: number, to: number): Promise<Reading[]> =>
    openedStore().all<Reading>('select * from atmosphere_readings where slot >= ? and slot < ?', from, to);

  /** The readings of the full hours of each such Saturday. */
  const readFull = (): Promise<Reading[][]> =>
    Promise.all(saturdays.map((day) => readingsFrom(day + FULL_HOURS[0] * HOUR, day + FULL_HOURS[1] * HOUR)));

  const meanCalm = (readings: readonly Reading[]): number =>
    readings.reduce((sum, { calm }) => sum + calm, 0) / readings.length;

  test('an ordinary Saturday is calm at eleven', async () => {
    for (let week = 1; week < ORDINARY_WEEKS; week += 1) {
      const eleven = FROM + (week * 7 + 5) * DAY + 11 * HOUR;
      const readings = await readingsFrom(eleven, eleven + HOUR);
      assert.equal(readings.length, 4 * pockets.length);
      for (const { primary_state } of readings) assert.ok(isCalmState(primary_state));
    }
  });

  test('no full Saturday is calm, and the last no calmer than the first', async () => {
    const full = await readFull();
    for (const readings of full) {
      assert.equal(readings.length, 28 * pockets.length);
      assert.deepEqual(
        readings.filter(({ primary_state }) => isCalmState(primary_state)),
        [],
      );
    }
    // The few places that are free differ from week to week: by less than a hundredth of calm.
    const [first = Number.NaN, ...later] = full.map(meanCalm);
    for (const calm of later) assert.ok(calm < first + 0.01, `${first} ${later}`);
  });

  test('the first full Saturday is an anomaly in each pocket, the last is none', async () => {
    const full = await readFull();
    const flagged = (readings: readonly Reading[] = []) =>
      new Set(readings.filter(({ anomaly_flag }) => anomaly_flag).map(({ pocket_id }) => pocket_id));
    assert.deepEqual([...flagged(full.at(0))].sort(), pockets.toSorted());
    assert.deepEqual([...flagged(full.at(-1))], []);
  });

  test('the chance of calm at eleven that is forecast at eight falls from each Saturday to the next', async () => {
    const rows = await openedStore().all<{ leaf: number }>(
      'select leaf from predictions where generator = ? and slot >= ? order by slot',
      projectionGenerator(180),
      saturdays[0] ?? 0,
    );
    const leaves = rows.map(({ leaf }) => leaf);
    const forecasts = leaves
      .map(await readEntries(openedStore(), leaves))
      .map(({ payload }) => JSON.parse(payload) as ProjectionPayload);
    for (const pocket of pockets) {
      const chances = forecasts
        .filter(({ pocket_id }) => pocket_id === pocket)
        .map(({ forecast }) => forecast.calm_probability);
      assert.equal(chances.length, FULL_WEEKS);
      for (const [n, chance] of chances.entries())
        assert.ok(n === 0 || chance < (chances[n - 1] ?? 0), `${pocket}: ${chances}`);
      for (const chance of chances.slice(3)) assert.ok(chance < 0.5, `${pocket}: ${chances}`);
    }
  });
});
