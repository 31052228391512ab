import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshPipeline } from '../../../../test/support/pipeline/fresh-pipeline.ts';
import { smallCity } from '../../../../test/support/pipeline/small-city.ts';
import { openMigratedStore } from '../../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../../test/support/stores/store-places.ts';
import { sideGenerators } from '../../../domain/prediction/generators/all.ts';
import { sideScore } from '../../../domain/prediction/generators/side.ts';
import type { PredictionPayload } from '../../../domain/prediction/prediction.ts';
import { type Projection, projectionScore } from '../../../domain/prediction/projection.ts';
import { HOUR, iso, MINUTE, SLOT } from '../../../domain/time/slot.ts';
import type { Store } from '../../../store/engine/store.ts';
import { readEntries } from '../../../store/ledger/entries.ts';
import { runDue } from '../../schedule/run.ts';
import { schedule } from '../../schedule/schedule.ts';

const registry = smallCity(2);
const noon = Date.parse('2026-11-11T12:00:00+08:00');
const jobs = schedule.filter(({ name }) => ['atmosphere', 'vindication', 'reveal'].includes(name));

interface Row {
  pocket_id: string;
  generator: string;
  reveal_at: number;
  accuracy_score: number | null;
  baseline_score: number | null;
  error_type: string | null;
  sealed: string;
  revealed: string;
}
async function reveals(store: Store, where = '1 = 1'): Promise<Row[]> {
  const rows = await store.all<Row & { leaf: number; prediction_leaf: number }>(
    `select r.* from revealed_forecasts r where ${where} order by r.leaf`,
  );
  const entryAt = await readEntries(
    store,
    rows.flatMap(({ leaf, prediction_leaf }) => [leaf, prediction_leaf]),
  );
  return rows.map((row) => ({
    ...row,
    sealed: entryAt(row.prediction_leaf).payload,
    revealed: entryAt(row.leaf).payload,
  }));
}

describeStores('reveals', (makePlace, engine) => {
  const play = async (store: Store, ...minutes: number[]) => {
    const pipeline = freshPipeline(store, registry);
    for (const minute of minutes) await runDue(pipeline, noon + minute * MINUTE, jobs);
  };

  test('a forecast is revealed at its time, not before', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await play(store, 0, 15, 30, 45, 59.9);
    assert.deepEqual(await reveals(store), []);
    await play(store, 60);
    const rows = await reveals(store, "r.generator = 'pocket_projection_60m'");
    assert.equal(rows.length, registry.pockets.length);
    for (const { reveal_at, sealed, revealed } of rows) {
      assert.equal(reveal_at, noon + HOUR);
      const { sealed_hash, revealed_at: sealedTime, accuracy_score } = JSON.parse(revealed);
      assert.match(sealed_hash, /^sha256:/);
      assert.equal(sealedTime, iso(noon + HOUR));
      assert.ok(accuracy_score >= 0 && JSON.parse(sealed).sealed_at === iso(noon));
    }
  });

  test('scores depend on the sealed payload, the observation and the scoring rule alone', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await play(store, ...Array.from({ length: 18 }, (_, i) => i * 15));
    const rows = await reveals(store);
    assert.ok(rows.length > 60);
    for (const { generator, sealed, revealed, accuracy_score, baseline_score, error_type } of rows) {
      const { forecast, baseline } = JSON.parse(sealed) as PredictionPayload;
      const { actual_observation: actual } = JSON.parse(revealed);
      const score = (forecast: object) => {
        const side = sideGenerators.find(({ name }) => name === generator);
        if (!side) return projectionScore(forecast as Projection, actual);
        return sideScore(side, (forecast as { expected: number }).expected, actual.outcome);
      };
      if (accuracy_score === null) assert.deepEqual([actual, baseline_score, error_type], [null, null, null]);
      else assert.deepEqual([accuracy_score, baseline_score], [score(forecast), score(baseline)], generator);
      assert.equal(error_type !== null, accuracy_score !== null && accuracy_score < 0.5);
    }
  });

  // Which reading judges a forecast is decided above the store.
  if (engine === 'sqlite')
    test('a reading within 15 minutes decides; without one the forecast is inconclusive', async (t) => {
      for (const [readAt, judged] of [
        [[60], true],
        [[45, 75], true],
        [[45, 90], true],
        [[75], true],
        [[90], false],
        [[30, 90], false],
      ] as const) {
        const store = await openMigratedStore(t, makePlace);
        await play(store, 0, ...readAt, 105);
        const [row] = await reveals(store, `r.generator = 'pocket_projection_60m' and r.slot = ${noon}`);
        assert.equal(
          row !== undefined && row.accuracy_score !== null,
          judged,
          `read at ${readAt.join(', ')}`,
        );
      }
    });

  test('a forecast for an unobserved hour is not judged by another hour', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await play(store, 0, 60, 120);
    const rows = await reveals(
      store,
      `r.generator in ('quiet_window_60m', 'rain_comfort_60m') and r.slot = ${noon}`,
    );
    assert.ok(rows.length >= 2);
    for (const { accuracy_score } of rows) assert.equal(accuracy_score, null);
  });

  test('each forecast is revealed once, however often the slot runs', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const minutes = Array.from({ length: 15 }, (_, i) => (i * SLOT) / MINUTE);
    await play(store, ...minutes);
    const before = await reveals(store);
    await play(store, ...minutes);
    assert.deepEqual(await reveals(store), before);
    const ids = before.map(({ revealed }) => JSON.parse(revealed).id as string);
    assert.equal(new Set(ids).size, ids.length);
  });
});
