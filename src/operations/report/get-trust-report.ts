import Type, { type Static } from 'typebox';
import { gateClosedBy, reasonText, type SilenceReason } from '../../domain/decision/silence-reason.ts';
import { accuracyOverview, appliedFilter } from '../../domain/prediction/accuracy-report.ts';
import { comparisonText, partsText, splitText } from '../../domain/prediction/accuracy-text.ts';
import { errorTypes } from '../../domain/prediction/error-taxonomy.ts';
import {
  type ForecastKey,
  type Origin,
  type OverviewRow,
  overviewSums,
} from '../../domain/prediction/forecast-sums.ts';
import { vindicationRate } from '../../domain/stats/counts.ts';
import { roundedShare, type Sums, sumRows, totalsOfRows } from '../../domain/stats/rollup.ts';
import { wakingTime, wakingTimeText } from '../../domain/stats/waking-time.ts';
import { countText } from '../../domain/text/count-text.ts';
import { namedWindow, slotSpan } from '../../domain/time/window.ts';
import { cellSums, cellsText, decisionCells, failedOutcomes } from '../../domain/verdict/decision-cells.ts';
import { readSums, sumsByOrigin } from '../../store/rollup/read-rollups.ts';
import {
  forecastRollup,
  outcomeRollup,
  pocketRollup,
  reasonRollup,
  tierRollup,
} from '../../store/rollup/tables.ts';
import { count, countField, nullable, unit, unitField } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { rowsOfAll } from '../core/rows-of-all.ts';
import {
  closedGate,
  decisionsJudged,
  pauseCounts,
  pocketDecisionsJudged,
  reasonFields,
  tier,
  wakingTimeField,
} from '../decision/decision-fields.ts';
import {
  accuracySplit,
  baselines,
  comparedAccuracy,
  declaredFilter,
  originSplit,
  partsOfDay,
  unfilteredAccuracy,
} from '../prediction/accuracy-fields.ts';
import { generatorName } from '../prediction/prediction-fields.ts';

const silenceSums = ['silences', 'vindicated', 'missed', 'unjudged'] as const;

const window = Type.Enum(['7d', '14d', '30d']);
const report = Type.Object({
  window,
  signals_emitted: Type.Object({
    total: count,
    by_tier: Type.Array(Type.Object({ tier, count })),
  }),
  signals_withheld: Type.Object({
    total: count,
    by_gate: Type.Array(Type.Object({ gate: closedGate, count })),
    by_reason: Type.Array(Type.Object({ ...reasonFields, count })),
  }),
  ...pauseCounts,
  predictions: Type.Object({
    total_sealed: count,
    total_revealed: countField('forecasts that were scored'),
    overall_accuracy: nullable(unitField('of the forecasts that pass the filter')),
    overall_count: countField('scored forecasts that pass the filter'),
    filter: Type.Object(declaredFilter),
    ...partsOfDay(comparedAccuracy),
    ...accuracySplit,
    ...unfilteredAccuracy,
    baselines,
    by_generator: Type.Array(
      Type.Object({
        generator: generatorName,
        sealed: count,
        n: countField('revealed with a score'),
        accuracy: nullable(unit),
      }),
    ),
  }),
  silence_correctness: Type.Object({
    total_revealed: count,
    vindicated: count,
    missed: count,
    vindication_rate: Type.Union([unit, Type.Null()], {
      description: 'share of the silences judged that were right, in waking hours',
    }),
    inconclusive_count: count,
    ...originSplit({ n: count, vindication_rate: nullable(unit) }),
  }),
  failure_analysis: Type.Array(
    Type.Union([
      Type.Object({ kind: Type.Literal('missed_silence'), gate: closedGate, count }),
      Type.Object({
        kind: Type.Literal('failed_line'),
        outcome: Type.Enum([...failedOutcomes], { description: 'what became of the line' }),
        count,
      }),
      Type.Object({ kind: Type.Enum([...errorTypes]), count }),
    ]),
  ),
  waking_time: wakingTimeField,
  decisions_judged: decisionsJudged,
  per_pocket: pocketDecisionsJudged,
});

