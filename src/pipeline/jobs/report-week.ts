import { weeklyReport } from '../../domain/report/weekly-report.ts';
import { weekBefore, weekOf } from '../../domain/time/periods.ts';
import { weekReadings, writeWeeks } from '../../store/report/reports.ts';
import type { JobContext } from '../core/context.ts';

/** Reports on the week that has ended, for every pocket that was read in it. */
export async function reportWeek({ tx, registry, slot, now }: JobContext): Promise<void> {
  const week = weekBefore(slot);
  const week_iso = weekOf(week.from);
  const readings = Map.groupBy(await weekReadings(tx, week), ({ pocket_id }) => pocket_id);
  const reports = registry.pockets.flatMap(({ id }) => {
    const report = weeklyReport(id, week_iso, readings.get(id) ?? []);
    return report ? [{ week_iso, pocket_id: id, composed_at: now, ...report }] : [];
  });
  await writeWeeks(tx, reports);
}
