// The rows that weekly and monthly reports are made from, and the reports as they are written.

import { WHOLE_CITY } from '../../domain/city/districts.ts';
import type { MonthSums, PocketMonth } from '../../domain/report/pocket-month.ts';
import type { FailedLine, JudgedSilence, RestraintReport } from '../../domain/report/restraint-report.ts';
import type { WeeklyReport, WeekReading } from '../../domain/report/weekly-report.ts';
import { pocketSignalKinds } from '../../domain/signals/signal.ts';
import type { Snapshot } from '../../domain/signals/snapshot.ts';
import { END_MARGIN, type HourSum } from '../../domain/stats/hour-buckets.ts';
import { DAY, HOUR } from '../../domain/time/slot.ts';
import { WAKING } from '../../domain/time/waking-hours.ts';
import type { Span } from '../../domain/time/window.ts';
import type { Zone } from '../../domain/time/zone.ts';
import type { LineOutcome } from '../../domain/verdict/line-serves.ts';
import { type DecisionCells, verdictText } from '../../domain/verdict/verdict.ts';
import { localSlot } from '../engine/local-slot.ts';
import { monthsAround, nearSlots, sameSlotAndPocket } from '../engine/slot-join.ts';
import type { Reader, Transaction } from '../engine/store.ts';
import { spanInDistrict } from '../rows/district-rows.ts';

/** The rows that a report of a week is made from: of all pockets of a district, oldest first. */
export function weekReadings(
  store: Reader,
  { from, to }: Span,
  district = WHOLE_CITY,
): Promise<(WeekReading & { pocket_id: string })[]> {
  const { where, params } = spanInDistrict('r.', { from, to }, district);
  return store.all(
    `select r.pocket_id, r.slot, r.stress, r.calm, r.social_energy, r.productive, r.primary_state,
       e.rain_mm, m.signal_saturation, m.band
     from atmosphere_readings r
     left join snapshots e on e.slot = r.slot and e.pocket_id = r.pocket_id and ${nearSlots('e')}
     left join moments m on m.slot = r.slot and m.pocket_id = r.pocket_id
     where ${where} order by r.slot`,
    ...monthsAround(from, to),
    ...params,
  );
}

/** Whether any pocket of the city was read within a span. */
export const wasRead = async (store: Reader, { from, to }: Span): Promise<boolean> =>
  (await store.get('select slot from atmosphere_readings where slot >= ? and slot < ? limit 1', from, to)) !==
  undefined;

/** Sums of the readings of a month, by pocket of a district and hour of the week. */
export async function monthSums(
  store: Reader,
  { from, to }: Span,
  zone: Zone,
  district = WHOLE_CITY,
): Promise<Map<string, MonthSums>> {
  // The epoch began on a Thursday, 72 hours into a week.
  const { where, params } = spanInDistrict('', { from, to }, district);
  const hourOfWeek = `(${localSlot(zone, { from, to })} / ${HOUR} + 72) % 168`;
  const rows = await store.all<HourSum & { pocket_id: string; anomalies: number }>(
    `select pocket_id, ${hourOfWeek} as hour_of_week, count(*) as readings,
       sum(round(calm * 1000)) as calm, sum(round(calm * 1000) * round(calm * 1000)) as squares,
       sum(case when round(calm * 1000) <= ${END_MARGIN} or round(calm * 1000) >= ${1000 - END_MARGIN} then 1 else 0 end)
         as at_end, sum(anomaly_flag) as anomalies
     from atmosphere_readings where ${where} group by pocket_id, hour_of_week`,
    ...params,
  );
  return new Map(
    [...Map.groupBy(rows, ({ pocket_id }) => pocket_id)].map(([pocket, hours]) => [
      pocket,
      { hours, anomalies: hours.reduce((sum, hour) => sum + hour.anomalies, 0) },
    ]),
  );
}

