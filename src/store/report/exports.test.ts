import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DecisionFixture, writeDecisions } from '../../../test/support/rows/decisions.ts';
import { type ForecastFixture, writeForecasts } from '../../../test/support/rows/forecasts.ts';
import { writeEventFixtures } from '../../../test/support/rows/sustainability.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { predictionId } from '../../domain/prediction/prediction.ts';
import { DAY, HOUR, SLOT } from '../../domain/time/slot.ts';
import type { Reader } from '../engine/store.ts';
import { exportPredictions, exportSilences, exportSustainability, exportVindications } from './exports.ts';

const noon = Date.parse('2026-11-11T04:00:00Z');
const wholeSpan = { after: 0, until: noon };

/** Oldest first, over some weeks with a long gap; some on the boundary of a batch. */
const slots = [
  40 * DAY,
  20 * DAY,
  19 * DAY,
  4 * DAY,
  4 * DAY - SLOT,
  DAY,
  7 * HOUR,
  6 * HOUR,
  HOUR,
  SLOT,
  0,
].map((ago) => noon - ago);
const decided: DecisionFixture[] = slots.flatMap((slot, n): DecisionFixture[] => [
  { slot, gate: 'resonance', ...(n < 8 && { vindicated: n % 2 === 0, minutes: n }) },
  { slot, pocket: 'dempsey', gate: n % 3 ? 'why_now' : null },
]);
const forecasts: ForecastFixture[] = slots.flatMap((slot, n): ForecastFixture[] => [
  { slot, ...(n < 8 && { score: n === 3 ? null : n / 10, baseline: 0.5 }) },
  { slot, horizon: 180, ...(n < 8 && { score: 0.1, error: 'weather_miss' as const }) },
  { slot, pocket: 'dempsey', generator: 'quiet_window_60m', type: 'quiet_window' },
]);

async function all<Row>(batches: AsyncIterable<Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of batches) {
    assert.ok(batch.length > 0, 'no batch is empty');
    rows.push(...batch);
  }
  return rows;
}

