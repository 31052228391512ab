// Monthly reports of the network over REST; the tool for one month is get_state_of_restraint.

import Type from 'typebox';
import { countText } from '../../domain/text/count-text.ts';
import { iso } from '../../domain/time/slot.ts';
import { pocketCells, reportedPeriods, restraintReports } from '../../store/report/report-reads.ts';
import { nullable, timestamp, unit } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { monthIso, wholeNumber } from '../core/fields.ts';
import { cutPeriods, textPosition } from '../core/list-options.ts';
import { pocketDecisionsJudged } from '../decision/decision-fields.ts';
import { reportWakingTime, restraintFigures, restraintNarratives } from './get-state-of-restraint.ts';
import { month } from './report-fields.ts';

const report = Type.Object({
  month_iso: month,
  composed_at: timestamp,
  metrics: Type.Object({ ...restraintFigures, accuracy_high_confidence: nullable(unit) }),
  ...restraintNarratives,
  per_pocket: Type.Optional(pocketDecisionsJudged),
});

export const listStatesOfRestraint = defineOperation({
  name: 'list_states_of_restraint',
  title: 'Monthly reports of restraint',
  description:
    'Lists the monthly reports of the whole network, newest first. Use it to see whether the service gets better at holding back. Returns reports, each {month_iso, composed_at, metrics {signals_emitted_count, signals_withheld_count, already_speaking_count, quiet_hours_count, accuracy_high_confidence, naive_baseline_accuracy, silence_correctness_rate, attention_minutes_preserved; filter of the accuracy, its split sealed_before_outcome and written_afterwards {n, accuracy}, all_forecasts and state_forecasts {accuracy, baseline, n}, waking_time {minutes_said, minutes_silent, share_said}: restraint in time, decisions_judged {spoke_served, spoke_failed, silent_right, silent_wrong, inconclusive}: lines and silences by their verdict}, narrative_top_failure, narrative_top_success}; with month only the report of that month, with decisions_judged per_pocket. Nothing to average gives null; a month without a report is not in the list.',
  input: {
    month_iso: Type.Optional(monthIso),
    limit: wholeNumber(1, 60, 12, 'maximum months, where no month is given'),
  },
  output: Type.Object({ reports: Type.Array(report) }),
  list: 'reports',
  position: { before: textPosition },
  load: async ({ month_iso, limit }, { store }, from) => ({
    ...cutPeriods(
      await restraintReports(store, { period: month_iso, limit: limit + 1, before: from?.before }),
      ({ month_iso }) => month_iso,
      limit,
    ),
    per_pocket: month_iso === undefined ? undefined : await pocketCells(store, month_iso),
  }),
  next: ({ last }) => last,
  reportedPeriods: (_input, { store }) => reportedPeriods(store, 'restraint_reports'),
  shape: ({ rows, per_pocket }) => ({
    reports: rows.map((row) => ({
      month_iso: row.month_iso,
      composed_at: iso(row.composed_at),
      metrics: {
        signals_emitted_count: row.signals_emitted_count,
        signals_withheld_count: row.signals_withheld_count,
        already_speaking_count: row.already_speaking_count,
        quiet_hours_count: row.quiet_hours_count,
        accuracy_high_confidence: row.accuracy,
        naive_baseline_accuracy: row.naive_baseline_accuracy,
        silence_correctness_rate: row.silence_correctness_rate,
        attention_minutes_preserved: row.attention_minutes_preserved,
        ...row.forecasts,
        waking_time: reportWakingTime(row),
        decisions_judged: row.decisions_judged,
      },
      narrative_top_failure: row.narrative_top_failure,
      narrative_top_success: row.narrative_top_success,
      ...(per_pocket ? { per_pocket } : {}),
    })),
  }),
  speak: ({ reports }) =>
    reports.length
      ? `${countText(reports.length, 'report')} of restraint, the newest of ${reports[0]?.month_iso}.`
      : 'no reports of restraint.',
  rest: { path: '/api/state-of-restraint', names: { month_iso: 'month' } },
});
