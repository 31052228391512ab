// Weekly reports over REST; the tool for one week of a pocket is get_weekly_report.
import Type from 'typebox';
import { reportedPeriods, weeklyReports } from '../../store/report/report-reads.ts';
import { nullable } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { pocketId, weekIso, wholeNumber } from '../core/fields.ts';
import { cutPeriods, textPosition } from '../core/list-options.ts';
import { weekReport, weekShape } from './get-weekly-report.ts';

export const listWeeklyReports = defineOperation({
  name: 'list_weekly_reports',
  title: 'Weekly reports',
  description:
    'Lists weekly reports, newest week first and then by pocket. Use it to follow one pocket from week to week, or to set all pockets side by side. Returns reports, each {pocket_id, week_iso, composed_at, metrics, basis, holidays, sets_apart, compared_with, narrative}, and report, the first of them (null when there is none). With week the reports of that week; without, those of the latest weeks, as many as limit says.',
  input: {
    pocket_id: Type.Optional(pocketId),
    week_iso: Type.Optional(weekIso),
    limit: wholeNumber(1, 26, 4, 'maximum weeks, where no week is given'),
    first: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        description: 'maximum reports: of the newest weeks, by pocket',
      }),
    ),
  },
  output: Type.Object({ report: nullable(weekReport), reports: Type.Array(weekReport) }),
  list: 'reports',
  position: { before: textPosition },
  load: async ({ pocket_id, week_iso, limit, first }, { store }, from) =>
    cutPeriods(
      await weeklyReports(store, {
        pocket: pocket_id,
        period: week_iso,
        limit: limit + 1,
        before: from?.before,
        rows: first,
      }),
      ({ week_iso }) => week_iso,
      limit,
    ),
  next: ({ last }) => last,
  reportedPeriods: ({ pocket_id }, { store }) => reportedPeriods(store, 'weekly_reports', pocket_id),
  shape: ({ rows }) => {
    const reports = rows.map(weekShape);
    return { report: reports[0] ?? null, reports };
  },
  speak: ({ report, reports }) =>
    report ? `${reports.length} weekly reports; the first: ${report.narrative}` : 'no weekly reports.',
  rest: { path: '/api/reports/weekly', names: { pocket_id: 'pocket', week_iso: 'week' } },
});
