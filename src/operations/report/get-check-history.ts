import Type from 'typebox';
import { buildCheckHistories, type CheckResults, checkDayStates } from '../../domain/report/check-history.ts';
import { type CheckName, checkNames, checkWords } from '../../domain/report/heartbeat.ts';
import { UPTIME_DAYS, uptimeStart } from '../../domain/report/uptime.ts';
import { iso } from '../../domain/time/slot.ts';
import { dailyDecisions } from '../../store/rollup/daily-decisions.ts';
import { type CheckDayRow, readCheckDays } from '../../store/runtime/check-days.ts';
import { count, date, nullable, timestamp, unit } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { loadUptime } from './get-status-history.ts';

const results = {
  green: count,
  amber: count,
  red: count,
};

export const getCheckHistory = defineOperation({
  name: 'get_check_history',
  title: 'The last 90 days of each check',
  description: `Tells what each check of /api/heartbeat found on each of the last ${UPTIME_DAYS} days. Use it to see which part of the service failed, and when. Returns {as_of, first_date, last_date, checks[] {name, unit (what results are counted in), share (of the known results that were not red), recorded_since (null without a result), days[] {date, state, green, amber, red}, oldest first}}. A day without a record is left out: nothing is known of it. A day is red with an hour or more of failure, amber with a warning or less of it. Results are recorded every quarter hour while the service runs; quarter hours that were not observed count as failures of the checks of the pipeline, and the gate pass rate is judged by the decisions of each day. Days are those of {city}.`,
  input: {},
  output: Type.Object({
    as_of: timestamp,
    first_date: date,
    last_date: date,
    checks: Type.Array(
      Type.Object({
        name: Type.Enum([...checkNames]),
        unit: Type.Enum(['quarter_hours', 'days']),
        share: nullable(unit),
        recorded_since: nullable(date),
        days: Type.Array(
          Type.Object({
            date,
            state: Type.Enum(checkDayStates.filter((s) => s !== 'no_record')),
            ...results,
          }),
        ),
      }),
    ),
  }),
  // Today's results change within the quarter hour.
  cache: false,
  load: async (_input, context) => {
    const { store, now, zone } = context;
    const start = uptimeStart(now, zone);
    const starts = Array.from({ length: UPTIME_DAYS + 1 }, (_, at) => zone.startOfDay(start, at));
    const [{ uptime }, rows, made] = await Promise.all([
      loadUptime(context),
      readCheckDays(store, start, now),
      dailyDecisions(store, starts),
    ]);
    const recorded = new Map<CheckName, Map<string, CheckResults>>();
    for (const [name, own] of Map.groupBy(rows, (row: CheckDayRow) => row.name))
      recorded.set(name, new Map(own.map((row) => [zone.localDate(row.day), row])));
    const decisions = new Map(made.map((day, at) => [zone.localDate(starts[at] ?? now), day]));
    return { now, days: uptime.days, recorded, decisions };
  },
  shape: ({ now, ...input }) => ({
    as_of: iso(now),
    first_date: input.days[0]?.date ?? '',
    last_date: input.days.at(-1)?.date ?? '',
    checks: buildCheckHistories(input).map(({ days, ...history }) => ({
      ...history,
      days: days.flatMap(({ state, ...day }) => (state === 'no_record' ? [] : [{ ...day, state }])),
    })),
  }),
  speak: ({ checks }) => {
    const known = checks.flatMap(({ name, share }) => (share === null ? [] : [{ name, share }]));
    const failed = known.filter(({ share }) => share < 1);
    const missing = checks.length - known.length;
    return [
      failed.length
        ? `checks that failed in the last ${UPTIME_DAYS} days: ${failed.map(({ name, share }) => `${checkWords(name).toLowerCase()} (${share} without a failure)`).join(', ')}.`
        : `no check failed in what is recorded of the last ${UPTIME_DAYS} days.`,
      ...(missing ? [`${missing} of ${checks.length} checks have no record yet.`] : []),
    ].join(' ');
  },
  rest: { path: '/api/check-history' },
});
