// Totals of forecasts become those of days: no sum over any span changes, whichever half hours are left.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { type ForecastFixture, writeForecasts } from '../../../test/support/rows/forecasts.ts';
import { describeStores, type StorePlace } from '../../../test/support/stores/store-places.ts';
import { FINE_TIME, isDayEnd, PERIOD, periodStart } from '../../domain/stats/rollup.ts';
import { startOfUtcDay } from '../../domain/time/periods.ts';
import { DAY, HOUR, SLOT, slotStart } from '../../domain/time/slot.ts';
import { type Span, splitDays } from '../../domain/time/window.ts';
import { timeZone, type Zone } from '../../domain/time/zone.ts';
import { openStore } from '../engine/open.ts';
import type { Engine, Reader } from '../engine/store.ts';
import { writeReadings } from '../observation/readings.ts';
import { recordRuns } from '../runtime/job-runs.ts';
import { migrate } from '../schema/migrate.ts';
import { readSums, rolledUpTo } from './read-rollups.ts';
import { servedEnds } from './rollup-totals.ts';
import { type AnyRollup, rollups } from './tables.ts';
import { dropHalfHours, rebuildRollups, rollUp } from './write-rollups.ts';

const daily = rollups.filter((table) => table.daily);
const DAYS = 6;

/** Clocks change on the third day of the history. The first of them is tested on both engines, most spans on the faster one. */
const histories = [
  ['Australia/Lord_Howe', '2026-10-02T03:30:00Z'],
  ['America/New_York', '2026-10-29T17:00:00Z'],
  ['Asia/Kolkata', '2026-10-23T08:15:00Z'],
  ['Asia/Kathmandu', '2026-10-23T08:15:00Z'],
] as const;

/** Of two pockets, scattered over the time, so that some half hours and some keys have none. */
function scatteredForecasts(start: number): ForecastFixture[] {
  const forecast = fc.record({
    slot: fc.nat(DAYS * 96 - 1).map((n) => start + n * SLOT),
    pocket: fc.constantFrom('holland', 'tiongbahru'),
    horizon: fc.constantFrom(60, 180),
    calm: fc.nat(100).map((n) => n / 100),
    confidence: fc.nat(100).map((n) => n / 100),
    shadow: fc.boolean(),
    score: fc.option(fc.nat(1000).map((n) => n / 1000)),
    persistence: fc.nat(10).map((n) => n / 10),
  });
  const key = ({ slot, pocket, horizon }: ForecastFixture) => `${slot} ${pocket} ${horizon}`;
  const [all = []] = fc.sample(
    fc.uniqueArray(forecast, { minLength: 150, maxLength: 150, selector: key }),
    1,
  );
  return all.toSorted((a, b) => a.slot - b.slot);
}

async function allSums(store: Reader, spans: readonly Span[]) {
  const found: object[] = [];
  for (const span of spans)
    for (const table of daily) {
      const sums = table.sources.flatMap((source) => Object.keys(source.sums));
      const rows = await readSums(store, table, span, { by: table.keys, sums });
      found.push([table.name, span, rows.map((row) => JSON.stringify(row)).sort()]);
      found.push(await readSums(store, table, span, { by: [], sums, only: { shadow: 0 } }));
    }
  return found;
}

const endsOf = async (store: Reader, { name }: AnyRollup): Promise<number[]> =>
  (await store.all<{ period_end: number }>(`select distinct period_end from ${name}`))
    .map(({ period_end }) => period_end)
    .sort((a, b) => a - b);

const stored = async (store: Reader) => {
  const found: object[][] = [];
  for (const { name, keys } of rollups)
    found.push(await store.all<object>(`select * from ${name} order by period_end, ${keys.join(', ')}`));
  return found;
};

