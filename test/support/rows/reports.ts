// Fixture reports of weeks and months, written as the pipeline writes them.
import type { PocketMonth } from '../../../src/domain/report/pocket-month.ts';
import type { MonthForecasts, RestraintReport } from '../../../src/domain/report/restraint-report.ts';
import type { ComparedWith, StatedDifference } from '../../../src/domain/report/sets-apart.ts';
import type { WeeklyReport } from '../../../src/domain/report/weekly-report.ts';
import { round } from '../../../src/domain/stats/unit-scale.ts';
import type { DecisionCells } from '../../../src/domain/verdict/verdict.ts';
import type { Store } from '../../../src/store/engine/store.ts';
import { writeMonths, writeRestraint, writeWeeks } from '../../../src/store/report/reports.ts';

export const composedAt = Date.parse('2026-11-09T01:00:00Z');

const fromNetwork: StatedDifference = {
  against: 'network',
  quality: 'calm',
  day: null,
  part: 'evening',
  hours: '18:00-23:00',
  holiday: null,
  value: 0.25,
  reference: 0.58,
  difference: -0.33,
  standard_error: 0.03,
  pocket_spread: 0.15,
  rank: 18,
  of_pockets: 18,
  network_difference: null,
  cause: { signal: 'footfall', value: 0.95, reference: 0.6, effect: -0.21 },
  text: 'less calm than elsewhere.',
};
const fromUsual: StatedDifference = {
  ...fromNetwork,
  against: 'own_usual',
  day: 'tuesday',
  holiday: 'Market Day',
  pocket_spread: null,
  rank: null,
  of_pockets: null,
  network_difference: -0.1,
  cause: null,
  text: 'less calm than usual.',
};
const compared_with: ComparedWith = { other_pockets: 17, earlier: ['2026-W43', '2026-W44'], note: null };

export const week: WeeklyReport = {
  metrics: {
    atmosphere_score: {
      primary_state: 'calm-restful',
      stress: 0.25,
      calm: 0.7,
      productive: 0.3,
      social: 0.2,
    },
    quiet_window_score: { count: 14, longest_minutes: 585 },
    rain_comfort_alignment: null,
    attention_saturation: { saturation: 0.04, mqs_band: 'weak' },
    stable_periods: [{ day: 'tuesday', hour: 14, calm: 0.6, deviation: 0.01, network_deviation: 0.04 }],
  },
  basis: { readings: 446, rainy_readings: 0, moments: 440 },
  holidays: [{ date: '2026-11-03', day: 'tuesday', name: 'Market Day' }],
  sets_apart: [fromUsual, fromNetwork],
  compared_with,
  narrative: 'a quiet week.',
};

const cells: DecisionCells = {
  spoke_served: 15,
  spoke_failed: 5,
  silent_right: 2300,
  silent_wrong: 150,
  inconclusive: 4,
};
const noCells: DecisionCells = {
  ...{ spoke_served: 0, spoke_failed: 0, silent_right: 0, silent_wrong: 0, inconclusive: 0 },
};

type MonthOfPocket = PocketMonth & { decisions_judged: DecisionCells };

export const month: MonthOfPocket = {
  readings: 2970,
  observations: {
    most_stable_day: { day: 'tuesday', deviation: 0.05, network_deviation: 0.09 },
    strongest_comfort: { signal: 'transit', comfort: 0.9, network_comfort: 0.8 },
    strongest_calm_window: { label: 'sunday 07:00-08:00', calm: 0.9, network_calm: 0.7, difference: 0.2 },
    anomaly_count: 12,
    network_anomaly_count: 15.5,
    sets_apart: [fromNetwork],
    compared_with: {
      other_pockets: 17,
      earlier: [],
      note: 'too few earlier months were read to say what is usual.',
    },
  },
  narrative: 'a month like others.',
  decisions_judged: cells,
};

export const thinMonth: MonthOfPocket = {
  readings: 12,
  observations: null,
  narrative: 'too little was read.',
  decisions_judged: noCells,
};

const nothing = { n: 0, accuracy: null };
const noPart = { accuracy: null, baseline: null, n: 0 };
const noParts = { waking_hours: noPart, nights: noPart };
const stateParts = {
  waking_hours: { accuracy: 0.6, baseline: 0.4, n: 4000 },
  nights: { accuracy: 0.9, baseline: 0.7, n: 2000 },
};
const noForecasts = {
  ...noParts,
  ...{ accuracy: null, baseline: null, n: 0, brier_score: null },
  ...{ sealed_before_outcome: nothing, written_afterwards: nothing },
};

