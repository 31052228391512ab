/** Accuracy of revealed forecasts (docs/formulas.md, "Accuracy report"). */

import { meanFromSum, roundedShare, type Sums, sumRows } from '../stats/rollup.ts';
import { type Compared, compareBaselines, definitions, difference, nightCounts } from './baseline-figures.ts';
import { errorTypes } from './error-taxonomy.ts';
import {
  type AccuracyRow,
  type AccuracySum,
  accuracySums,
  BAR,
  type GroupSum,
  groupSums,
  type HeadlineSum,
  type OverviewRow,
  type OverviewSum,
  overviewSums,
  type PocketAccuracyRow,
  tenths,
} from './forecast-sums.ts';
import { predictionTypes } from './generators/all.ts';
import { HORIZONS, projectionGenerator, STATE_TYPE } from './prediction.ts';

/** The filter that a report states beside its figures. */
export interface AppliedFilter {
  min_confidence: number;
  min_completeness: number;
  include_shadow: boolean;
}

export const appliedFilter = (include_shadow = false): AppliedFilter => ({
  min_confidence: BAR.confidence,
  min_completeness: BAR.completeness,
  include_shadow,
});

type Accuracy = Readonly<Sums<AccuracySum>>;

/**
 * Accuracy of forecasts, however they are grouped; `pockets` are the same forecasts by pocket. `count` is of the eligible
 * ones, `n` of all.
 */
export function accuracyReport(rows: readonly AccuracyRow[], pockets: readonly PocketAccuracyRow[]) {
  const total = totals(rows, accuracySums);
  const { baselines, ...overview } = accuracyOverview(rows);
  const types = Map.groupBy(rows, ({ prediction_type }) => prediction_type);
  return {
    ...overview,
    baselines: baselines.map((row) => ({ definition: definitions[row.name], ...row })),
    by_type: predictionTypes.flatMap((prediction_type) => {
      const own = types.get(prediction_type);
      if (!own) return [];
      const sums = totals(own, accuracySums);
      return [{ prediction_type, ...groupFigures(sums), skill: judgeSkill(sums) }];
    }),
    by_horizon: HORIZONS.flatMap((horizon_minutes) => {
      const own = rows.filter(({ generator }) => generator === projectionGenerator(horizon_minutes));
      return own.length ? [{ horizon_minutes, ...groupFigures(totals(own, groupSums)) }] : [];
    }),
    by_pocket: pockets
      .toSorted((a, b) => (a.pocket_id < b.pocket_id ? -1 : 1))
      .map(({ pocket_id, ...sums }) => ({ pocket_id, ...groupFigures(sums) })),
    calibration: confidenceCalibration(total),
    error_taxonomy: errorTypes.map((type) => ({ type, count: total[`eligible_${type}`] })),
    weighted_by_mqs: { accuracy: roundedShare(total.mqs_hits, total.mqs) },
  };
}

const isState = ({ prediction_type }: Pick<AccuracyRow, 'prediction_type'>): boolean =>
  prediction_type === STATE_TYPE;

/**
 * The share of eligible forecasts that came true, that of all and that of all state forecasts, each beside the naive
 * baseline, split by whether the forecasts were sealed before their outcome or written afterwards, and by whether they
 * were for waking hours or for a night; then the state forecasts beside each simple forecast.
 */
export function accuracyOverview(rows: readonly OverviewRow[]) {
  const states = rows.filter(isState);
  const all = totals(rows, overviewSums);
  return {
    ...headlineAccuracy(all),
    ...partsOfEligible(all),
    ...splitBySealing(rows, (sums) => {
      const { scored, hits } = eligibleScores(sums);
      return { n: scored, accuracy: roundedShare(hits, scored) };
    }),
    all_forecasts: unfilteredAccuracy(rows),
    state_forecasts: unfilteredAccuracy(states),
    baselines: compareBaselines(totals(states, overviewSums)),
  };
}

/** A figure of the forecasts for waking hours, and the same of those for nights: both add up to the whole. */
const wakingAndNightFigures = (whole: Compared, waking: Compared) => ({
  waking_hours: comparedAccuracy(waking),
  nights: comparedAccuracy(nightCounts(whole, waking)),
});

const comparedAccuracy = ({ scored, service, other }: Compared) => ({
  accuracy: roundedShare(service, scored),
  baseline: roundedShare(other, scored),
  n: scored,
});

/** The parts of the day of eligible forecasts. */
export function partsOfEligible(sums: Readonly<Sums<HeadlineSum>>) {
  const { scored, hits } = eligibleScores(sums);
  return wakingAndNightFigures(
    { scored, service: hits, other: sums.eligible_baseline_hits },
    {
      scored: sums.waking_eligible_scored,
      service: sums.waking_eligible_hits,
      other: sums.waking_eligible_baseline_hits,
    },
  );
}

/** The same of all that were scored. */
const partsOfAll = (sums: Readonly<Sums<Of<'scored' | 'hits' | 'baseline_hits'>>>) =>
  wakingAndNightFigures(
    { scored: sums.scored, service: sums.hits, other: sums.baseline_hits },
    { scored: sums.waking_scored, service: sums.waking_hits, other: sums.waking_baseline_hits },
  );
type Of<Name extends string> = Name | `waking_${Name}`;

/** The accuracy of all eligible forecasts, and that of the naive baseline. */
export function headlineAccuracy(sums: Readonly<Sums<HeadlineSum>>) {
  const { hits, scored } = eligibleScores(sums);
  const overall_accuracy = roundedShare(hits, scored);
  const baseline_accuracy = roundedShare(sums.eligible_baseline_hits, scored);
  return {
    headline: { overall_accuracy, revealed_count: scored, inconclusive_count: sums.eligible - scored },
    baseline: { baseline_accuracy, gap_vs_service: difference(baseline_accuracy, overall_accuracy) },
  };
}

