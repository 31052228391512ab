import Type from 'typebox';
import { comfortSignals } from '../../domain/atmosphere/comfort.ts';
import { printable } from '../../domain/text/printable.ts';
import { dayNames, monthNamed } from '../../domain/time/periods.ts';
import { iso } from '../../domain/time/slot.ts';
import { pocketReports, reportedPeriods } from '../../store/report/report-reads.ts';
import type { StoredMonth } from '../../store/report/reports.ts';
import { count, nullable, timestamp, unit } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { monthIso, pocketId } from '../core/fields.ts';
import { decisionsJudged } from '../decision/decision-fields.ts';
import { comparedWith, month, setsApart } from './report-fields.ts';

const observations = Type.Object({
  most_stable_day: nullable(
    Type.Object({
      day: Type.Enum([...dayNames]),
      deviation: Type.Number({ minimum: 0, description: 'mean standard deviation of calm in its hours' }),
      network_deviation: Type.Number({ minimum: 0, description: 'the same, of the other pockets' }),
    }),
  ),
  strongest_comfort: nullable(
    Type.Object({
      signal: Type.Enum([...comfortSignals]),
      comfort: unit,
      network_comfort: Type.Number({ ...unit, description: 'the same, of all pockets' }),
    }),
  ),
  strongest_calm_window: nullable(
    Type.Object({
      label: Type.String({ description: 'such as sunday 07:00-08:00' }),
      calm: unit,
      network_calm: Type.Number({ ...unit, description: 'mean of the other pockets in the same hour' }),
      difference: Type.Number({
        minimum: -1,
        maximum: 1,
        description: 'calm minus network_calm; below zero where the pocket was never the calmer',
      }),
    }),
  ),
  anomaly_count: count,
  network_anomaly_count: nullable(Type.Number({ minimum: 0, description: 'mean of the other pockets' })),
  sets_apart: setsApart,
  compared_with: comparedWith,
});

/** A stored monthly report; it is composed once and never changed. */
export const monthReport = Type.Object({
  composed_at: timestamp,
  readings: count,
  observations: nullable(observations),
  narrative: Type.String(),
  decisions_judged: decisionsJudged,
});

export const getStateOfPocket = defineOperation({
  name: 'get_state_of_pocket',
  title: 'Monthly report of a pocket',
  description:
    'Reads the monthly report of a pocket, composed on the 1st for the month before. Use it for what a pocket is like over weeks. Not for one week (get_weekly_report) or all pockets (get_state_of_restraint). Returns pocket_id, month_iso and report {composed_at, readings, observations, narrative, decisions_judged}; observations are null with too few readings, report is null for a month without one.',
  toolsets: ['record'],
  input: { pocket_id: pocketId, month_iso: Type.Optional(monthIso) },
  output: Type.Object({
    pocket_id: Type.String(),
    month_iso: nullable(month),
    report: nullable(monthReport),
  }),
  seen: ({ report, month_iso }, zone) => (report && month_iso ? monthNamed(month_iso, zone) : null),
  load: async ({ pocket_id, month_iso }, { store }) =>
    (await pocketReports(store, { pocket: pocket_id, period: month_iso, limit: 1 }))[0],
  reportedPeriods: ({ pocket_id }, { store }) => reportedPeriods(store, 'pocket_reports', pocket_id),
  shape: (report, { pocket_id, month_iso }) => ({
    pocket_id,
    month_iso: report?.month_iso ?? month_iso ?? null,
    report: report ? monthShape(report) : null,
  }),
  speak: ({ report }, { pocket_id, month_iso }) =>
    report?.narrative ??
    `no monthly report of ${printable(pocket_id)}${month_iso === undefined ? '' : ` for ${month_iso}`}: one is composed on the 1st for the month before.`,
});

export const monthShape = ({ composed_at, readings, observations, ...month }: StoredMonth) => ({
  composed_at: iso(composed_at),
  readings,
  observations,
  narrative: month.narrative,
  decisions_judged: month.decisions_judged,
});
