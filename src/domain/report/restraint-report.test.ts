import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { silenceReasons } from '../decision/silence-reason.ts';
import { type OverviewRow, overviewSums } from '../stats/forecast-sums.ts';
import { zeroSums } from '../stats/rollup.ts';
import { faultsOf } from '../text/voice.ts';
import { singapore } from '../time/zones.fixture.ts';
import { type JudgedSilence, type RestraintMonth, restraintReport } from './restraint-report.ts';

const silence: JudgedSilence = {
  pocket_id: 'dempsey',
  slot: Date.parse('2026-10-14T15:15:00+08:00'),
  reason: 'why_now',
  legitimacy_score: 84.2,
  attention_minutes_preserved: 0,
  verdict_reason: 'the calm held and people were about: a line would have served',
};
const best: JudgedSilence = {
  ...silence,
  pocket_id: 'holland',
  reason: 'resonance_temporal',
  attention_minutes_preserved: 12.4,
  verdict_reason: 'the pocket was strained',
};
const forecasts: OverviewRow = { prediction_type: 'other', backfilled: true, ...zeroSums(overviewSums) };
const month: RestraintMonth = {
  emitted: 120,
  withheld: 880,
  already_speaking: 300,
  quiet_hours: 640,
  verdicts: { vindicated: 792, missed: 88, inconclusive: 0 },
  attention_minutes: 1234.56,
  forecasts: [
    {
      ...forecasts,
      ...{ eligible: 210, eligible_baseline_hits: 130, scored_8: 200, hits_8: 170 },
      ...{ scored: 400, hits: 300, baseline_hits: 200 },
      ...{ waking_scored: 300, waking_hits: 210, waking_baseline_hits: 120 },
      ...{ waking_eligible_scored: 150, waking_eligible_hits: 123, waking_eligible_baseline_hits: 90 },
      ...{ last_week_scored: 380, last_week_hits: 228, last_week_service_hits: 285 },
    },
    {
      ...forecasts,
      ...{ backfilled: false, prediction_type: 'rain_comfort' },
      ...{ eligible: 100, eligible_baseline_hits: 50, scored_9: 100, hits_9: 95 },
      ...{ scored: 100, hits: 95, baseline_hits: 50 },
    },
  ],
  worst: silence,
  best,
};

test('the worked example of docs/formulas.md', () => {
  const { forecasts: ofMonth, ...others } = restraintReport(month, singapore);
  const { baselines, ...forecasts } = ofMonth;
  assert.deepEqual(
    baselines.map(({ name, n, gap_vs_service }) => [name, n, gap_vs_service]),
    [
      ['same_hour_last_week', 380, -0.15],
      ['naive', 400, -0.25],
      ['persistence', 0, null],
    ],
  );
  assert.deepEqual(
    { ...others, forecasts },
    {
      signals_emitted_count: 120,
      signals_withheld_count: 880,
      already_speaking_count: 300,
      quiet_hours_count: 640,
      accuracy: 0.883,
      naive_baseline_accuracy: 0.6,
      gap_points: 28.3,
      forecasts: {
        filter: { min_confidence: 0.68, min_completeness: 0.75, include_shadow: false },
        waking_hours: { accuracy: 0.82, baseline: 0.6, n: 150 },
        nights: { accuracy: 0.947, baseline: 0.6, n: 150 },
        sealed_before_outcome: { n: 100, accuracy: 0.95 },
        written_afterwards: { n: 200, accuracy: 0.85 },
        all_forecasts: {
          ...{ accuracy: 0.79, baseline: 0.5, n: 500, brier_score: 0 },
          waking_hours: { accuracy: 0.7, baseline: 0.4, n: 300 },
          nights: { accuracy: 0.925, baseline: 0.65, n: 200 },
          sealed_before_outcome: { n: 100, accuracy: 0.95 },
          written_afterwards: { n: 400, accuracy: 0.75 },
        },
        state_forecasts: {
          ...{ accuracy: 0.75, baseline: 0.5, n: 400, brier_score: 0 },
          waking_hours: { accuracy: 0.7, baseline: 0.4, n: 300 },
          nights: { accuracy: 0.9, baseline: 0.8, n: 100 },
          sealed_before_outcome: { n: 0, accuracy: null },
          written_afterwards: { n: 400, accuracy: 0.75 },
        },
      },
      silence_correctness_rate: 0.9,
      attention_minutes_preserved: 1234.6,
      counterfactual_count: 880,
      narrative_top_failure:
        'dempsey was left in silence at 15:15 SGT on 2026-10-14 (no reason to say it at this hour), though legitimacy stood at 84.2; the calm held and people were about: a line would have served. 88 of 880 silences judged were wrong.',
      narrative_top_success:
        'holland was left in silence at 15:15 SGT on 2026-10-14 (not enough reasons to speak, mainly because of a short or fragile window); the pocket was strained, and an estimated 12 minutes of attention were preserved. 792 of 880 silences judged were right.',
    },
  );
});

describe('missing data', () => {
  const reportOf = (given: Partial<RestraintMonth>) => restraintReport({ ...month, ...given }, singapore);

  test('null where no silence has a verdict and no forecast is scored', () => {
    const verdicts = { vindicated: 0, missed: 0, inconclusive: 4 };
    const report = reportOf({
      forecasts: [{ ...forecasts, eligible: 3 }],
      verdicts,
      worst: null,
      best: null,
    });
    assert.deepEqual(
      [report.accuracy, report.naive_baseline_accuracy, report.gap_points, report.silence_correctness_rate],
      [null, null, null, null],
    );
    assert.deepEqual([report.narrative_top_failure, report.narrative_top_success], [null, null]);
  });

  test('a month without failures, or without successes, is described as such', () => {
    const right = { vindicated: 12, missed: 0, inconclusive: 0 };
    const wrong = { vindicated: 0, missed: 12, inconclusive: 0 };
    const none = reportOf({ verdicts: right, worst: null });
    assert.equal(none.narrative_top_failure, 'none of 12 silences judged was found wrong.');
    assert.equal(
      reportOf({ verdicts: wrong, best: null }).narrative_top_success,
      'none of 12 silences judged was found right.',
    );
  });

  test('a service worse than the baseline has a negative gap', () => {
    const worse = { ...forecasts, eligible: 100, scored_7: 100, hits_7: 40, eligible_baseline_hits: 55 };
    assert.equal(reportOf({ forecasts: [worse] }).gap_points, -15);
  });
});

test('both lines pass the voice rules for every reason', () => {
  for (const reason of silenceReasons) {
    const report = restraintReport(
      { ...month, worst: { ...silence, reason }, best: { ...best, reason } },
      singapore,
    );
    for (const line of [report.narrative_top_failure, report.narrative_top_success])
      assert.deepEqual(faultsOf(line ?? ''), [], line ?? '');
  }
});