/** A figure of the forecasts that were sealed before their outcome, and the same of those written afterwards. */
function splitBySealing<Figure>(
  rows: readonly OverviewRow[],
  computeFigure: (sums: Readonly<Sums<OverviewSum>>) => Figure,
) {
  const of = (backfilled: boolean) =>
    computeFigure(
      totals(
        rows.filter((row) => row.backfilled === backfilled),
        overviewSums,
      ),
    );
  return { sealed_before_outcome: of(false), written_afterwards: of(true) };
}

/** Every scored forecast, whatever its confidence and completeness. */
function unfilteredAccuracy(rows: readonly OverviewRow[]) {
  const sums = totals(rows, overviewSums);
  return {
    ...scoreFigures(sums),
    ...partsOfAll(sums),
    ...splitBySealing(rows, ({ hits, scored }) => ({ n: scored, accuracy: roundedShare(hits, scored) })),
  };
}

const accuracyFigures = ({
  hits,
  baseline_hits,
  scored,
}: Readonly<Sums<'hits' | 'baseline_hits' | 'scored'>>) => ({
  accuracy: roundedShare(hits, scored),
  baseline: roundedShare(baseline_hits, scored),
  n: scored,
});

/** The same with the Brier score: the mean squared difference between confidence and hit. */
const scoreFigures = (sums: Readonly<Sums<OverviewSum>>) => ({
  ...accuracyFigures(sums),
  brier_score: meanFromSum(sums.squared_error, sums.scored),
});

/** All state forecasts of one period, and beside them the eligible forecasts of every kind. */
export function periodAccuracy(rows: readonly (Pick<AccuracyRow, 'prediction_type'> & Sums<OverviewSum>)[]) {
  const all = totals(rows, overviewSums);
  const states = totals(rows.filter(isState), overviewSums);
  const { headline, baseline } = headlineAccuracy(all);
  return {
    state_forecasts: {
      ...scoreFigures(states),
      same_hour_last_week: roundedShare(states.last_week_hits, states.last_week_scored),
      ...partsOfAll(states),
    },
    confident_forecasts: {
      accuracy: headline.overall_accuracy,
      baseline: baseline.baseline_accuracy,
      n: headline.revealed_count,
      ...partsOfEligible(all),
    },
  };
}

/** Of a group: the eligible forecasts, and all of them beside the simple forecasts. */
function groupFigures(sums: Readonly<Sums<GroupSum>>) {
  const { hits, scored } = eligibleScores(sums);
  const accuracy = roundedShare(hits, scored);
  const baseline_accuracy = roundedShare(sums.eligible_baseline_hits, scored);
  return {
    accuracy,
    count: scored,
    baseline_accuracy,
    gap_vs_naive: difference(accuracy, baseline_accuracy),
    all: {
      ...accuracyFigures(sums),
      persistence: roundedShare(sums.persistence_hits, sums.persistence_scored),
      same_hour_last_week: roundedShare(sums.last_week_hits, sums.last_week_scored),
      ...withoutBaseline(partsOfAll(sums)),
    },
  };
}

/** Without the baseline: a report lists every pocket of a city. */
const withoutBaseline = ({ waking_hours, nights }: ReturnType<typeof wakingAndNightFigures>) => ({
  waking_hours: { n: waking_hours.n, accuracy: waking_hours.accuracy },
  nights: { n: nights.n, accuracy: nights.accuracy },
});

/** A type of forecast has skill from this much above each simple forecast on. */
export const LEAST_SKILL = 0.01;
/** Fewer forecasts than this say nothing about a difference of so little. */
export const LEAST_FOR_SKILL = 100;

/** Whether forecasts are better than the naive baseline and persistence, over all that were scored. */
function judgeSkill(sums: Accuracy): 'some' | 'none' | null {
  if (sums.scored < LEAST_FOR_SKILL) return null;
  const gaps = [
    (sums.hits - sums.baseline_hits) / sums.scored,
    ...(sums.persistence_scored
      ? [(sums.persistence_service_hits - sums.persistence_hits) / sums.persistence_scored]
      : []),
  ];
  return gaps.every((gap) => gap >= LEAST_SKILL) ? 'some' : 'none';
}

/** Every eligible forecast that was scored is in one of the tenths. */
const eligibleScores = (sums: Readonly<Sums<HeadlineSum>>) => ({
  scored: tenths.reduce((scored, tenth) => scored + sums[`scored_${tenth}`], 0),
  hits: tenths.reduce((hits, tenth) => hits + sums[`hits_${tenth}`], 0),
});

const totals = <S extends string>(rows: readonly Readonly<Sums<S>>[], sums: readonly S[]): Sums<S> =>
  Object.fromEntries(sums.map((sum) => [sum, sumRows(rows, sum)])) as Sums<S>;

/** For each tenth of confidence: how often such forecasts came true, less how often they said they would. */
function confidenceCalibration(total: Accuracy) {
  return Array.from({ length: 10 }, (_, n) => {
    const tenth = tenths.find((one) => one === n);
    const predictions = tenth ? total[`scored_${tenth}`] : 0;
    const observed_accuracy = tenth ? roundedShare(total[`hits_${tenth}`], predictions) : null;
    const confidence = tenth ? meanFromSum(total[`confidence_${tenth}`], predictions) : null;
    return {
      bucket: `${(n / 10).toFixed(1)}-${((n + 1) / 10).toFixed(1)}`,
      predictions,
      observed_accuracy,
      delta: difference(observed_accuracy, confidence),
    };
  });
}
