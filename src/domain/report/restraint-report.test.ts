import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { silenceReasons } from '../decision/silence-reason.ts';
import { type OverviewRow, overviewSums } from '../prediction/forecast-sums.ts';
import { zeroSums } from '../stats/rollup.ts';
import { voiceFaults } from '../text/voice.ts';
import { singapore } from '../time/zones.fixture.ts';
import { failedOutcomes } from '../verdict/decision-cells.ts';
import { type DecisionCells, verdictText } from '../verdict/verdict.ts';
import {
  type FailedLine,
  type JudgedSilence,
  type RestraintMonth,
  restraintReport,
} from './restraint-report.ts';

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
const worst_line: FailedLine = {
  pocket_id: 'siglap',
  slot: Date.parse('2026-10-20T11:30:00+08:00'),
  legitimacy_score: 91.5,
  verdict_reason: verdictText(true, 'did_not_hold'),
};
const judged: DecisionCells = {
  spoke_served: 90,
  spoke_failed: 20,
  silent_right: 792,
  silent_wrong: 88,
  inconclusive: 10,
};
const forecasts: OverviewRow = { prediction_type: 'other', backfilled: true, ...zeroSums(overviewSums) };
const month: RestraintMonth = {
  emitted: 120,
  withheld: 880,
  already_speaking: 300,
  quiet_hours: 640,
  judged,
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
  worst_line,
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
        'dempsey was left in silence at 15:15 SGT on 2026-10-14 (no reason to say it at this hour), though legitimacy stood at 84.2; the calm held and people were about: a line would have served. 88 of 880 silences judged were wrong. a line about siglap was said at 11:30 SGT on 2026-10-20 with a legitimacy of 91.5; the calm did not hold to the end that was named. 20 of 110 lines judged failed.',
      narrative_top_success:
        'holland was left in silence at 15:15 SGT on 2026-10-14 (not enough reasons to speak, mainly because of a short or fragile window); the pocket was strained, and an estimated 12 minutes of attention were preserved. 792 of 880 silences judged were right. 90 of 110 lines judged served.',
      decisions_judged: judged,
    },
  );
});

describe('missing data', () => {
  const composeReport = (given: Partial<RestraintMonth>) =>
    restraintReport({ ...month, ...given }, singapore);

  const none: DecisionCells = {
    ...{ spoke_served: 0, spoke_failed: 0, silent_right: 0, silent_wrong: 0, inconclusive: 4 },
  };

  test('null where no decision has a verdict and no forecast is scored', () => {
    const report = composeReport({
      forecasts: [{ ...forecasts, eligible: 3 }],
      judged: none,
      worst: null,
      best: null,
      worst_line: null,
    });
    assert.deepEqual(
      [report.accuracy, report.naive_baseline_accuracy, report.gap_points, report.silence_correctness_rate],
      [null, null, null, null],
    );
    assert.deepEqual([report.narrative_top_failure, report.narrative_top_success], [null, null]);
  });

  test('a month without failures, or without successes, is described as such', () => {
    const right = composeReport({ judged: { ...none, silent_right: 12 }, worst: null, worst_line: null });
    assert.equal(right.narrative_top_failure, 'none of 12 silences judged was found wrong.');
    const wrong = composeReport({ judged: { ...none, silent_wrong: 12, spoke_failed: 2 }, best: null });
    assert.equal(
      wrong.narrative_top_success,
      'none of 12 silences judged was found right. 0 of 2 lines judged served.',
    );
    const lines = composeReport({
      judged: { ...none, spoke_served: 3 },
      worst: null,
      best: null,
      worst_line: null,
    });
    assert.deepEqual(
      [lines.narrative_top_failure, lines.narrative_top_success, lines.silence_correctness_rate],
      ['none of 3 lines judged failed.', '3 of 3 lines judged served.', null],
    );
  });

  test('a service worse than the baseline has a negative gap', () => {
    const worse = { ...forecasts, eligible: 100, scored_7: 100, hits_7: 40, eligible_baseline_hits: 55 };
    assert.equal(composeReport({ forecasts: [worse] }).gap_points, -15);
  });
});

test('both lines pass the voice rules for every reason and every way in which a line fails', () => {
  const months: RestraintMonth[] = [
    ...silenceReasons.map((reason) => ({
      ...month,
      worst: { ...silence, reason },
      best: { ...best, reason },
    })),
    ...failedOutcomes.map((outcome) => ({
      ...month,
      worst_line: { ...worst_line, verdict_reason: verdictText(true, outcome) },
    })),
  ];
  for (const given of months) {
    const report = restraintReport(given, singapore);
    for (const line of [report.narrative_top_failure, report.narrative_top_success])
      assert.deepEqual(voiceFaults(line ?? ''), [], line ?? '');
  }
});
