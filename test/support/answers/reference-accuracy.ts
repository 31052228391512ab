// The accuracy report computed independently, row by row, from its definition.
import { type ErrorType, errorTypes } from '../../../src/domain/prediction/error-taxonomy.ts';
import { predictionTypes } from '../../../src/domain/prediction/generators/all.ts';
import { round } from '../../../src/domain/stats/unit-scale.ts';
import type { Window } from '../../../src/domain/time/window.ts';
import type { Reader } from '../../../src/store/engine/store.ts';

/** A row of `reveals`, as far as accuracy is counted from it. */
interface RevealRow {
  prediction_leaf: number;
  leaf: number;
  slot: number;
  pocket_id: string;
  generator: string;
  prediction_type: string;
  shadow: number;
  waking: number;
  calm_probability: number | null;
  was_calm: number | null;
  confidence: number;
  completeness: number;
  /** Null: inconclusive. */
  accuracy_score: number | null;
  baseline_score: number | null;
  persistence_score: number | null;
  last_week_score: number | null;
  error_type: ErrorType | null;
}

/** A revealed forecast, with the time that it is for and the MQS of the moment in which it was sealed. */
export type RevealedForecast = RevealRow & { mqs: number | null; reveal_at: number };

export const revealedForecasts = (store: Reader): Promise<RevealedForecast[]> =>
  store.all<RevealedForecast>(
    `select r.*, m.mqs from revealed_forecasts r
     left join moments m on m.slot = r.slot and m.pocket_id = r.pocket_id`,
  );

interface Filter {
  prediction_type: string | undefined;
  include_shadow: boolean;
}
type Rows = readonly RevealedForecast[];
type Score = 'accuracy_score' | 'baseline_score' | 'persistence_score' | 'last_week_score';

// In whole ten-thousandths: the floating-point error of a sum of fractions would decide how a half is rounded.
const sum = (some: Rows, of: (row: RevealedForecast) => number) =>
  some.reduce((total, row) => total + Math.round(of(row) * 10_000), 0) / 10_000;
const mean = (some: Rows, of: (row: RevealedForecast) => number) =>
  some.length ? round(sum(some, of) / some.length) : null;
const isHit = (row: RevealedForecast, score: Score = 'accuracy_score') => (row[score] ?? 0) >= 0.5;
const hitRate = (some: Rows, score: Score = 'accuracy_score') =>
  mean(some, (row) => Number(isHit(row, score)));
const gap = (a: number | null, b: number | null) => (a === null || b === null ? null : round(a - b));
const scoredRows = (some: Rows) => some.filter((row) => row.accuracy_score !== null);
const eligibleRows = (some: Rows) => some.filter((row) => row.confidence >= 0.68 && row.completeness >= 0.75);

/** From 07:00 to 23:00 in Singapore, which is eight hours ahead of UTC. */
const isAwake = ({ reveal_at }: RevealedForecast) => {
  const hour = (Math.floor(reveal_at / 3_600_000) + 8) % 24;
  return hour >= 7 && hour < 23;
};

