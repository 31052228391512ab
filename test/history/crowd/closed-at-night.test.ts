// Hire bikes that are locked away at night. Whether the feed says so or is silent, nobody knows how full the street is:
// there is no reading, and nothing is learned of those hours.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Sensor } from '../../../src/domain/signals/signal.ts';
import { DAY, SLOT } from '../../../src/domain/time/slot.ts';
import { singapore } from '../../../src/domain/time/zones.fixture.ts';
import { schedule } from '../../../src/pipeline/schedule/schedule.ts';
import { smooth } from '../../../src/sources/simulated/random/noise.ts';
import { hashText, mix, normal } from '../../../src/sources/simulated/random/random.ts';
import { bump } from '../../../src/sources/simulated/rhythm.ts';
import { runJobs } from '../../support/pipeline/decision-jobs.ts';
import { learnedCity, type Measured, pipelineOn } from '../../support/pipeline/learned-city.ts';
import { sqlitePlace } from '../../support/stores/store-places.ts';
import { storeFor } from '../../support/stores/suite-store.ts';

const FROM = singapore.startOfDay(Date.parse('2026-10-05T04:00:00Z'));
const DAYS = 5;
/** How long the range of a sensor is learned of which neither end is stated. */
const LEARNED = FROM + 3 * DAY;
const DOCKS = 40;

/** What a feed does while its system is closed, and whether it counts the bikes at the dock or the free docks. */
interface Station {
  atNight: 'closed' | 'missing';
  points: Sensor['points'];
}
const stations: readonly Station[] = [
  { atNight: 'closed', points: 'down' },
  { atNight: 'missing', points: 'down' },
  { atNight: 'closed', points: 'up' },
  { atNight: 'missing', points: 'up' },
];

const registry = { ...learnedCity(stations.length, ['temperature_c', 'crowd']), outlets: [] };
const stationOf = new Map(registry.pockets.map(({ id }, n) => [id, stations[n] as Station]));

const isClosed = (slot: number): boolean => {
  const hour = singapore.hourOfDay(slot);
  return hour >= 1 && hour < 5.5;
};

/** Bikes at the dock: fewest in the afternoon; all of them at night. Stations that point alike have the same ones. */
function bikesAt({ points }: Station, slot: number): number {
  if (isClosed(slot)) return DOCKS;
  const [seed, quarter, hour] = [hashText(points), slot / SLOT, singapore.hourOfDay(slot)];
  const out =
    0.15 + 0.45 * bump(hour, 8.5, 1.5) + 0.55 * bump(hour, 17, 3) + 0.05 * smooth(seed, quarter / 8);
  return Math.round(DOCKS * (1 - out) + normal(mix(seed, quarter)));
}

function signalsAt(slot: number): Measured[] {
  return [...stationOf].flatMap(([pocket_id, station]): Measured[] => {
    const { points, atNight } = station;
    const field = points === 'down' ? 'bikes' : 'free_docks';
    const sensor = { id: `bikes/${pocket_id}/${field}`, kind: `bikes/${field}`, points, proxy: true };
    const bikes = bikesAt(station, slot);
    const measured = {
      kind: 'crowd',
      pocket_id,
      sensor,
      value: points === 'down' ? bikes : DOCKS - bikes,
    } as const;
    const weather = { kind: 'temperature_c', pocket_id, value: 18 } as const;
    if (!isClosed(slot)) return [weather, measured];
    return atNight === 'closed' ? [weather, { ...measured, closed: true }] : [weather];
  });
}

interface Row {
  pocket_id: string;
  slot: number;
}

describe('bikes that are locked away at night', () => {
  const openedStore = storeFor(sqlitePlace, async (store) => {
    const jobs = schedule.filter(({ name }) => name === 'atmosphere');
    await runJobs(pipelineOn(store, registry, signalsAt), jobs, FROM, FROM + DAYS * DAY - SLOT);
  });
  const readRows = (table: string) => openedStore().all<Row>(`select pocket_id, slot from ${table}`);

  test('no reading, decision or forecast is of the hours in which they are closed', async () => {
    for (const table of ['atmosphere_readings', 'moments', 'silences', 'pauses', 'packages', 'predictions'])
      assert.deepEqual(
        (await readRows(table)).filter(({ slot }) => isClosed(slot)),
        [],
        table,
      );
  });

  test('every other slot has a reading, once the range of the sensor is known', async () => {
    const readings = Map.groupBy(await readRows('atmosphere_readings'), ({ pocket_id }) => pocket_id);
    const open = Array.from({ length: (DAYS * DAY) / SLOT }, (_, n) => FROM + n * SLOT).filter(
      (slot) => slot >= LEARNED && !isClosed(slot),
    );
    for (const pocket of stationOf.keys())
      assert.deepEqual(
        readings.get(pocket)?.map(({ slot }) => slot),
        open,
        pocket,
      );
  });

  test('the snapshot of a closed hour says why there is no crowd', async () => {
    const snapshots = await openedStore().all<Row & { crowd: number | null; crowd_gap: string | null }>(
      'select pocket_id, slot, crowd, crowd_gap from snapshots',
    );
    assert.equal(snapshots.length, (stationOf.size * DAYS * DAY) / SLOT);
    for (const { pocket_id, slot, crowd, crowd_gap } of snapshots) {
      const open = slot < LEARNED ? 'learning' : null;
      assert.equal(crowd_gap, isClosed(slot) ? stationOf.get(pocket_id)?.atNight : open);
      assert.equal(crowd === null, crowd_gap !== null);
    }
  });

  test('nothing is learned of closed hours', async () => {
    const norms = await openedStore().all<{ hour_of_week: number; calm_samples: number }>(
      'select * from norms',
    );
    const hours = new Set(norms.map(({ hour_of_week }) => hour_of_week % 24));
    // Half of the hour from five on is open.
    assert.deepEqual(
      Array.from({ length: 24 }, (_, hour) => hour).filter((hour) => !hours.has(hour)),
      [1, 2, 3, 4],
    );
    const crowds = await openedStore().all<Row & { crowd: number }>(
      'select pocket_id, slot, crowd from snapshots where crowd is not null order by slot',
    );
    const [said, silent] = ['closed', 'missing'].map((atNight) =>
      crowds
        .filter(({ pocket_id }) => stationOf.get(pocket_id)?.atNight === atNight)
        .map(({ crowd }) => crowd),
    );
    assert.ok(said?.length);
    assert.deepEqual(said, silent, 'what a closed station gives moves no range');
  });
});
