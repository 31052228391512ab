import type { Zone } from '../../domain/time/zone.ts';
import type { DecisionCells } from '../../domain/verdict/verdict.ts';
import type { Reader, Value } from '../engine/store.ts';
import { firstStoredReading } from '../observation/readings.ts';
import type { StoredMonth, StoredRestraint, StoredWeek } from './reports.ts';

/** Which reports: of one period, or of the latest `limit` periods before `before`; of one pocket, or of all. */
export interface ReportFilter {
  pocket?: string | undefined;
  period?: string | undefined;
  limit: number;
  before?: string | undefined;
  /** Reports at most, in their order; all where it is not given. */
  rows?: number | undefined;
}

/** Newest first, then by pocket. */
export async function weeklyReports(store: Reader, filter: ReportFilter): Promise<StoredWeek[]> {
  type Json = 'metrics' | 'basis' | 'holidays' | 'sets_apart' | 'compared_with';
  type Row = Omit<StoredWeek, Json> & Record<Json, string>;
  const [where, params] = selection('weekly_reports', 'week_iso', filter);
  const rows = await store.all<Row>(
    `select week_iso, pocket_id, composed_at, metrics, basis, holidays, sets_apart, compared_with, narrative
     from weekly_reports where ${where} order by week_iso desc, pocket_id${filter.rows === undefined ? '' : ' limit ?'}`,
    ...params,
    ...(filter.rows === undefined ? [] : [filter.rows]),
  );
  return rows.map((row) => ({
    ...row,
    metrics: JSON.parse(row.metrics),
    basis: JSON.parse(row.basis),
    holidays: JSON.parse(row.holidays),
    sets_apart: JSON.parse(row.sets_apart),
    compared_with: JSON.parse(row.compared_with),
  }));
}

/** Newest first, then by pocket. */
export async function pocketReports(store: Reader, filter: ReportFilter): Promise<StoredMonth[]> {
  type Row = Omit<StoredMonth, 'observations' | 'decisions_judged'> & {
    observations: string | null;
    decisions_judged: string;
  };
  const [where, params] = selection('pocket_reports', 'month_iso', filter);
  const rows = await store.all<Row>(
    `select month_iso, pocket_id, composed_at, readings, observations, narrative, decisions_judged
     from pocket_reports
     where ${where} order by month_iso desc, pocket_id`,
    ...params,
  );
  return rows.map((row) => ({
    ...row,
    observations: row.observations && JSON.parse(row.observations),
    decisions_judged: JSON.parse(row.decisions_judged),
  }));
}

export interface PocketCells {
  pocket_id: string;
  decisions_judged: DecisionCells;
}

/** The four cells of each pocket in a month that has a report, by pocket. */
export async function pocketCells(store: Reader, month_iso: string): Promise<PocketCells[]> {
  const rows = await store.all<{ pocket_id: string; decisions_judged: string }>(
    'select pocket_id, decisions_judged from pocket_reports where month_iso = ? order by pocket_id',
    month_iso,
  );
  return rows.map((row) => ({ ...row, decisions_judged: JSON.parse(row.decisions_judged) }));
}

/** Newest first. */
export async function restraintReports(
  store: Reader,
  filter: Omit<ReportFilter, 'pocket'>,
): Promise<StoredRestraint[]> {
  const [where, params] = selection('restraint_reports', 'month_iso', filter);
  type Json = 'forecasts' | 'decisions_judged';
  const rows = await store.all<Omit<StoredRestraint, Json> & Record<Json, string>>(
    `select * from restraint_reports where ${where} order by month_iso desc`,
    ...params,
  );
  return rows.map((row) => ({
    ...row,
    forecasts: JSON.parse(row.forecasts),
    decisions_judged: JSON.parse(row.decisions_judged),
  }));
}

/** The latest periods of a pocket are those that it has reports of. */
function selection(
  table: string,
  column: 'week_iso' | 'month_iso',
  { pocket, period, limit, before }: ReportFilter,
): [where: string, params: Value[]] {
  const conditions = { 'pocket_id = ?': pocket, [`${column} < ?`]: before };
  const given = Object.entries(conditions).filter(([, value]) => value !== undefined);
  const own = ['1 = 1', ...given.map(([condition]) => condition)].join(' and ');
  const params = given.map(([, value]) => value as Value);
  if (period !== undefined) return [`${own} and ${column} = ?`, [...params, period]];
  const latest = `select distinct ${column} from ${table} where ${own} order by ${column} desc limit ?`;
  return [
    `${own} and ${column} in (select ${column} from (${latest}) as latest)`,
    [...params, ...params, limit],
  ];
}

/** The months from the first reading until `now`, newest first. */
export async function observedMonths(store: Reader, now: number, zone: Zone): Promise<string[]> {
  const first = await firstStoredReading(store);
  const months: string[] = [];
  for (
    let start = zone.startOfMonth(now);
    first !== null && start >= zone.startOfMonth(first);
    start = zone.startOfMonth(start, -1)
  )
    months.push(zone.localMonth(start));
  return months;
}

const reportPeriod = {
  weekly_reports: 'week_iso',
  pocket_reports: 'month_iso',
  restraint_reports: 'month_iso',
} as const;

/** The periods that have a report, newest first; of one pocket, or of any. */
export async function reportedPeriods(
  store: Reader,
  table: keyof typeof reportPeriod,
  pocket?: string,
): Promise<string[]> {
  const [own, params]: [string, Value[]] = pocket === undefined ? ['1 = 1', []] : ['pocket_id = ?', [pocket]];
  const rows = await store.all<{ period: string }>(
    `select distinct ${reportPeriod[table]} as period from ${table} where ${own} order by period desc`,
    ...params,
  );
  return rows.map(({ period }) => period);
}
