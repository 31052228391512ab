/** The monthly report of restraint, over the whole network (docs/formulas.md, "State of restraint"). */

import { reasonText, type SilenceReason } from '../decision/silence-reason.ts';
import { type AppliedFilter, accuracyOverview, appliedFilter } from '../prediction/accuracy-report.ts';
import type { OverviewRow } from '../prediction/forecast-sums.ts';
import { round } from '../stats/unit-scale.ts';
import { totalDuration } from '../text/duration.ts';
import type { Zone } from '../time/zone.ts';
import { linesJudged, silencesJudged } from '../verdict/decision-cells.ts';
import type { DecisionCells } from '../verdict/verdict.ts';

/** Totals of the whole network over a month. */
export interface RestraintMonth {
  emitted: number;
  withheld: number;
  /** Quarter hours at which nothing was decided. */
  already_speaking: number;
  quiet_hours: number;
  judged: DecisionCells;
  attention_minutes: number;
  /** Sums of the forecasts sealed in the month, without shadow ones. */
  forecasts: readonly OverviewRow[];
  /** The wrong silence with the highest legitimacy. */
  worst: JudgedSilence | null;
  /** The vindicated silence that preserved the most attention. */
  best: JudgedSilence | null;
  /** The line that failed with the highest legitimacy. */
  worst_line: FailedLine | null;
}

/** `verdict_reason`: why it failed, as the end of a sentence. */
export interface FailedLine {
  pocket_id: string;
  slot: number;
  legitimacy_score: number;
  verdict_reason: string;
}

export interface JudgedSilence {
  pocket_id: string;
  slot: number;
  reason: SilenceReason;
  legitimacy_score: number;
  attention_minutes_preserved: number;
  verdict_reason: string;
}

/** What stands beside `accuracy`: its filter, its split, and the accuracy without the filter. */
export interface MonthForecasts extends Omit<ReturnType<typeof accuracyOverview>, 'headline' | 'baseline'> {
  filter: AppliedFilter;
}

/** Null: nothing to average. */
export interface RestraintReport {
  signals_emitted_count: number;
  signals_withheld_count: number;
  already_speaking_count: number;
  quiet_hours_count: number;
  accuracy: number | null;
  naive_baseline_accuracy: number | null;
  gap_points: number | null;
  forecasts: MonthForecasts;
  silence_correctness_rate: number | null;
  attention_minutes_preserved: number;
  counterfactual_count: number;
  narrative_top_failure: string | null;
  narrative_top_success: string | null;
  decisions_judged: DecisionCells;
}

export function restraintReport(month: RestraintMonth, zone: Zone): RestraintReport {
  const { emitted, withheld, judged, attention_minutes, forecasts } = month;
  const { headline, baseline, ...others } = accuracyOverview(forecasts);
  const accuracy = headline.overall_accuracy;
  const naive_baseline_accuracy = baseline.baseline_accuracy;
  return {
    signals_emitted_count: emitted,
    signals_withheld_count: withheld,
    already_speaking_count: month.already_speaking,
    quiet_hours_count: month.quiet_hours,
    accuracy,
    naive_baseline_accuracy,
    gap_points: pointsBetween(accuracy, naive_baseline_accuracy),
    forecasts: { filter: appliedFilter(), ...others },
    silence_correctness_rate: silencesJudged(judged).share,
    attention_minutes_preserved: round(attention_minutes, 1),
    // Every silence is sealed with its candidate line.
    counterfactual_count: withheld,
    narrative_top_failure: joinSentences([wrongSilences(month, zone), failedLines(month, zone)]),
    narrative_top_success: joinSentences([rightSilences(month, zone), servedLines(judged)]),
    decisions_judged: judged,
  };
}

/** Percentage points. */
const pointsBetween = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : round(100 * (a - b), 1);

/** Null when nothing was judged. */
const joinSentences = (sentences: readonly (string | null)[]): string | null =>
  sentences.filter((sentence) => sentence !== null).join(' ') || null;

function wrongSilences({ worst, judged }: RestraintMonth, zone: Zone): string | null {
  const { n } = silencesJudged(judged);
  if (!n) return null;
  if (!worst) return `none of ${n} silences judged was found wrong.`;
  return `${silenceText(worst, zone)}, though legitimacy stood at ${worst.legitimacy_score}; ${worst.verdict_reason}. ${judged.silent_wrong} of ${n} silences judged were wrong.`;
}

function rightSilences({ best, judged }: RestraintMonth, zone: Zone): string | null {
  const { n } = silencesJudged(judged);
  if (!n) return null;
  if (!best) return `none of ${n} silences judged was found right.`;
  return `${silenceText(best, zone)}; ${best.verdict_reason}, and an estimated ${totalDuration(best.attention_minutes_preserved)} of attention were preserved. ${judged.silent_right} of ${n} silences judged were right.`;
}

function failedLines({ worst_line: worst, judged }: RestraintMonth, zone: Zone): string | null {
  const { n } = linesJudged(judged);
  if (!n) return null;
  if (!worst) return `none of ${n} lines judged failed.`;
  return `a line about ${worst.pocket_id} was said at ${zone.clockWithZone(worst.slot)} on ${zone.localDate(worst.slot)} with a legitimacy of ${worst.legitimacy_score}; ${worst.verdict_reason}. ${judged.spoke_failed} of ${n} lines judged failed.`;
}

function servedLines(judged: DecisionCells): string | null {
  const { n, right } = linesJudged(judged);
  return n ? `${right} of ${n} lines judged served.` : null;
}

const silenceText = ({ pocket_id, slot, reason }: JudgedSilence, zone: Zone): string =>
  `${pocket_id} was left in silence at ${zone.clockWithZone(slot)} on ${zone.localDate(slot)} (${reasonText[reason]})`;
