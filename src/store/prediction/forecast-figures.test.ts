// What is stored of forecasts and reveals, as numbers, and what the views give back of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeForecasts } from '../../../test/support/rows/forecasts.ts';
import { openMigratedStore, openStores } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storedEntries } from '../../../test/support/stores/stored-entries.ts';
import { isCalmState } from '../../domain/atmosphere/primary-state.ts';
import { errorTypes } from '../../domain/prediction/error-taxonomy.ts';
import { scoreOfReading } from '../../domain/prediction/generators/state.ts';
import {
  isProjection,
  type PredictionPayload,
  type ProjectionPayload,
  type RevealPayload,
} from '../../domain/prediction/prediction.ts';
import { HOUR } from '../../domain/time/slot.ts';
import type { Reader } from '../engine/store.ts';

const START = Date.UTC(2026, 10, 2, 4);

const allRows = async <T extends object>(store: Reader, sql: string): Promise<T[]> =>
  (await store.all<T>(sql)).map((row) => ({ ...row }));

const forecastRow = (leaf: number, payload: PredictionPayload) => ({
  leaf,
  slot: Date.parse(payload.sealed_at),
  pocket_id: payload.pocket_id,
  generator: payload.generator,
  prediction_type: payload.prediction_type,
  reveal_at: Date.parse(payload.reveal_at),
  confidence: payload.confidence,
  completeness: payload.completeness,
  shadow: Number(payload.shadow),
});

const revealRow = (leaf: number, sealed: PredictionPayload, revealed: RevealPayload) => ({
  prediction_leaf: revealed.sealed_leaf,
  leaf,
  expected_calm: isProjection(sealed) ? sealed.forecast.expected_calm : null,
  calm_probability: isProjection(sealed) ? sealed.forecast.calm_probability : null,
  accuracy_score: revealed.accuracy_score,
  baseline_score: revealed.baseline_score,
  error_type: revealed.error_type,
});

/** What is not sealed, and follows from what is. */
function stateRow({ known }: ProjectionPayload, { sealed_leaf, actual_observation: actual }: RevealPayload) {
  const observed = actual && 'primary_state' in actual ? actual : null;
  return {
    prediction_leaf: sealed_leaf,
    was_calm: observed && Number(isCalmState(observed.primary_state)),
    persistence_score: observed && scoreOfReading(known, observed),
  };
}

describeStores('figures of forecasts', (makePlace) => {
  test('those of a day of history are the very numbers that were sealed', async (t) => {
    const store = await openMigratedStore(t, () => makePlace(1));
    const sealed = new Map<number, PredictionPayload>();
    for (const { leaf, payload } of await storedEntries(store, 'prediction'))
      sealed.set(leaf, JSON.parse(payload));
    assert.ok(sealed.size > 5_000);
    assert.deepEqual(
      await allRows(
        store,
        'select leaf, slot, pocket_id, generator, prediction_type, reveal_at, confidence, completeness, shadow from predictions order by leaf',
      ),
      Array.from(sealed, ([leaf, payload]) => forecastRow(leaf, payload)),
    );
    const reveals = (await storedEntries(store, 'reveal')).map(({ leaf, payload }) => {
      const revealed = JSON.parse(payload) as RevealPayload;
      return { leaf, revealed, forecast: sealed.get(revealed.sealed_leaf) ?? assert.fail() };
    });
    assert.ok(reveals.some(({ revealed }) => revealed.error_type !== null));
    assert.deepEqual(
      await allRows(
        store,
        `select prediction_leaf, leaf, expected_calm, calm_probability, accuracy_score, baseline_score, error_type
         from reveals order by leaf`,
      ),
      reveals.map(({ leaf, revealed, forecast }) => revealRow(leaf, forecast, revealed)),
    );
    assert.deepEqual(
      await allRows(
        store,
        `select prediction_leaf, was_calm, persistence_score
         from revealed_forecasts where prediction_type = 'other' order by leaf`,
      ),
      reveals.flatMap(({ revealed, forecast }) =>
        isProjection(forecast) ? [stateRow(forecast, revealed)] : [],
      ),
    );
  });

  test('every cause of a miss comes back by its name', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await writeForecasts(
      store,
      errorTypes.map((error, n) => ({ slot: START + n * HOUR, score: 0.1, error })),
    );
    const rows = await allRows<{ error_type: string }>(store, 'select error_type from reveals order by leaf');
    assert.deepEqual(
      rows.map(({ error_type }) => error_type),
      errorTypes,
    );
  });

  test('processes that seal at once give a pocket and a generator one number', async (t) => {
    const stores = await openStores(t, makePlace, 3);
    const [store] = stores;
    assert.ok(store);
    const pockets = ['a', 'b', 'c', 'd'];
    await Promise.all(
      stores.map((one, n) =>
        writeForecasts(
          one,
          pockets.map((pocket, p) => ({ pocket, slot: START + n * HOUR, horizon: 60 * (1 + (p % 3)) })),
        ),
      ),
    );
    const named = await allRows<{ pocket_id: string; number: number }>(
      store,
      'select number, pocket_id from forecast_pockets order by pocket_id',
    );
    assert.deepEqual(
      named.map(({ pocket_id }) => pocket_id),
      pockets,
    );
    assert.deepEqual(named.map(({ number }) => number).sort(), [1, 2, 3, 4]);
    const generators = await allRows<{ number: number }>(
      store,
      'select list as number from forecast_lists order by list',
    );
    assert.deepEqual(generators, [{ number: 1 }, { number: 2 }, { number: 3 }]);
    const kinds =
      'select distinct pocket_id, generator, reveal_at - slot as horizon from predictions order by 1';
    assert.deepEqual(
      await allRows(store, kinds),
      pockets.map((pocket_id, p) => {
        const hours = 1 + (p % 3);
        return { pocket_id, generator: `pocket_projection_${60 * hours}m`, horizon: hours * HOUR };
      }),
    );
  });

  test('a generator that comes off trial has another number, and its name', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await writeForecasts(
      store,
      [true, false, false].map((shadow, n) => ({
        slot: START + n * HOUR,
        type: 'x',
        generator: 'x_60m',
        shadow,
      })),
    );
    assert.deepEqual(
      await allRows(
        store,
        'select list as number, generator as name, shadow from forecast_lists order by list',
      ),
      [
        { number: 1, name: 'x_60m', shadow: 1 },
        { number: 2, name: 'x_60m', shadow: 0 },
      ],
    );
    const rows = await allRows<{ shadow: number }>(
      store,
      "select shadow from predictions where generator = 'x_60m' order by leaf",
    );
    assert.deepEqual(rows, [{ shadow: 1 }, { shadow: 0 }, { shadow: 0 }]);
  });
});
