// Monthly reports of a pocket over REST; the tool for one month is get_state_of_pocket.
import Type from 'typebox';
import { pocketReports, reportedPeriods } from '../../store/report/report-reads.ts';
import { nullable } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { monthIso, pocketId, wholeNumber } from '../core/fields.ts';
import { cutPeriods, textPosition } from '../core/list-options.ts';
import { monthReport, monthShape } from './get-state-of-pocket.ts';
import { month } from './report-fields.ts';

export const listStatesOfPocket = defineOperation({
  name: 'list_states_of_pocket',
  title: 'Monthly reports of a pocket',
  description:
    'Reads the monthly reports of a pocket, newest first. Use it to follow a pocket from month to month. Returns pocket_id, month_iso and report {composed_at, readings, observations, narrative, decisions_judged {spoke_served, spoke_failed, silent_right, silent_wrong, inconclusive}} of the month asked for or of the latest, and reports, the latest months with their month_iso, as many as limit says. Below the floor of 672 readings observations is null and the narrative says so; a month without a report gives report null.',
  input: {
    pocket_id: pocketId,
    month_iso: Type.Optional(monthIso),
    limit: wholeNumber(1, 24, 6, 'maximum months, where no month is given'),
  },
  output: Type.Object({
    pocket_id: Type.String(),
    month_iso: nullable(month),
    report: nullable(monthReport),
    reports: Type.Array(Type.Object({ month_iso: month, ...monthReport.properties })),
  }),
  list: 'reports',
  position: { before: textPosition },
  load: async ({ pocket_id, month_iso, limit }, { store }, from) =>
    cutPeriods(
      await pocketReports(store, {
        pocket: pocket_id,
        period: month_iso,
        limit: limit + 1,
        before: from?.before,
      }),
      ({ month_iso }) => month_iso,
      limit,
    ),
  next: ({ last }) => last,
  reportedPeriods: ({ pocket_id }, { store }) => reportedPeriods(store, 'pocket_reports', pocket_id),
  shape: ({ rows }, { pocket_id, month_iso }) => {
    const [first] = rows;
    return {
      pocket_id,
      month_iso: first?.month_iso ?? month_iso ?? null,
      report: first ? monthShape(first) : null,
      reports: rows.map((row) => ({ month_iso: row.month_iso, ...monthShape(row) })),
    };
  },
  speak: ({ report, reports }) =>
    report ? `${reports.length} monthly reports; the newest: ${report.narrative}` : 'no monthly reports.',
  rest: { path: '/api/state-of-pocket', names: { pocket_id: 'pocket', month_iso: 'month' } },
});
