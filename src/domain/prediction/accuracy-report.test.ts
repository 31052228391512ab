import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addSums, UNIT, zeroSums } from '../stats/rollup.ts';
import { accuracyReport, appliedFilter } from './accuracy-report.ts';
import { type ErrorType, errorTypes } from './error-taxonomy.ts';
import { type AccuracyRow, accuracySums, groupSums } from './forecast-sums.ts';
import { predictionTypes } from './generators/all.ts';

/** A forecast that was revealed. */
interface RevealedForecast {
  pocket_id: string;
  generator: string;
  prediction_type: string;
  backfilled: boolean;
  shadow: number;
  waking: boolean;
  confidence: number;
  completeness: number;
  accuracy_score: number | null;
  baseline_score: number | null;
  persistence_score: number | null;
  last_week_score: number | null;
  error_type: ErrorType | null;
  mqs: number | null;
}

const revealed = (more: Partial<RevealedForecast>): RevealedForecast => ({
  pocket_id: 'holland',
  generator: 'pocket_projection_60m',
  prediction_type: 'other',
  backfilled: false,
  shadow: 0,
  waking: true,
  confidence: 0.75,
  completeness: 1,
  accuracy_score: 1,
  baseline_score: 0,
  persistence_score: null,
  last_week_score: null,
  error_type: null,
  mqs: 0.5,
  ...more,
});

/** Shadow forecasts are left out, as the store leaves them out unless they are asked for. */
function report(rows: RevealedForecast[]) {
  const counted = rows.filter(({ shadow }) => shadow === 0);
  const pockets = [...Map.groupBy(counted, ({ pocket_id }) => pocket_id)].map(([pocket_id, own]) => {
    const sums = { pocket_id, ...zeroSums(groupSums) };
    for (const one of own) addSums(sums, sumsRow(one), groupSums);
    return sums;
  });
  return accuracyReport(counted.map(sumsRow), pockets);
}

/** A forecast as sums of its own. */
function sumsRow(revealed: RevealedForecast): AccuracyRow {
  const { generator, prediction_type, backfilled } = revealed;
  const row = { generator, prediction_type, backfilled, ...zeroSums(accuracySums) };
  const { confidence, accuracy_score, error_type } = revealed;
  const countHit = (score: number | null) => ((score ?? 0) >= 0.5 ? 1 : 0);
  const hit = countHit(accuracy_score);
  if (accuracy_score !== null) {
    row.scored = 1;
    row.hits = hit;
    row.squared_error = Math.round((confidence - hit) ** 2 * UNIT);
    row.baseline_hits = countHit(revealed.baseline_score);
    for (const rule of ['persistence', 'last_week'] as const) {
      const score = revealed[`${rule}_score`];
      if (score === null) continue;
      row[`${rule}_scored`] = 1;
      row[`${rule}_hits`] = countHit(score);
      row[`${rule}_service_hits`] = hit;
      if (!revealed.waking) continue;
      row[`waking_${rule}_scored`] = 1;
      row[`waking_${rule}_hits`] = countHit(score);
      row[`waking_${rule}_service_hits`] = hit;
    }
    if (revealed.waking) {
      row.waking_scored = 1;
      row.waking_hits = hit;
      row.waking_baseline_hits = row.baseline_hits;
    }
  }
  if (confidence < 0.68 || revealed.completeness < 0.75) return row;
  row.eligible = 1;
  if (error_type) row[`eligible_${error_type}`] = 1;
  if (accuracy_score === null) return row;
  const tenth = confidence < 0.7 ? 6 : confidence < 0.8 ? 7 : confidence < 0.9 ? 8 : 9;
  row[`scored_${tenth}`] = 1;
  row[`hits_${tenth}`] = hit;
  row[`confidence_${tenth}`] = Math.round(confidence * UNIT);
  row.eligible_baseline_hits = row.baseline_hits;
  row.waking_eligible_scored = row.waking_scored;
  row.waking_eligible_hits = row.waking_hits;
  row.waking_eligible_baseline_hits = row.waking_baseline_hits;
  row.mqs = Math.round((revealed.mqs ?? 0) * UNIT);
  row.mqs_hits = row.mqs * hit;
  return row;
}

const nowhere = { accuracy: null, baseline: null, n: 0 };
/** Forecasts that are all for waking hours. */
const allWaking = (accuracy: number | null, baseline: number | null, n: number) => ({
  ...{ accuracy, baseline, n },
  ...{ waking_hours: { accuracy, baseline, n }, nights: nowhere },
});

