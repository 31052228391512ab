import Type from 'typebox';
import { printable } from '../../domain/text/printable.ts';
import { dayNames, weekNamed } from '../../domain/time/periods.ts';
import { iso } from '../../domain/time/slot.ts';
import { reportedPeriods, weeklyReports } from '../../store/report/report-reads.ts';
import type { StoredWeek } from '../../store/report/reports.ts';
import { count, date, nullable, primaryState, timestamp, unit } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { pocketId, weekIso } from '../core/fields.ts';
import { mqsBand } from '../decision/decision-fields.ts';
import { comparedWith, setsApart, week } from './report-fields.ts';

const metrics = Type.Object({
  atmosphere_score: Type.Object({
    primary_state: primaryState,
    stress: unit,
    calm: unit,
    productive: unit,
    social: unit,
  }),
  quiet_window_score: Type.Object({ count, longest_minutes: nullable(count) }),
  rain_comfort_alignment: nullable(unit),
  attention_saturation: Type.Object({
    saturation: nullable(unit),
    mqs_band: nullable(mqsBand),
  }),
  stable_periods: Type.Array(
    Type.Object({
      day: Type.Enum([...dayNames]),
      hour: Type.Integer({ minimum: 0, maximum: 23 }),
      calm: unit,
      deviation: Type.Number({ minimum: 0, description: 'standard deviation of calm' }),
      network_deviation: nullable(
        Type.Number({ minimum: 0, description: 'the same, mean of the other pockets in this hour' }),
      ),
    }),
  ),
});

/** A stored weekly report; it is composed once and never changed. */
export const weekReport = Type.Object({
  pocket_id: Type.String(),
  week_iso: week,
  composed_at: timestamp,
  metrics,
  basis: Type.Object({ readings: count, rainy_readings: count, moments: count }),
  holidays: Type.Array(
    Type.Object({
      date,
      day: Type.Enum([...dayNames]),
      name: Type.String({ description: 'what the holiday is called' }),
    }),
    { description: "the city's public holidays of the week, in order" },
  ),
  sets_apart: setsApart,
  compared_with: comparedWith,
  narrative: Type.String(),
});

export const getWeeklyReport = defineOperation({
  name: 'get_weekly_report',
  title: 'Weekly report of a pocket',
  description:
    'Reads the weekly report of a pocket, composed on Mondays at 09:00 {zone}. Use it for how a week went, or to compare weeks. Not for a month (get_state_of_pocket). Returns report {pocket_id, week_iso, composed_at, metrics {atmosphere_score, quiet_window_score, rain_comfort_alignment, attention_saturation, stable_periods}, holidays, sets_apart, narrative}, null for a week without one.',
  toolsets: ['merchant', 'record'],
  input: {
    pocket_id: pocketId,
    week_iso: Type.Optional(weekIso),
  },
  output: Type.Object({ pocket_id: Type.String(), week_iso: nullable(week), report: nullable(weekReport) }),
  seen: ({ report }, zone) => report && weekNamed(report.week_iso, zone),
  load: async ({ pocket_id, week_iso }, { store }) =>
    (await weeklyReports(store, { pocket: pocket_id, period: week_iso, limit: 1 }))[0],
  reportedPeriods: ({ pocket_id }, { store }) => reportedPeriods(store, 'weekly_reports', pocket_id),
  shape: (report, { pocket_id, week_iso }) => ({
    pocket_id,
    week_iso: report?.week_iso ?? week_iso ?? null,
    report: report ? weekShape(report) : null,
  }),
  speak: ({ report }, { pocket_id, week_iso }, zone) =>
    report?.narrative ??
    `no weekly report of ${printable(pocket_id)}${week_iso === undefined ? '' : ` for ${week_iso}`}: one is composed on monday at 09:00 ${zone.generalName}, for the week that has just ended.`,
});

export const weekShape = (report: StoredWeek) => ({
  pocket_id: report.pocket_id,
  week_iso: report.week_iso,
  composed_at: iso(report.composed_at),
  metrics: report.metrics,
  basis: report.basis,
  holidays: report.holidays,
  sets_apart: report.sets_apart,
  compared_with: report.compared_with,
  narrative: report.narrative,
});