/** `history` is the last slot that was written afterwards; null: none was. */
export function referenceReport(
  all: Rows,
  { after, until }: Window,
  pocket: string | undefined,
  filter: Filter,
  history: number | null,
) {
  const chosen = all.filter(
    (row) =>
      row.slot > after &&
      row.slot <= until &&
      (pocket === undefined || row.pocket_id === pocket) &&
      (filter.include_shadow || row.shadow === 0) &&
      (filter.prediction_type === undefined || row.prediction_type === filter.prediction_type),
  );
  const rows = eligibleRows(chosen);
  const judged = scoredRows(rows);
  const overall_accuracy = hitRate(judged);
  const baseline_accuracy = hitRate(judged, 'baseline_score');
  const weight = sum(judged, (row) => row.mqs ?? 0);
  const split = (some: Rows) => {
    const isAfterwards = ({ slot }: RevealedForecast) => history !== null && slot <= history;
    const [live, late] = [some.filter((row) => !isAfterwards(row)), some.filter(isAfterwards)];
    return {
      sealed_before_outcome: { n: live.length, accuracy: hitRate(live) },
      written_afterwards: { n: late.length, accuracy: hitRate(late) },
    };
  };
  const unfilteredFigures = (some: Rows) => ({
    accuracy: hitRate(some),
    baseline: hitRate(some, 'baseline_score'),
    n: some.length,
  });
  const share = (some: Rows) => ({ n: some.length, accuracy: hitRate(some) });
  const parts = (some: Rows) => ({
    waking_hours: unfilteredFigures(some.filter(isAwake)),
    nights: unfilteredFigures(some.filter((row) => !isAwake(row))),
  });
  const brier = (some: Rows) => ({
    brier_score: mean(some, (row) => (row.confidence - Number(isHit(row))) ** 2),
  });
  const state = scoredRows(chosen).filter((row) => row.prediction_type === 'other');
  const compareRule = (name: string, score: Score) => {
    const some = state.filter((row) => row[score] !== null);
    const figures = (own: Rows) => {
      const [accuracy, service] = [hitRate(own, score), hitRate(own)];
      return {
        accuracy,
        n: own.length,
        gap_vs_service: gap(accuracy, service),
        service_accuracy_on_same_rows: service,
      };
    };
    return {
      name,
      ...figures(some),
      waking_hours: figures(some.filter(isAwake)),
      nights: figures(some.filter((row) => !isAwake(row))),
    };
  };
  /** The one that the service is least ahead of comes first; those with too few forecasts to say come last. */
  const strength = ({ n, gap_vs_service }: ReturnType<typeof compareRule>) =>
    n < 100 || gap_vs_service === null ? Number.NEGATIVE_INFINITY : gap_vs_service;
  const figures = (some: Rows) => {
    const own = scoredRows(eligibleRows(some));
    const [accuracy, baseline] = [hitRate(own), hitRate(own, 'baseline_score')];
    const simple = (score: Score) =>
      hitRate(
        some.filter((row) => row[score] !== null),
        score,
      );
    return {
      accuracy,
      count: own.length,
      baseline_accuracy: baseline,
      gap_vs_naive: gap(accuracy, baseline),
      all: {
        ...unfilteredFigures(scoredRows(some)),
        waking_hours: share(scoredRows(some).filter(isAwake)),
        nights: share(scoredRows(some).filter((row) => !isAwake(row))),
        persistence: simple('persistence_score'),
        same_hour_last_week: simple('last_week_score'),
      },
    };
  };
  /** Each key of the rows that are scored or eligible. */
  const groups = <Key extends string>(keys: readonly Key[], keyOf: (row: RevealedForecast) => string) =>
    keys.flatMap((key) => {
      const some = chosen.filter((row) => keyOf(row) === key);
      return scoredRows(some).length || eligibleRows(some).length ? [{ key, some }] : [];
    });
  return {
    headline: {
      overall_accuracy,
      revealed_count: judged.length,
      inconclusive_count: rows.length - judged.length,
    },
    baseline: { baseline_accuracy, gap_vs_service: gap(baseline_accuracy, overall_accuracy) },
    ...parts(judged),
    ...split(judged),
    all_forecasts: {
      ...unfilteredFigures(scoredRows(chosen)),
      ...parts(scoredRows(chosen)),
      ...brier(scoredRows(chosen)),
      ...split(scoredRows(chosen)),
    },
    state_forecasts: { ...unfilteredFigures(state), ...parts(state), ...brier(state), ...split(state) },
    baselines: [
      compareRule('same_hour_last_week', 'last_week_score'),
      compareRule('persistence', 'persistence_score'),
      compareRule('naive', 'baseline_score'),
    ].sort((a, b) => {
      const [left, right] = [strength(a), strength(b)];
      return left === right ? 0 : right - left;
    }),
    by_type: groups(predictionTypes, (row) => row.prediction_type).map(({ key, some }) => ({
      prediction_type: key,
      ...figures(some),
      skill: skill(scoredRows(some)),
    })),
    by_horizon: [60, 120, 180].flatMap((minutes) =>
      groups([`pocket_projection_${minutes}m`], (row) => row.generator).map(({ some }) => ({
        horizon_minutes: minutes,
        ...figures(some),
      })),
    ),
    by_pocket: groups(
      [...new Set(chosen.map(({ pocket_id }) => pocket_id))].sort(),
      (row) => row.pocket_id,
    ).map(({ key, some }) => ({ pocket_id: key, ...figures(some) })),
    calibration: Array.from({ length: 10 }, (_, tenth) => {
      const some = judged.filter(({ confidence }) => Math.min(9, Math.floor(confidence * 10)) === tenth);
      return {
        bucket: `0.${tenth}-${tenth === 9 ? '1.0' : `0.${tenth + 1}`}`,
        predictions: some.length,
        observed_accuracy: hitRate(some),
        delta: gap(
          hitRate(some),
          mean(some, ({ confidence }) => confidence),
        ),
      };
    }),
    error_taxonomy: errorTypes.map((type) => ({
      type,
      count: rows.filter((row) => row.error_type === type).length,
    })),
    weighted_by_mqs: {
      accuracy: weight > 0 ? round(sum(judged, (row) => (isHit(row) ? (row.mqs ?? 0) : 0)) / weight) : null,
    },
  };
}

/** The calm probability of state forecasts by horizon and tenth, and what was observed. */
export const referenceCalm = (rows: Rows) =>
  [60, 120, 180].flatMap((horizon_minutes) => {
    const own = rows.filter(
      ({ generator, was_calm }) => generator === `pocket_projection_${horizon_minutes}m` && was_calm !== null,
    );
    const figures = (some: Rows) => ({
      n: some.length,
      stated: mean(some, ({ calm_probability }) => calm_probability ?? Number.NaN),
      was_calm: mean(some, ({ was_calm }) => was_calm ?? Number.NaN),
    });
    const tenths = Array.from({ length: 10 }, (_, tenth) => {
      const some = own.filter(
        ({ calm_probability: p }) => Math.min(9, Math.floor(Math.round((p ?? 0) * 1000) / 100)) === tenth,
      );
      return {
        from: tenth / 10,
        ...figures(some),
        waking_hours: figures(some.filter(isAwake)),
      };
    });
    return own.length ? [{ horizon_minutes, tenths }] : [];
  });

/** At least a hundredth above the naive baseline, and above persistence where it exists. */
function skill(scored: Rows) {
  if (scored.length < 100) return null;
  const isAhead = (some: Rows, score: Score) => {
    const [own, other] = [
      some.filter((row) => isHit(row)).length,
      some.filter((row) => isHit(row, score)).length,
    ];
    return !some.length || (own - other) / some.length >= 0.01;
  };
  const persisting = scored.filter((row) => row.persistence_score !== null);
  return isAhead(scored, 'baseline_score') && isAhead(persisting, 'persistence_score') ? 'some' : 'none';
}