const example = [
  revealed({ confidence: 0.7, accuracy_score: 0.9, mqs: 0.2 }),
  revealed({ confidence: 0.75, accuracy_score: 0.3, error_type: 'weather_miss', mqs: 0.3 }),
  revealed({ confidence: 0.95, accuracy_score: 1, baseline_score: 0.6, mqs: 0.5, waking: false }),
  revealed({ confidence: 0.72, accuracy_score: null, baseline_score: null }),
  revealed({ confidence: 0.67, accuracy_score: 0, error_type: 'timing_miss' }),
  revealed({ completeness: 0.74, accuracy_score: 0, error_type: 'freshness_miss' }),
  revealed({ shadow: 1, accuracy_score: 0, error_type: 'timing_miss' }),
];

test('the worked example of docs/formulas.md', () => {
  const { headline, baseline, waking_hours, nights, all_forecasts, ...others } = report(example);
  const { calibration, error_taxonomy, weighted_by_mqs } = others;
  assert.deepEqual([all_forecasts.accuracy, all_forecasts.n], [0.4, 5]);
  assert.deepEqual(all_forecasts.waking_hours, { accuracy: 0.25, baseline: 0, n: 4 });
  assert.deepEqual(all_forecasts.nights, { accuracy: 1, baseline: 1, n: 1 });
  assert.deepEqual(waking_hours, { accuracy: 0.5, baseline: 0, n: 2 });
  assert.deepEqual(nights, { accuracy: 1, baseline: 1, n: 1 });
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

test('the applied filter is stated', () => {
  assert.deepEqual(appliedFilter(true), {
    min_confidence: 0.68,
    min_completeness: 0.75,
    include_shadow: true,
  });
});

test('without eligible forecasts, averages are null and lists are empty', () => {
  const { headline, baseline, by_type, by_horizon, by_pocket, ...others } = report([]);
  const { sealed_before_outcome, state_forecasts, baselines } = others;
  const { calibration, error_taxonomy, weighted_by_mqs } = others;
  assert.deepEqual(headline, { overall_accuracy: null, revealed_count: 0, inconclusive_count: 0 });
  assert.deepEqual(baseline, { baseline_accuracy: null, gap_vs_service: null });
  assert.deepEqual([by_type, by_horizon, by_pocket], [[], [], []]);
  const nothing = { n: 0, accuracy: null };
  assert.deepEqual(sealed_before_outcome, nothing);
  assert.deepEqual(state_forecasts, {
    ...allWaking(null, null, 0),
    brier_score: null,
    ...{ sealed_before_outcome: nothing, written_afterwards: nothing },
  });
  for (const { accuracy, n, gap_vs_service } of baselines)
    assert.deepEqual([accuracy, n, gap_vs_service], [null, 0, null]);
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
  assert.deepEqual(by_pocket, [
    {
      pocket_id: 'holland',
      ...{ accuracy: null, count: 0, baseline_accuracy: null, gap_vs_naive: null },
      all: {
        ...{ accuracy: null, baseline: null, n: 0, persistence: null, same_hour_last_week: null },
        ...{ waking_hours: { n: 0, accuracy: null }, nights: { n: 0, accuracy: null } },
      },
    },
  ]);
});

test('all forecasts stand beside the filtered ones, each split by when it was written', () => {
  const { headline, sealed_before_outcome, written_afterwards, all_forecasts, state_forecasts } = report([
    revealed({ backfilled: true }),
    revealed({ backfilled: true, accuracy_score: 0.2 }),
    revealed({}),
    revealed({ confidence: 0.4, accuracy_score: 0, baseline_score: 1 }),
    revealed({ generator: 'quiet_window_60m', prediction_type: 'quiet_window', baseline_score: 1 }),
  ]);
  assert.deepEqual([headline.overall_accuracy, headline.revealed_count], [0.75, 4]);
  assert.deepEqual(sealed_before_outcome, { n: 2, accuracy: 1 });
  assert.deepEqual(written_afterwards, { n: 2, accuracy: 0.5 });
  assert.deepEqual(all_forecasts, {
    ...allWaking(0.6, 0.4, 5),
    brier_score: 0.182,
    sealed_before_outcome: { n: 3, accuracy: 0.667 },
    written_afterwards: { n: 2, accuracy: 0.5 },
  });
  assert.deepEqual(state_forecasts, {
    ...allWaking(0.5, 0.25, 4),
    brier_score: 0.212,
    sealed_before_outcome: { n: 2, accuracy: 0.5 },
    written_afterwards: { n: 2, accuracy: 0.5 },
  });
});

test('each simple forecast is compared on the forecasts that it has one for', () => {
  const { baselines, by_horizon } = report([
    revealed({ baseline_score: 1, persistence_score: 0.2 }),
    revealed({ accuracy_score: 0.1, persistence_score: 1, last_week_score: 0.9 }),
    revealed({
      generator: 'pocket_projection_180m',
      persistence_score: 0,
      last_week_score: 1,
      waking: false,
    }),
    revealed({ prediction_type: 'quiet_window', generator: 'quiet_window_60m', persistence_score: 1 }),
  ]);
  assert.deepEqual(
    baselines.map(({ name, waking_hours, nights, ...whole }) => [
      name,
      ...[whole, waking_hours, nights].map((part) => [
        ...[part.accuracy, part.n, part.gap_vs_service, part.service_accuracy_on_same_rows],
      ]),
    ]),
    [
      ['same_hour_last_week', [1, 2, 0.5, 0.5], [1, 1, 1, 0], [1, 1, 0, 1]],
      ['persistence', [0.333, 3, -0.334, 0.667], [0.5, 2, 0, 0.5], [0, 1, -1, 1]],
      ['naive', [0.333, 3, -0.334, 0.667], [0.5, 2, 0, 0.5], [0, 1, -1, 1]],
    ],
  );
  assert.deepEqual(
    by_horizon.map(({ horizon_minutes, accuracy, count, baseline_accuracy, gap_vs_naive, all }) => [
      ...[horizon_minutes, accuracy, count, baseline_accuracy, gap_vs_naive],
      ...[all.n, all.persistence],
    ]),
    [
      [60, 0.5, 2, 0.5, 0, 2, 0.5],
      [180, 1, 1, 0, 1, 1, 0],
    ],
  );
});

test('the simple forecast that the service is least ahead of comes first, once there are enough to say', () => {
  const order = (n: number, right: { week: number; persisting: number; naive: number }) =>
    report(
      Array.from({ length: n }, (_, at) =>
        revealed({
          last_week_score: Number(at < n * right.week),
          persistence_score: Number(at < n * right.persisting),
          baseline_score: Number(at < n * right.naive),
        }),
      ),
    ).baselines.map(({ name }) => name);
  const usual = ['same_hour_last_week', 'persistence', 'naive'];
  for (const [n, right, expected] of [
    [100, { week: 0.8, persisting: 0.6, naive: 0.4 }, usual],
    [100, { week: 0.4, persisting: 0.6, naive: 0.8 }, ['naive', 'persistence', 'same_hour_last_week']],
    [100, { week: 0.5, persisting: 0.9, naive: 0.5 }, ['persistence', 'same_hour_last_week', 'naive']],
    [99, { week: 0.4, persisting: 0.6, naive: 0.8 }, usual],
  ] as const)
    assert.deepEqual(order(n, right), expected);
});

test('a type has skill from a hundredth above both simple forecasts, over all that were scored', () => {
  const some = (right: number, score: Partial<RevealedForecast>, more: Partial<RevealedForecast> = {}) =>
    Array.from({ length: 100 }, (_, n) =>
      revealed({ confidence: 0.5, accuracy_score: n < right ? 1 : 0, ...(n < 80 ? score : more) }),
    );
  const reportedSkill = (rows: RevealedForecast[]) => report(rows).by_type[0]?.skill;
  const naive = { baseline_score: 1 };
  const both = { ...naive, persistence_score: 1 };
  const wrong = { persistence_score: 0 };
  assert.equal(reportedSkill(some(81, naive)), 'some');
  assert.equal(reportedSkill(some(80, naive)), 'none');
  assert.equal(reportedSkill(some(81, both, wrong)), 'some');
  assert.equal(reportedSkill(some(100, both, { persistence_score: 1 })), 'none');
  assert.equal(reportedSkill(some(90, naive).slice(1)), null, 'too few');
});

const thousandths = (most = 1000) => fc.integer({ min: 0, max: most }).map((n) => n / 1000);
const anyForecast: fc.Arbitrary<RevealedForecast> = fc.record({
  pocket_id: fc.constantFrom('holland', 'dempsey'),
  generator: fc.constantFrom('pocket_projection_60m', 'quiet_window_60m'),
  backfilled: fc.boolean(),
  prediction_type: fc.constantFrom(...predictionTypes.slice(0, 1)),
  shadow: fc.constantFrom(0, 1),
  waking: fc.boolean(),
  confidence: thousandths(),
  completeness: thousandths(),
  accuracy_score: fc.option(thousandths()),
  baseline_score: thousandths(),
  persistence_score: fc.option(thousandths()),
  last_week_score: fc.option(thousandths()),
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
      const { headline, sealed_before_outcome: before, written_afterwards: afterwards } = report(rows);
      assert.equal(before.n + afterwards.n, headline.revealed_count);
      const { waking_hours, nights } = report(rows);
      const awake = scored.filter(({ waking }) => waking);
      assert.deepEqual([waking_hours.n, nights.n], [awake.length, scored.length - awake.length]);
      assert.equal(headline.revealed_count, scored.length);
      assert.equal(headline.inconclusive_count, counted.length - scored.length);
      const accuracy = scored.length ? Math.round((hits.length / scored.length) * 1000) / 1000 : null;
      assert.equal(headline.overall_accuracy, accuracy);
    }),
  );
});
