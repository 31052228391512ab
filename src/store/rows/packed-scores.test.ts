import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMigratedStore, openStores } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { errorTypes } from '../../domain/prediction/error-taxonomy.ts';
import { schemaFiles } from '../engine/schema-files.ts';
import type { Reader } from '../engine/store.ts';
import { migrate } from '../schema/migrate.ts';
import { packCalms, packScores } from './packed-scores.ts';

const milli = [null, 0, 1, 500, 999, 1_000] as const;
const figure = (thousandths: number | null) => (thousandths === null ? null : thousandths / 1_000);
const leaf = (n: number) => 3 * n;

/** Every figure beside every other at some time, and none. */
const reveals = Array.from({ length: 7 * 6 * 6 }, (_, n) => {
  const at = (step: number) => milli[(n + Math.floor(n / 6) * step) % milli.length] ?? null;
  return {
    ...{ accuracy: at(0), baseline: at(1), persistence: at(2), last_week: at(3), error: n % 8 },
    ...{ was_calm: ([null, 0, 1] as const)[n % 3] ?? null, waking: (n % 2) as 0 | 1 },
    ...{ expected: at(4), probability: at(5) },
  };
});

const shown = async (store: Reader) =>
  (
    await store.all<object>(
      `select prediction_leaf, leaf, waking, was_calm, expected_calm, calm_probability, accuracy_score, baseline_score,
         persistence_score, last_week_score, error_type
       from reveals order by prediction_leaf`,
    )
  ).map((row) => ({ ...row }));

const expected = reveals.map(({ waking, was_calm, error, ...figures }, n) => ({
  ...{ prediction_leaf: leaf(n), leaf: leaf(n) + 1_000 - n, waking, was_calm },
  ...{ expected_calm: figure(figures.expected), calm_probability: figure(figures.probability) },
  ...{ accuracy_score: figure(figures.accuracy), baseline_score: figure(figures.baseline) },
  ...{ persistence_score: figure(figures.persistence), last_week_score: figure(figures.last_week) },
  error_type: errorTypes[error - 1] ?? null,
}));

test('a figure beyond a whole is refused: it would change its neighbours', () => {
  assert.throws(() => packCalms(1_001, null), RangeError);
  assert.throws(() => packCalms(0, -1), RangeError);
  assert.throws(() => packCalms(Number.NaN, 0), RangeError);
});

describeStores('the figures of a reveal', (makePlace) => {
  test('come back as they were packed', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await store.transaction((tx) =>
      tx.insert(
        'reveal_figures',
        reveals.map(({ expected, probability, ...scores }, n) => ({
          ...{ prediction_leaf: leaf(n), scores: packScores(scores), leaves_later: 1_000 - n },
          calms: packCalms(expected, probability),
        })),
      ),
    );
    assert.deepEqual(await shown(store), expected);
  });

  test('are the same after the upgrade of a column for each', async (t) => {
    const place = await makePlace('empty');
    const [store] = await openStores(t, async () => place, 1, false);
    assert.ok(store);
    const at = schemaFiles.findIndex(({ key }) => key.endsWith('_packed_reveals'));
    await migrate(store, 1, { files: schemaFiles.slice(0, at), batches: [] });
    await store.exclusively((tx) =>
      tx.insert(
        'reveal_figures',
        reveals.map((row, n) => ({
          ...{
            prediction_leaf: leaf(n),
            leaf: leaf(n) + 1_000 - n,
            waking: row.waking,
            was_calm: row.was_calm,
          },
          ...{ expected_calm_milli: row.expected, calm_probability_milli: row.probability },
          ...{ accuracy_score_milli: row.accuracy, baseline_score_milli: row.baseline },
          ...{ persistence_score_milli: row.persistence, last_week_score_milli: row.last_week },
          error_type: row.error || null,
        })),
      ),
    );
    assert.deepEqual(await shown(store), expected);
    await migrate(store, 2);
    assert.deepEqual(await shown(store), expected);
  });
});