export const getTrustReport = defineOperation({
  name: 'get_trust_report',
  title: 'Trust report',
  description:
    'Tells how often the service spoke, how often it held back, and how often that was right. Use it to decide how far to rely on it. Returns signals_emitted {total, by_tier}, signals_withheld {total, by_gate, by_reason}, which counts only decisions in waking hours, already_speaking_count and quiet_hours_count beside it, predictions {total_sealed, total_revealed, overall_accuracy of the overall_count that pass filter as in the accuracy report, state_forecasts and all_forecasts {accuracy, baseline, n} without it, by_generator}, silence_correctness {total_revealed, vindicated, missed, vindication_rate, inconclusive_count}, both with sealed_before_outcome and written_afterwards beside them, and failure_analysis, a count for each kind of failure: silences that were wrong, by gate, lines that failed, by outcome, and forecasts that missed, by cause; waking_time {minutes_said, minutes_silent, share_said} is restraint in time: how much of waking time a line was live; decisions_judged {spoke_served, spoke_failed, silent_right, silent_wrong, inconclusive} counts lines and silences by their verdict, in all and per_pocket. A forecast is right from an accuracy of 0.5; those on trial are left out. Nothing to average gives null.',
  input: {
    window: Type.Enum(window.enum, { default: '7d', description: 'how far back' }),
  },
  output: report,
  rows: (asked, registry) => 300 + rowsOfAll(asked, registry),
  load: async ({ window }, { store, now }) => {
    const span = slotSpan(namedWindow(window, now));
    return {
      tiers: await readSums(store, tierRollup, span, { by: ['tier'], sums: ['emissions'] }),
      reasons: await readSums(store, reasonRollup, span, { by: ['reason'], sums: silenceSums }),
      pockets: await readSums(store, pocketRollup, span, {
        by: ['pocket_id'],
        sums: ['already_speaking', 'quiet_hours', ...cellSums],
      }),
      outcomes: await readSums(store, outcomeRollup, span, { by: ['outcome'], sums: ['lines'] }),
      verdicts: await sumsByOrigin(store, reasonRollup, span, { by: [], sums: ['vindicated', 'missed'] }),
      forecasts: await sumsByOrigin(store, forecastRollup, span, {
        by: ['generator', 'prediction_type'],
        sums: ['revealed', 'open', ...overviewSums, ...errorTypes],
        only: { shadow: 0 },
      }),
    };
  },
  shape: (found, { window }) => {
    const tiers = byName(found.tiers, ({ tier }) => tier);
    const reasons = byName(found.reasons, ({ reason }) => reason);
    const gates = byName(sumByGate(reasons), ({ gate }) => gate);
    const forecasts = byName(found.forecasts, ({ generator }) => generator);
    const misses = errorTypes.map((kind) => ({ kind, count: sumRows(forecasts, kind) }));
    const [vindicated, missed] = [sumRows(gates, 'vindicated'), sumRows(gates, 'missed')];
    const wrong = gates.filter((gate) => gate.missed > 0);
    const lines = new Map(found.outcomes.map(({ outcome, lines }) => [outcome, lines]));
    const failed = failedOutcomes.map((outcome) => ({
      kind: 'failed_line' as const,
      outcome,
      count: lines.get(outcome) ?? 0,
    }));
    const pockets = byName(found.pockets, ({ pocket_id }) => pocket_id);
    const pauses = totalsOfRows(pockets, ['already_speaking', 'quiet_hours']);
    return {
      window,
      signals_emitted: {
        total: sumRows(tiers, 'emissions'),
        by_tier: tiers.map(({ tier, emissions }) => ({ tier, count: emissions })),
      },
      signals_withheld: {
        total: sumRows(gates, 'silences'),
        by_gate: largestFirst(gates.map(({ gate, silences }) => ({ gate, count: silences }))),
        by_reason: largestFirst(
          reasons
            .filter(({ silences }) => silences > 0)
            .map(({ reason, silences }) => ({ reason, reason_text: reasonText[reason], count: silences })),
        ),
      },
      already_speaking_count: pauses.already_speaking,
      quiet_hours_count: pauses.quiet_hours,
      predictions: predictionFigures(forecasts),
      silence_correctness: {
        total_revealed: vindicated + missed,
        vindicated,
        missed,
        vindication_rate: vindicationRate({ vindicated, missed }),
        inconclusive_count: sumRows(gates, 'unjudged'),
        ...verdictSplit(found.verdicts),
      },
      failure_analysis: [
        ...largestFirst(
          wrong.map(({ gate, missed }) => ({ kind: 'missed_silence' as const, gate, count: missed })),
        ),
        ...largestFirst(failed.filter(({ count }) => count > 0)),
        ...largestFirst(byName(misses, ({ kind }) => kind).filter(({ count }) => count > 0)),
      ],
      waking_time: wakingTime({
        emissions: sumRows(tiers, 'emissions'),
        already_speaking: pauses.already_speaking,
        silences: sumRows(gates, 'silences'),
      }),
      decisions_judged: decisionCells(totalsOfRows(pockets, cellSums)),
      per_pocket: pockets.map((sums) => ({
        pocket_id: sums.pocket_id,
        decisions_judged: decisionCells(sums),
      })),
    };
  },
  speak: ({ window, signals_emitted, signals_withheld, predictions, ...others }) =>
    [
      `over the last ${window}, forecasts: ${splitText(predictions.all_forecasts)}.`,
      `${wakingTimeText(others.waking_time)}.`,
      `in waking hours ${signals_emitted.total} said, ${signals_withheld.total} held back; ${cellsText(others.decisions_judged)}.`,
      ...failuresText(others.failure_analysis),
      `counted apart: ${countText(others.already_speaking_count, 'quarter hour')} with a line still live, ${others.quiet_hours_count} at night.`,
      ...forecastText(predictions),
    ].join(' '),
  rest: { path: '/api/trust' },
});

