// Counters that die: completeness falls with each of them, and with it what the service dares to say and to count.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MIN_MOMENT_COMPLETENESS } from '../../../src/domain/decision/moment.ts';
import { BAR } from '../../../src/domain/prediction/forecast-sums.ts';
import { DAY, SLOT } from '../../../src/domain/time/slot.ts';
import { singapore } from '../../../src/domain/time/zones.fixture.ts';
import { getAccuracyReport } from '../../../src/operations/prediction/get-accuracy-report.ts';
import { backfill } from '../../../src/pipeline/backfill/backfill.ts';
import { hashText, mix, normal } from '../../../src/sources/simulated/random/random.ts';
import { bump } from '../../../src/sources/simulated/rhythm.ts';
import { askOperation } from '../../support/answers/ask-operation.ts';
import { learnedCity, type Measured, pipelineOn } from '../../support/pipeline/learned-city.ts';
import { sqlitePlace } from '../../support/stores/store-places.ts';
import { storeFor } from '../../support/stores/suite-store.ts';

const FROM = singapore.startOfDay(Date.parse('2026-10-05T04:00:00Z'));
const DIES = FROM + DAY;
/** How long it is watched from then on. */
const WATCHED = 2 * DAY;
const NOW = DIES + WATCHED - SLOT;
const COUNTERS = 3;

/** How many of the three counters of each pocket die; those of the last have never reported. */
const pocketsOf = [
  { dead: 0, from: DIES, completeness: 1 },
  { dead: 1, from: DIES, completeness: 0.667 },
  { dead: 2, from: DIES, completeness: 0.333 },
  { dead: 2, from: FROM, completeness: 0.333 },
];
const city = learnedCity(pocketsOf.length, ['crowd']);
const counterId = (pocket: string, n: number): string => `people/${pocket}-${n}/count`;
const registry = {
  ...city,
  outlets: [],
  pockets: city.pockets.map((pocket) => ({
    ...pocket,
    sensors: Array.from({ length: COUNTERS }, (_, n) => ({ id: counterId(pocket.id, n), proxy: false })),
  })),
};
const pocketAt = (n: number): string => registry.pockets[n]?.id ?? '';

/** All counters of all pockets count the same, so that only their number tells pockets apart. */
function signalsAt(slot: number): Measured[] {
  const hour = singapore.hourOfDay(slot);
  const noise = normal(mix(hashText('people'), slot / SLOT));
  const value = Math.max(0, Math.round(30 + 350 * bump(hour, 18, 3) + 8 * noise));
  return pocketsOf.flatMap(({ dead, from }, p) => {
    const alive = COUNTERS - (slot >= from ? dead : 0);
    return Array.from({ length: alive }, (_, n): Measured => {
      const sensor = {
        kind: 'people/count',
        points: 'up',
        proxy: false,
        range: { low: 0, high: 600 },
      } as const;
      return {
        kind: 'crowd',
        pocket_id: pocketAt(p),
        value,
        sensor: { id: counterId(pocketAt(p), n), ...sensor },
      };
    });
  });
}

describe('counters that die', () => {
  const openedStore = storeFor(sqlitePlace, (store) =>
    backfill(pipelineOn(store, registry, signalsAt), { from: FROM, now: NOW }),
  );
  const readRows = <T>(table: string, n: number, columns = '*'): Promise<T[]> =>
    openedStore().all<T>(
      `select ${columns} from ${table} where pocket_id = ? and slot >= ? order by slot`,
      pocketAt(n),
      DIES,
    );

  test('completeness is the share of the counters that report, and the reading is that of those', async () => {
    const whole = await readRows<{ calm: number }>('atmosphere_readings', 0);
    assert.equal(whole.length, WATCHED / SLOT);
    for (const [n, { completeness }] of pocketsOf.entries()) {
      const readings = await readRows<{ calm: number; completeness: number }>('atmosphere_readings', n);
      assert.deepEqual(new Set(readings.map((reading) => reading.completeness)), new Set([completeness]));
      assert.deepEqual(
        readings.map(({ calm }) => calm),
        whole.map(({ calm }) => calm),
      );
    }
  });

  test('with too few of them there is no moment, no line and no silence', async () => {
    for (const [n, { completeness }] of pocketsOf.entries()) {
      const isEnough = completeness >= MIN_MOMENT_COMPLETENESS;
      assert.equal((await readRows('moments', n)).length, isEnough ? WATCHED / SLOT : 0);
      const spoken = [
        ...(await readRows('silences', n)),
        ...(await readRows('packages', n)),
        ...(await readRows('pauses', n)),
      ];
      assert.equal(spoken.length > 0, isEnough);
    }
  });

  test('with fewer of them the service is less sure of what it might say', async () => {
    interface Silence {
      slot: number;
      candidate_confidence: number;
    }
    const [all, fewer] = await Promise.all([
      readRows<Silence>('silences', 0),
      readRows<Silence>('silences', 1),
    ]);
    const sure = new Map(all.map(({ slot, candidate_confidence }) => [slot, candidate_confidence]));
    const both = fewer.filter(({ slot }) => sure.has(slot));
    assert.ok(both.length > 50);
    for (const { slot, candidate_confidence } of both)
      assert.ok(candidate_confidence < (sure.get(slot) ?? 0), `${candidate_confidence} ${sure.get(slot)}`);
  });

  test('forecasts from too few of them count in no figure that declares a filter', async () => {
    const { structured } = await askOperation(
      getAccuracyReport,
      openedStore(),
      NOW,
      { since: '30d' },
      registry,
    );
    for (const [n, { dead, from, completeness }] of pocketsOf.entries()) {
      const sealed = await readRows<{ completeness: number }>('predictions', n);
      assert.ok(sealed.length > 500);
      for (const forecast of sealed) assert.equal(forecast.completeness, completeness);
      const figures = structured.by_pocket.find(({ pocket_id }) => pocket_id === pocketAt(n));
      const [counted] = await openedStore().all<{ n: number }>(
        `select count(*) as n from revealed_forecasts where pocket_id = ? and accuracy_score is not null and shadow = 0
         and confidence >= ? and slot < ?`,
        pocketAt(n),
        BAR.confidence,
        from,
      );
      assert.ok(figures && figures.all.n > 500);
      if (dead > 0) assert.equal(figures.count, counted?.n, 'those sealed while all reported');
      else assert.ok(figures.count > (counted?.n ?? 0));
    }
  });
});