/** The snapshots of a district, of every full hour of the waking day. */
export async function hourlyMeasurements(
  store: Reader,
  { from, to }: Span,
  zone: Zone,
  district = WHOLE_CITY,
): Promise<Pick<Snapshot, 'pocket_id' | 'values' | 'crowd'>[]> {
  const { where, params } = spanInDistrict('', { from, to }, district);
  const timeOfDay = `${localSlot(zone, { from, to })} % ${DAY}`;
  const rows = await store.all<Snapshot['values'] & Pick<Snapshot, 'pocket_id' | 'crowd'>>(
    `select pocket_id, crowd, ${pocketSignalKinds.join(', ')}
     from snapshots where ${where} and slot % ${HOUR} = 0
       and ${timeOfDay} >= ${WAKING.from * HOUR} and ${timeOfDay} < ${WAKING.to * HOUR}`,
    ...params,
  );
  return rows.map(({ pocket_id, crowd, ...values }) => ({ pocket_id, crowd, values }));
}

/** The wrong silence with the highest legitimacy, or the right one that preserved the most attention; else the earliest. */
export async function extremeSilence(
  store: Reader,
  { from, to }: Span,
  kind: 'worst' | 'best',
): Promise<JudgedSilence | null> {
  const [served, most] = kind === 'worst' ? [1, 's.legitimacy_score'] : [0, 'v.attention_minutes_preserved'];
  const found = await store.get<Omit<JudgedSilence, 'verdict_reason'> & { outcome: LineOutcome }>(
    `select v.pocket_id, v.slot, v.reason, s.legitimacy_score, v.attention_minutes_preserved, v.outcome
     from verdicts v join silences s on s.pocket_id = v.pocket_id and s.slot = v.slot
     where v.slot >= ? and v.slot < ? and v.spoke = 0 and v.served = ${served}
     order by ${most} desc, v.slot, v.pocket_id limit 1`,
    from,
    to,
  );
  if (!found) return null;
  const { outcome, ...silence } = found;
  return { ...silence, verdict_reason: verdictText(false, outcome) };
}

/** The line that failed with the highest legitimacy; else the earliest. */
export async function worstLine(store: Reader, { from, to }: Span): Promise<FailedLine | null> {
  const found = await store.get<Omit<FailedLine, 'verdict_reason'> & { outcome: LineOutcome }>(
    `select p.pocket_id, p.slot, p.legitimacy_score, v.outcome
     from packages p join verdicts v on ${sameSlotAndPocket('v', 'p')}
     where p.slot >= ? and p.slot < ? and v.served = 0
     order by p.legitimacy_score desc, p.slot, p.pocket_id limit 1`,
    from,
    to,
  );
  if (!found) return null;
  const { outcome, ...line } = found;
  return { ...line, verdict_reason: verdictText(true, outcome) };
}

type Composed<T> = T & { composed_at: number };
export type StoredWeek = Composed<WeeklyReport> & { week_iso: string; pocket_id: string };
export type StoredMonth = Composed<PocketMonth> & {
  month_iso: string;
  pocket_id: string;
  decisions_judged: DecisionCells;
};
export type StoredRestraint = Composed<RestraintReport> & { month_iso: string };

export const writeWeeks = (tx: Transaction, reports: readonly StoredWeek[]): Promise<void> =>
  tx.insert(
    'weekly_reports',
    reports.map(({ metrics, basis, holidays, sets_apart, compared_with, ...report }) => ({
      ...report,
      metrics: JSON.stringify(metrics),
      basis: JSON.stringify(basis),
      holidays: JSON.stringify(holidays),
      sets_apart: JSON.stringify(sets_apart),
      compared_with: JSON.stringify(compared_with),
    })),
  );

export const writeMonths = (tx: Transaction, reports: readonly StoredMonth[]): Promise<void> =>
  tx.insert(
    'pocket_reports',
    reports.map(({ observations, decisions_judged, ...report }) => ({
      ...report,
      observations: observations && JSON.stringify(observations),
      decisions_judged: JSON.stringify(decisions_judged),
    })),
  );

/** Whether a month has reports of pockets, and none on restraint yet. */
export const lacksRestraint = async (store: Reader, month_iso: string): Promise<boolean> =>
  (await store.get(
    `select month_iso from pocket_reports where month_iso = ?
     and not exists (select 1 from restraint_reports where month_iso = ?) limit 1`,
    month_iso,
    month_iso,
  )) !== undefined;

export const writeRestraint = (tx: Transaction, report: StoredRestraint): Promise<void> =>
  tx.insert('restraint_reports', [
    {
      ...report,
      forecasts: JSON.stringify(report.forecasts),
      decisions_judged: JSON.stringify(report.decisions_judged),
    },
  ]);