type ReasonSums = { reason: SilenceReason } & Sums<(typeof silenceSums)[number]>;

/** The sums of all reasons that close the same gate. */
const sumByGate = (reasons: readonly ReasonSums[]) =>
  [...Map.groupBy(reasons, ({ reason }) => gateClosedBy(reason))].map(([gate, rows]) => ({
    gate,
    ...totalsOfRows(rows, silenceSums),
  }));

/** The sort is stable: rows with equal counts stay in the order of their names. */
const largestFirst = <T extends { count: number }>(rows: readonly T[]): T[] =>
  rows.toSorted((a, b) => b.count - a.count);

const byName = <T>(rows: readonly T[], nameOf: (row: T) => string): T[] =>
  rows.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));

type Forecasts = Pick<ForecastKey, 'generator'> & OverviewRow & Sums<'revealed' | 'open'>;

function predictionFigures(forecasts: readonly Forecasts[]) {
  const { headline, baseline: _ofTheFilter, ...others } = accuracyOverview(forecasts);
  return {
    total_sealed: sumRows(forecasts, 'revealed') + sumRows(forecasts, 'open'),
    total_revealed: others.all_forecasts.n,
    overall_accuracy: headline.overall_accuracy,
    overall_count: headline.revealed_count,
    filter: appliedFilter(),
    ...others,
    by_generator: [...Map.groupBy(forecasts, ({ generator }) => generator)].map(([generator, own]) => ({
      generator,
      sealed: sumRows(own, 'revealed') + sumRows(own, 'open'),
      n: sumRows(own, 'scored'),
      accuracy: roundedShare(sumRows(own, 'hits'), sumRows(own, 'scored')),
    })),
  };
}

/** In which ways lines failed, and which gate was closed at the silences that were wrong. */
function failuresText(failures: Static<typeof report>['failure_analysis']): string[] {
  const [lines, silences]: string[][] = [[], []];
  for (const failure of failures) {
    if (failure.kind === 'failed_line')
      lines?.push(`${failure.count} ${failure.outcome.replaceAll('_', ' ')}`);
    else if (failure.kind === 'missed_silence') silences?.push(`${failure.count} by ${failure.gate}`);
  }
  return [
    ...(lines?.length ? [`lines that failed: ${lines.join(', ')}.`] : []),
    ...(silences?.length
      ? [`silences that were wrong, by the gate that closed: ${silences.join(', ')}.`]
      : []),
  ];
}

/** All state forecasts, then the confident ones of every kind. */
function forecastText({ state_forecasts: state, ...all }: ReturnType<typeof predictionFigures>): string[] {
  const sealed = `${countText(all.total_sealed, 'forecast')} sealed`;
  if (!all.total_revealed) return [`${sealed}, none revealed yet.`];
  const compared = comparisonText(all.baselines);
  const { min_confidence, min_completeness } = all.filter;
  return [
    `${sealed}, ${all.total_revealed} scored.`,
    ...(state.n
      ? [`of ${state.n} state forecasts ${state.accuracy} came true, ${partsText(state)}: ${compared}.`]
      : []),
    `with confidence from ${min_confidence} and completeness from ${min_completeness}: ${all.overall_accuracy ?? 'none'} of ${all.overall_count} came true${all.overall_count ? `, ${partsText(all)}` : ''}.`,
  ];
}

/** The verdicts on silences that were sealed before their outcome, and on those written afterwards. */
function verdictSplit(rows: readonly (Origin & Sums<'vindicated' | 'missed'>)[]) {
  const of = (isBackfilled: boolean) => {
    const own = rows.filter(({ backfilled }) => backfilled === isBackfilled);
    const counts = { vindicated: sumRows(own, 'vindicated'), missed: sumRows(own, 'missed') };
    return { n: counts.vindicated + counts.missed, vindication_rate: vindicationRate(counts) };
  };
  return { sealed_before_outcome: of(false), written_afterwards: of(true) };
}