type Baseline = MonthForecasts['baselines'][number];
type Figures = readonly [accuracy: number, service: number, n: number];
const comparedFigures = ([accuracy, service_accuracy_on_same_rows, n]: Figures) => ({
  accuracy,
  n,
  gap_vs_service: round(accuracy - service_accuracy_on_same_rows),
  service_accuracy_on_same_rows,
});
function baseline(name: Baseline['name'], whole: Figures, waking: Figures): Baseline {
  const nights: Figures = [0.8, 0.9, whole[2] - waking[2]];
  return {
    name,
    ...comparedFigures(whole),
    waking_hours: comparedFigures(waking),
    nights: comparedFigures(nights),
  };
}

/** The figures beside the accuracy of a month whose forecasts were of one kind, two thirds of them written afterwards. */
export const monthForecasts: MonthForecasts = {
  filter: { min_confidence: 0.68, min_completeness: 0.75, include_shadow: false },
  waking_hours: { accuracy: 0.76, baseline: 0.5, n: 2000 },
  nights: { accuracy: 0.91, baseline: 0.8, n: 1000 },
  sealed_before_outcome: { n: 1000, accuracy: 0.83 },
  written_afterwards: { n: 2000, accuracy: 0.8 },
  all_forecasts: {
    ...stateParts,
    ...{ accuracy: 0.7, baseline: 0.5, n: 6000, brier_score: 0.2 },
    sealed_before_outcome: { n: 2000, accuracy: 0.71 },
    written_afterwards: { n: 4000, accuracy: 0.695 },
  },
  state_forecasts: {
    ...stateParts,
    ...{ accuracy: 0.7, baseline: 0.5, n: 6000, brier_score: 0.2 },
    sealed_before_outcome: { n: 2000, accuracy: 0.71 },
    written_afterwards: { n: 4000, accuracy: 0.695 },
  },
  baselines: [
    baseline('same_hour_last_week', [0.62, 0.71, 5000], [0.52, 0.61, 3400]),
    baseline('persistence', [0.55, 0.7, 6000], [0.45, 0.6, 4000]),
    baseline('naive', [0.5, 0.7, 6000], [0.4, 0.6, 4000]),
  ],
};

export const noMonthForecasts: MonthForecasts = {
  ...monthForecasts,
  ...{ sealed_before_outcome: nothing, written_afterwards: nothing },
  ...noParts,
  ...{ all_forecasts: noForecasts, state_forecasts: noForecasts, baselines: [] },
};

export const restraint: RestraintReport = {
  signals_emitted_count: 3000,
  signals_withheld_count: 50_000,
  already_speaking_count: 24,
  quiet_hours_count: 64,
  accuracy: 0.81,
  naive_baseline_accuracy: 0.6,
  gap_points: 21,
  forecasts: monthForecasts,
  silence_correctness_rate: 0.93,
  attention_minutes_preserved: 120_000.5,
  counterfactual_count: 50_000,
  narrative_top_failure: 'a silence was wrong.',
  narrative_top_success: 'a silence was right.',
  decisions_judged: {
    spoke_served: 240,
    spoke_failed: 60,
    silent_right: 46_000,
    silent_wrong: 3500,
    inconclusive: 500,
  },
};

export const bareRestraint: RestraintReport = {
  signals_emitted_count: 0,
  signals_withheld_count: 3,
  already_speaking_count: 24,
  quiet_hours_count: 64,
  accuracy: null,
  naive_baseline_accuracy: null,
  gap_points: null,
  forecasts: noMonthForecasts,
  silence_correctness_rate: null,
  attention_minutes_preserved: 0,
  counterfactual_count: 3,
  narrative_top_failure: null,
  narrative_top_success: null,
  decisions_judged: { ...noCells, inconclusive: 3 },
};

/** Weeks of two pockets, months of one, and two months of restraint. */
export const writeReports = (store: Store): Promise<void> =>
  store.transaction(async (tx) => {
    const composed_at = composedAt;
    const weeks = [
      ['2025-W52', 'tiongbahru'],
      ['2026-W01', 'tiongbahru'],
      ['2026-W44', 'dempsey'],
      ['2026-W45', 'dempsey'],
      ['2026-W45', 'tiongbahru'],
    ] as const;
    await writeWeeks(
      tx,
      weeks.map(([week_iso, pocket_id]) => ({ week_iso, pocket_id, composed_at, ...week })),
    );
    await writeMonths(tx, [
      { month_iso: '2026-09', pocket_id: 'tiongbahru', composed_at, ...thinMonth },
      { month_iso: '2026-10', pocket_id: 'tiongbahru', composed_at, ...month },
    ]);
    await writeRestraint(tx, { month_iso: '2026-09', composed_at, ...bareRestraint });
    await writeRestraint(tx, { month_iso: '2026-10', composed_at, ...restraint });
  });
