import { weekBefore, weekOf } from '../domain/periods.ts';
import { weeklyReport } from '../domain/weekly-report.ts';
import { weekReadings, writeWeeks } from '../store/reports.ts';
import type { Tick } from './tick.ts';

/** Reports the week that has ended, of every pocket that was read in it. */
export async function reportWeek({ tx, registry, slot, now }: Tick): Promise<void> {
  const week = weekBefore(slot);
  const week_iso = weekOf(week.from);
  const readings = Map.groupBy(await weekReadings(tx, week), ({ pocket_id }) => pocket_id);
  const reports = registry.pockets.flatMap(({ id }) => {
    const report = weeklyReport(id, week_iso, readings.get(id) ?? []);
    return report ? [{ week_iso, pocket_id: id, composed_at: now, ...report }] : [];
  });
  await writeWeeks(tx, reports);
}