describeStores('exports', (makePlace) => {
  const store = storeFor(makePlace, async (store) => {
    await writeDecisions(store, decided);
    await writeForecasts(store, forecasts);
    await writeEventFixtures(
      store,
      slots
        .flatMap((slot) => [{ slot }, { slot, pocket_id: 'dempsey' }])
        .map((event, n) => ({ id: `${n}`, ...event })),
    );
  });
  const filter = { ...wholeSpan, pocket: undefined, generator: undefined };
  type Given = { after?: number; until?: number; pocket?: string; generator?: string };
  const ids = async (given: Given, revealed: 'only' | 'pending' | 'both' = 'both') =>
    (await all(exportPredictions(store(), { ...filter, ...given }, revealed))).map(
      ({ payload }) => payload.id,
    );

  test('forecasts: every one once, newest first, whatever is selected', async () => {
    const rows = await store().all<{
      pocket_id: string;
      generator: string;
      slot: number;
      leaf: number;
    }>('select * from predictions order by leaf desc');
    const sealed = rows.map((row) => ({ ...row, id: predictionId(row.pocket_id, row.slot, row.generator) }));
    const leaves = await store().all<{ leaf: number }>('select prediction_leaf as leaf from reveals');
    const revealed = new Set(leaves.map(({ leaf }) => leaf));
    const expected = (keep: (row: (typeof sealed)[number]) => boolean) =>
      sealed.filter(keep).map(({ id }) => id);
    assert.equal(sealed.length, forecasts.length);
    assert.deepEqual(
      await ids({}),
      expected(() => true),
    );
    assert.deepEqual(
      await ids({ pocket: 'dempsey' }),
      expected(({ pocket_id }) => pocket_id === 'dempsey'),
    );
    assert.deepEqual(
      await ids({ generator: 'pocket_projection_180m' }),
      expected(({ generator }) => generator === 'pocket_projection_180m'),
    );
    assert.deepEqual(
      await ids({}, 'only'),
      expected(({ leaf }) => revealed.has(leaf)),
    );
    assert.deepEqual(
      await ids({ pocket: 'tiongbahru' }, 'pending'),
      expected(({ leaf, pocket_id }) => !revealed.has(leaf) && pocket_id === 'tiongbahru'),
    );
    const week = { after: noon - 20 * DAY, until: noon - 6 * HOUR };
    assert.deepEqual(
      await ids(week),
      expected(({ slot }) => slot > week.after && slot <= week.until),
    );
    assert.deepEqual(await ids({ until: noon - 50 * DAY }), []);
  });

  test('a forecast has its outcome', async () => {
    const rows = await all(exportPredictions(store(), { ...filter, pocket: 'tiongbahru' }, 'both'));
    const of = (slot: number, generator: string) =>
      rows.find(({ payload }) => Date.parse(payload.sealed_at) === slot && payload.generator === generator);
    const { payload: _sealed, payload_hash, ...outcome } = of(slots[1] ?? 0, 'pocket_projection_60m') ?? {};
    assert.match(String(payload_hash), /^sha256:[0-9a-f]{64}$/);
    assert.deepEqual(outcome, {
      revealed_at: (slots[1] ?? 0) + HOUR,
      accuracy_score: 0.1,
      baseline_score: 0.5,
      persistence_score: null,
      last_week_score: null,
      error_type: null,
      actual_observation: { primary_state: 'calm-social', calm: 0.7 },
    });
    assert.equal(of(slots[3] ?? 0, 'pocket_projection_60m')?.actual_observation, null);
    assert.equal(of(noon, 'pocket_projection_60m')?.revealed_at, null);
  });

  test('silences of a pocket, and silences with their verdicts', async () => {
    const silences = await all(exportSilences(store(), 'dempsey', wholeSpan));
    const silent = decided.filter(({ pocket, gate }) => pocket === 'dempsey' && gate !== null);
    assert.deepEqual(
      silences.map(({ payload }) => Date.parse(payload.sealed_at)),
      silent.map(({ slot }) => slot).reverse(),
    );
    const verdicts = await all(
      exportVindications(store(), { ...wholeSpan, pocket: undefined, revealedOnly: false }),
    );
    assert.deepEqual(
      verdicts.map(({ slot, pocket_id }) => [slot, pocket_id]),
      decided
        .filter(({ gate }) => gate !== null)
        .map(({ slot, pocket = 'tiongbahru' }): [number, string] => [slot, pocket])
        .sort(([a, one], [b, other]) => b - a || (one < other ? -1 : 1)),
    );
    const judged = await all(
      exportVindications(store(), { ...wholeSpan, pocket: 'tiongbahru', revealedOnly: true }),
    );
    assert.deepEqual(
      judged.map(({ vindicated }) => vindicated),
      [0, 1, 0, 1, 0, 1, 0, 1],
    );
  });

  test('sustainability events', async () => {
    const events = await all(exportSustainability(store(), wholeSpan));
    assert.deepEqual(
      events.map(({ slot }) => slot),
      slots.flatMap((slot) => [slot, slot]).reverse(),
    );
    assert.equal(
      (await all(exportSustainability(store(), { ...wholeSpan, pocket: 'dempsey' }))).length,
      slots.length,
    );
  });

  test('batches are read only when they are consumed', async () => {
    let queries = 0;
    const counting: Reader = {
      all: (sql, ...params) => {
        queries += 1;
        return store().all(sql, ...params);
      },
      get: (sql, ...params) => store().get(sql, ...params),
    };
    const batches = exportPredictions(counting, filter, 'both');
    assert.equal(queries, 0);
    await batches.next();
    const ofOneBatch = ['the rows', 'their bundles', 'the entries that are in no bundle'].length;
    assert.equal(queries, ofOneBatch);
    await batches.return();
    assert.equal((await batches.next()).done, true);
    assert.equal(queries, ofOneBatch);
  });
});