describeStores('rollups of days', (makePlace, engine) => {
  for (const [name, from] of engine === 'sqlite' ? histories : histories.slice(0, 1))
    describe(name, () => {
      const zone: Zone = timeZone(name);
      const start = Date.parse(from);
      const end = start + DAYS * DAY;
      const forecasts = scatteredForecasts(start);
      const slots = fc.integer({ min: start - DAY, max: end + HOUR }).map(slotStart);
      const spans = [
        { from: 0, to: end + SLOT },
        { from: start - DAY, to: start },
        ...splitDays({ from: start, to: end }, zone.startOfDay),
        ...(engine === 'sqlite' ? splitDays({ from: start, to: end }, startOfUtcDay) : []),
        ...fc
          .sample(fc.tuple(slots, slots), engine === 'sqlite' ? 12 : 4)
          .map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) })),
      ];
      let place: StorePlace;
      let store: Engine;
      let byRows: object[];

      before(async () => {
        place = await makePlace();
        store = openStore(place);
        await migrate(store, end);
        await store.transaction((tx) =>
          writeReadings(tx, [
            {
              ...{
                slot: start,
                pocket_id: 'holland',
                stress: 0.5,
                calm: 0.5,
                social_energy: 0.5,
                productive: 0.5,
              },
              ...{ primary_state: 'calm-social', anomaly_flag: false, completeness: 1 },
            },
          ]),
        );
        await writeForecasts(store, forecasts);
        byRows = await allSums(store, spans);
        // As an older version left it: every half hour.
        for (let slot = start + HOUR; slot <= end; slot += 12 * HOUR) await playUntil(slot);
        await playUntil(end);
      });
      after(async () => {
        await store.close();
        await place.remove();
      });

      /** One by one: what differs in hundreds of sums could not be shown. */
      const expectSame = async (reader: Reader) => {
        for (const [at, sums] of (await allSums(reader, spans)).entries()) assert.deepEqual(sums, byRows[at]);
      };
      const jobs = ['vindication', 'reveal', 'commitment'].map((job) => ({ name: job }));
      const playUntil = (slot: number) =>
        store.transaction(async (tx) => {
          await recordRuns(tx, jobs, slot, 'test');
          await rollUp(tx, zone);
        });
      const last = async () => (await rolledUpTo(store)) ?? assert.fail('nothing is rolled up');
      const keptEnds = async () => {
        const until = await last();
        const first = periodStart(start) + PERIOD;
        const ends = Array.from({ length: (until - first) / PERIOD + 1 }, (_, n) => first + n * PERIOD);
        return ends.filter((one) => one > until - FINE_TIME || isDayEnd(one, zone));
      };
      /** Those at which the table has rows at all. */
      const expectDays = async () => {
        for (const table of daily) {
          const found = await endsOf(store, table);
          const kept = await keptEnds();
          assert.deepEqual(
            found,
            kept.filter((one) => one >= (found[0] ?? 0)),
            table.name,
          );
          const { rollups: whole, totals } = await servedEnds(store);
          assert.deepEqual(
            found.filter((one) => one >= (whole.first ?? 0)),
            Array.from({ length: FINE_TIME / PERIOD }, (_, n) => (whole.first ?? 0) + n * PERIOD),
          );
          assert.deepEqual(
            [whole.last, { ...totals }],
            [await last(), { first: periodStart(start) + PERIOD, last: whole.last }],
          );
          assert.ok(found.length > FINE_TIME / PERIOD && (found[0] ?? 0) < start + 2 * DAY);
        }
      };

      test('sums of any span are the same with every half hour, while some are dropped, and with days alone', async () => {
        assert.equal((await endsOf(store, daily[0] as AnyRollup)).length > (DAYS - 1) * 48 - 12, true);
        await expectSame(store);
        const before = await stored(store);
        let dropped: number | undefined;
        const drop = (most: number) =>
          store.transaction(async (tx) => {
            dropped = await dropHalfHours(tx, zone, { after: dropped, most });
          });
        await drop(31);
        assert.equal(dropped !== undefined && dropped < start + DAY, true);
        await expectSame(store);
        // A reader between whose statements half hours are dropped.
        const interrupted: Reader = {
          all: async (sql, ...params) => {
            await drop(1);
            return store.all(sql, ...params);
          },
          get: async (sql, ...params) => {
            await drop(1);
            return store.get(sql, ...params);
          },
        };
        await expectSame(interrupted);
        await drop(1_000);
        assert.equal(dropped, (await last()) - FINE_TIME);
        await expectDays();
        await expectSame(store);
        const rows = await stored(store);
        for (const [at, { name: table, daily: isDaily }] of rollups.entries()) {
          const [had, has] = [before[at]?.length ?? 0, rows[at]?.length ?? 0];
          assert.ok(isDaily ? has < 0.6 * had : has === had, `${table}: ${has} of ${had} rows`);
        }
      });

      test('counted again, only the ends of days are written of what is old', async () => {
        const before = await stored(store);
        await store.transaction((tx) => rebuildRollups(tx, zone, 0, end));
        assert.deepEqual(await stored(store), before);
        await store.transaction((tx) => rebuildRollups(tx, zone, start + 30 * HOUR, end));
        assert.deepEqual(await stored(store), before);
      });

      test('at most half a day of rows is counted at each end of a span, and none of a whole day', async () => {
        let counted = 0;
        const watched: Reader = {
          get: (sql, ...params) => store.get(sql, ...params),
          all: (sql, ...params) => {
            if (/from reveals x where/.test(sql)) counted += Number(params[1]) - Number(params[0]);
            return store.all(sql, ...params);
          },
        };
        const query = { by: [], sums: ['revealed'] };
        const settled = await last();
        for (const span of spans.filter(({ to }) => to <= settled)) {
          counted = 0;
          await readSums(watched, daily[0] as AnyRollup, span, query);
          assert.ok(counted <= 25 * HOUR, `${counted / HOUR} hours of ${JSON.stringify(span)}`);
        }
        for (const span of splitDays({ from: start + DAY, to: settled }, zone.startOfDay).slice(1, -1)) {
          counted = 0;
          await readSums(watched, daily[0] as AnyRollup, span, query);
          assert.ok(counted <= (span.from % PERIOD) + (span.to % PERIOD), JSON.stringify(span));
        }
      });
    });
});
