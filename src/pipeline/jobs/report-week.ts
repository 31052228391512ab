import { WHOLE_CITY } from '../../domain/city/districts.ts';
import { cityCalendar, holidaysIn } from '../../domain/city/rest-day.ts';
import { pocketComparer } from '../../domain/report/compare-pockets.ts';
import { weeklyReport } from '../../domain/report/weekly-report.ts';
import { otherHours, sumHours, wakingBuckets } from '../../domain/stats/hour-buckets.ts';
import { isoWeek, weekBefore } from '../../domain/time/periods.ts';
import { partMeans } from '../../store/report/part-means.ts';
import { weekReadings, writeWeeks } from '../../store/report/reports.ts';
import type { JobContext } from '../core/context.ts';
import { loadScales } from '../core/pocket-scales.ts';

/** Earlier weeks that say what is usual. */
const USUAL_WEEKS = 4;

/**
 * Reports on the week that has ended, for every pocket that was read in it. The other pockets that one is compared with are
 * those of its district.
 */
export async function reportWeek(context: JobContext): Promise<void> {
  const { tx, registry, zone, slot, now, district } = context;
  const week = weekBefore(slot, zone);
  const week_iso = isoWeek(week.from, zone);
  const readings = Map.groupBy(await weekReadings(tx, week, district), ({ pocket_id }) => pocket_id);
  const known = new Set(registry.pockets.map(({ id }) => id));
  const scalesFor = await loadScales(context);
  const compare = pocketComparer(
    await partMeans(
      tx,
      { from: zone.startOfDay(week.from, -7 * USUAL_WEEKS), to: week.to },
      known,
      cityCalendar(registry),
      district,
    ),
    week.from,
    district !== WHOLE_CITY,
  );
  const othersIn = otherHours([...readings.values()].map((own) => wakingBuckets(sumHours(own, zone))));
  const holidays = holidaysIn(week, registry, zone);
  const reports = registry.pockets.flatMap(({ id, character }) => {
    const comparison = compare(id, { character, scales: scalesFor(id) });
    const report = weeklyReport(id, week_iso, readings.get(id) ?? [], {
      ...{ zone, othersIn, comparison, holidays },
    });
    return report ? [{ week_iso, pocket_id: id, composed_at: now, ...report }] : [];
  });
  await writeWeeks(tx, reports);
}
