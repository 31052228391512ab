import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type AccuracyRow, accuracySums } from '../stats/forecast-sums.ts';
import { UNIT, zeroSums } from '../stats/rollup.ts';
import { accuracyReport, appliedFilter } from './accuracy-report.ts';
import { type ErrorType, errorTypes } from './error-taxonomy.ts';
import { type PredictionType, predictionTypes } from './prediction.ts';

/** A forecast that was revealed. */
interface RevealedForecast {
  pocket_id: string;
  prediction_type: PredictionType;
  shadow: number;
  confidence: number;
  completeness: number;
  accuracy_score: number | null;
  baseline_score: number | null;
  error_type: ErrorType | null;
  mqs: number | null;
}

const revealed = (more: Partial<RevealedForecast>): RevealedForecast => ({
  pocket_id: 'holland',
  prediction_type: 'other',
  shadow: 0,
  confidence: 0.75,
  completeness: 1,
  accuracy_score: 1,
  baseline_score: 0,
  error_type: null,
  mqs: 0.5,
  ...more,
});
const all = { prediction_type: undefined, include_shadow: false };
const report = (rows: RevealedForecast[], filter: Parameters<typeof accuracyReport>[1] = all) =>
  accuracyReport(rows.map(rowOf), filter);

/** A forecast as sums of its own. */
function rowOf({ pocket_id, prediction_type, shadow, ...revealed }: RevealedForecast): AccuracyRow {
  const row = { pocket_id, prediction_type, shadow, ...zeroSums(accuracySums) };
  const { confidence, accuracy_score, error_type } = revealed;
  if (confidence < 0.68 || revealed.completeness < 0.75) return row;
  row.eligible = 1;
  if (error_type) row[`eligible_${error_type}`] = 1;
  if (accuracy_score === null) return row;
  const tenth = confidence < 0.7 ? 6 : confidence < 0.8 ? 7 : confidence < 0.9 ? 8 : 9;
  const hit = accuracy_score >= 0.5 ? 1 : 0;
  row[`scored_${tenth}`] = 1;
  row[`hits_${tenth}`] = hit;
  row[`confidence_${tenth}`] = Math.round(confidence * UNIT);
  row.baseline_hits = (revealed.baseline_score ?? 0) >= 0.5 ? 1 : 0;
  row.mqs = Math.round((revealed.mqs ?? 0) * UNIT);
  row.mqs_hits = row.mqs * hit;
  return row;
}

const example = [
  revealed({ confidence: 0.7, accuracy_score: 0.9, mqs: 0.2 }),
  revealed({ confidence: 0.75, accuracy_score: 0.3, error_type: 'weather_miss', mqs: 0.3 }),
  revealed({ confidence: 0.95, accuracy_score: 1, baseline_score: 0.6, mqs: 0.5 }),
  revealed({ confidence: 0.72, accuracy_score: null, baseline_score: null }),
  revealed({ confidence: 0.67, accuracy_score: 0, error_type: 'timing_miss' }),
  revealed({ completeness: 0.74, accuracy_score: 0, error_type: 'freshness_miss' }),
  revealed({ shadow: 1, accuracy_score: 0, error_type: 'timing_miss' }),
];

test('the worked example of docs/formulas.md', () => {
  const { headline, baseline, calibration, error_taxonomy, weighted_by_mqs } = report(example);
  assert.deepEqual(headline, { overall_accuracy: 0.667, revealed_count: 3, inconclusive_count: 1 });
  assert.deepEqual(baseline, { baseline_accuracy: 0.333, gap_vs_service: -0.334 });
  assert.deepEqual(calibration[7], {
    bucket: '0.7-0.8',
    predictions: 2,
    observed_accuracy: 0.5,
    delta: -0.225,
  });
  assert.deepEqual(calibration[9], {
    bucket: '0.9-1.0',
    predictions: 1,
    observed_accuracy: 1,
    delta: 0.05,
  });
  assert.deepEqual(weighted_by_mqs, { accuracy: 0.7 });
  assert.deepEqual(
    error_taxonomy.filter(({ count }) => count),
    [{ type: 'weather_miss', count: 1 }],
  );
});

test('the applied filter is stated, and shadow forecasts count when included', () => {
  const filter = { prediction_type: undefined, include_shadow: true };
  assert.deepEqual(appliedFilter(filter), {
    min_confidence: 0.68,
    min_completeness: 0.75,
    include_shadow: true,
  });
  assert.equal(report(example, filter).headline.revealed_count, 4);
  assert.equal(report(example, { ...all, prediction_type: 'quiet_window' }).headline.revealed_count, 0);
});

test('without eligible forecasts, averages are null and lists are empty', () => {
  const { headline, baseline, by_type, by_pocket, calibration, error_taxonomy, weighted_by_mqs } = report([]);
  assert.deepEqual(headline, { overall_accuracy: null, revealed_count: 0, inconclusive_count: 0 });
  assert.deepEqual(baseline, { baseline_accuracy: null, gap_vs_service: null });
  assert.deepEqual([by_type, by_pocket], [[], []]);
  assert.equal(calibration.length, 10);
  for (const { observed_accuracy, delta } of calibration)
    assert.deepEqual([observed_accuracy, delta], [null, null]);
  assert.deepEqual(
    error_taxonomy,
    errorTypes.map((type) => ({ type, count: 0 })),
  );
  assert.deepEqual(weighted_by_mqs, { accuracy: null });
});

test('an inconclusive forecast is counted and never scored', () => {
  const { headline, by_pocket } = report([revealed({ accuracy_score: null, baseline_score: null })]);
  assert.deepEqual(headline, { overall_accuracy: null, revealed_count: 0, inconclusive_count: 1 });
  assert.deepEqual(by_pocket, [{ pocket_id: 'holland', accuracy: null, count: 0 }]);
});

const thousandths = (most = 1000) => fc.integer({ min: 0, max: most }).map((n) => n / 1000);
const anyForecast: fc.Arbitrary<RevealedForecast> = fc.record({
  pocket_id: fc.constantFrom('holland', 'dempsey'),
  prediction_type: fc.constantFrom(...predictionTypes.slice(0, 1)),
  shadow: fc.constantFrom(0, 1),
  confidence: thousandths(),
  completeness: thousandths(),
  accuracy_score: fc.option(thousandths()),
  baseline_score: thousandths(),
  error_type: fc.option(fc.constantFrom(...errorTypes)),
  mqs: fc.option(fc.integer({ min: 0, max: 10_000 }).map((n) => n / 10_000)),
});

test('for rows in any order, the report matches a direct count', () => {
  fc.assert(
    fc.property(fc.array(anyForecast, { maxLength: 60 }), fc.nat(60), (rows, cut) => {
      assert.deepEqual(report([...rows.slice(cut).reverse(), ...rows.slice(0, cut)]), report(rows));
      // A plain second computation.
      const counted = rows.filter(
        (row) => row.confidence >= 0.68 && row.completeness >= 0.75 && row.shadow === 0,
      );
      const scored = counted.filter((row) => row.accuracy_score !== null);
      const hits = scored.filter((row) => (row.accuracy_score ?? 0) >= 0.5);
      const { headline } = report(rows);
      assert.equal(headline.revealed_count, scored.length);
      assert.equal(headline.inconclusive_count, counted.length - scored.length);
      const accuracy = scored.length ? Math.round((hits.length / scored.length) * 1000) / 1000 : null;
      assert.equal(headline.overall_accuracy, accuracy);
    }),
  );
});
