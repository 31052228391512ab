import Type, { type Static } from 'typebox';
import { comparisonText, leadText, partsText, splitText } from '../../domain/prediction/accuracy-text.ts';
import { type WakingTime, wakingTime, wakingTimeText } from '../../domain/stats/waking-time.ts';
import { totalDuration } from '../../domain/text/duration.ts';
import { percentText } from '../../domain/text/figures.ts';
import { monthNamed } from '../../domain/time/periods.ts';
import { iso } from '../../domain/time/slot.ts';
import { cellsText } from '../../domain/verdict/decision-cells.ts';
import { pocketCells, reportedPeriods, restraintReports } from '../../store/report/report-reads.ts';
import type { StoredRestraint } from '../../store/report/reports.ts';
import { count, nullable, timestamp, unavailable, unit } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { monthIso } from '../core/fields.ts';
import {
  attentionMinutes,
  decisionsJudged,
  pauseCounts,
  pocketDecisionsJudged,
  wakingTimeField,
} from '../decision/decision-fields.ts';
import {
  accuracySplit,
  baselines,
  comparedAccuracy,
  declaredFilter,
  partsOfDay,
  unfilteredAccuracy,
} from '../prediction/accuracy-fields.ts';
import { month } from './report-fields.ts';

/** Figures of a month, here and in list_states_of_restraint. */
export const restraintFigures = {
  signals_emitted_count: count,
  signals_withheld_count: count,
  ...pauseCounts,
  naive_baseline_accuracy: nullable(unit),
  silence_correctness_rate: Type.Union([unit, Type.Null()], {
    description: 'share of the silences judged that were right, in waking hours',
  }),
  attention_minutes_preserved: attentionMinutes,
  filter: Type.Object(declaredFilter, { description: 'which forecasts the accuracy counts' }),
  ...partsOfDay(comparedAccuracy),
  ...accuracySplit,
  ...unfilteredAccuracy,
  baselines,
  waking_time: wakingTimeField,
  decisions_judged: decisionsJudged,
};

/** Restraint in time follows from the counts that were stored with the report. */
export const reportWakingTime = (report: StoredRestraint): WakingTime =>
  wakingTime({
    emissions: report.signals_emitted_count,
    already_speaking: report.already_speaking_count,
    silences: report.signals_withheld_count,
  });

export const restraintNarratives = {
  narrative_top_failure: nullable(Type.String()),
  narrative_top_success: nullable(Type.String()),
};

const report = Type.Object({
  month_iso: month,
  composed_at: timestamp,
  ...restraintFigures,
  accuracy: nullable(unit),
  gap_points: nullable(
    Type.Number({ description: 'accuracy less naive_baseline_accuracy, in points of a hundred' }),
  ),
  counterfactual_count: count,
  ...restraintNarratives,
  per_pocket: pocketDecisionsJudged,
});

export const getStateOfRestraint = defineOperation({
  name: 'get_state_of_restraint',
  title: 'Monthly report of restraint',
  description:
    'Reads the monthly report about all pockets together, composed on the 1st for the month before. Use it to judge the service as a whole. Not for one pocket (get_state_of_pocket). Returns what was said and withheld, accuracy, naive_baseline_accuracy, gap_points, silence_correctness_rate, attention_minutes_preserved, counterfactual_count, waking_time, decisions_judged and two narratives, or available false for a month without a report.',
  toolsets: ['record'],
  input: { month_iso: Type.Optional(monthIso) },
  output: Type.Union([report, Type.Object({ month_iso: nullable(month), available: unavailable })]),
  seen: ({ month_iso }, zone) => (month_iso === null ? null : monthNamed(month_iso, zone)),
  load: async ({ month_iso }, { store }) => {
    const [report] = await restraintReports(store, { period: month_iso, limit: 1 });
    return report && { report, per_pocket: await pocketCells(store, report.month_iso) };
  },
  reportedPeriods: (_input, { store }) => reportedPeriods(store, 'restraint_reports'),
  shape: (found, { month_iso }) => {
    if (!found) return { month_iso: month_iso ?? null, available: false as const };
    const { report, per_pocket } = found;
    const { composed_at, forecasts, ...figures } = report;
    return {
      ...figures,
      ...forecasts,
      month_iso: report.month_iso,
      composed_at: iso(composed_at),
      waking_time: reportWakingTime(report),
      per_pocket,
    };
  },
  speak: (report, { month_iso }) => {
    if ('available' in report)
      return `no report of restraint${month_iso === undefined ? ' yet' : ` for ${month_iso}`}: one is composed on the 1st for the month before.`;
    const { signals_emitted_count, signals_withheld_count } = report;
    return [
      `${report.month_iso}, forecasts: ${splitText(report.all_forecasts, shareText)}.`,
      `${wakingTimeText(report.waking_time)}.`,
      `in waking hours ${signals_emitted_count} said, ${signals_withheld_count} held back, each with the line that was not said;`,
      `${cellsText(report.decisions_judged)}; an estimated ${totalDuration(report.attention_minutes_preserved)} of attention were preserved.`,
      ...forecastText(report),
      ...(report.narrative_top_failure === null ? [] : [`top failure: ${report.narrative_top_failure}`]),
      ...(report.narrative_top_success === null ? [] : [`top success: ${report.narrative_top_success}`]),
    ].join(' ');
  },
});

const shareText = (share: number | null): string => (share === null ? 'not known' : percentText(share, 1));

/** All state forecasts, then the confident ones of every kind. */
function forecastText({ state_forecasts: state, accuracy, ...month }: Static<typeof report>): string[] {
  const naive = month.naive_baseline_accuracy;
  const compared = comparisonText(month.baselines, shareText);
  return [
    ...(state.n
      ? [
          `of ${state.n} state forecasts ${shareText(state.accuracy)} came true, ${partsText(state, shareText)}: ${compared}.`,
        ]
      : []),
    accuracy === null
      ? 'no confident forecast was scored.'
      : `confident forecasts of all kinds came true in ${shareText(accuracy)}, ${partsText(month, shareText)}: ${leadText(accuracy, naive, 'the naive baseline')} (${shareText(naive)}).`,
  ];
}
