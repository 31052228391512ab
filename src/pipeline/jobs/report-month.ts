import { addComfort, sumComfort } from '../../domain/atmosphere/comfort.ts';
import { pocketMonth } from '../../domain/report/pocket-month.ts';
import { restraintReport } from '../../domain/report/restraint-report.ts';
import { overviewSums } from '../../domain/stats/forecast-sums.ts';
import { UNIT } from '../../domain/stats/rollup.ts';
import { monthBefore } from '../../domain/time/periods.ts';
import { monthOf } from '../../domain/time/sgt.ts';
import type { Span } from '../../domain/time/window.ts';
import {
  extremeSilence,
  hourlyValues,
  monthSums,
  writeMonths,
  writeRestraint,
} from '../../store/report/reports.ts';
import { sumsByOrigin, totalsOf } from '../../store/rollup/read-rollups.ts';
import { forecastRollup, pocketRollup } from '../../store/rollup/tables.ts';
import type { JobContext } from '../core/context.ts';

/** Reports on the month that has ended: one for each pocket, and one on restraint. A month without a reading has none. */
export async function reportMonth(context: JobContext): Promise<void> {
  const month = monthBefore(context.slot);
  if (await reportPockets(context, month)) await reportRestraint(context, month);
}

async function reportPockets({ tx, registry, now }: JobContext, month: Span): Promise<boolean> {
  const month_iso = monthOf(month.from);
  const read = await monthSums(tx, month);
  if (!read.size) return false;
  const values = Map.groupBy(await hourlyValues(tx, month), ({ pocket_id }) => pocket_id);
  const pockets = registry.pockets.map(({ id, character }) => ({
    id,
    sums: read.get(id) ?? { hours: [], anomalies: 0 },
    comfort: sumComfort(values.get(id) ?? [], character),
  }));
  const everywhere = addComfort(pockets.map(({ comfort }) => comfort));
  const reports = pockets.map(({ id, sums, comfort }) => ({
    month_iso,
    pocket_id: id,
    composed_at: now,
    ...pocketMonth(id, month_iso, sums, comfort, everywhere),
  }));
  await writeMonths(tx, reports);
  return true;
}

async function reportRestraint({ tx, now }: JobContext, month: Span): Promise<void> {
  const counts = await totalsOf(tx, pocketRollup, month, {
    sums: [
      ...(['emissions', 'silences', 'already_speaking', 'quiet_hours'] as const),
      ...(['vindicated', 'missed', 'unjudged', 'attention_minutes'] as const),
    ],
  });
  const report = restraintReport({
    emitted: counts.emissions,
    withheld: counts.silences,
    already_speaking: counts.already_speaking,
    quiet_hours: counts.quiet_hours,
    verdicts: { vindicated: counts.vindicated, missed: counts.missed, inconclusive: counts.unjudged },
    attention_minutes: counts.attention_minutes / UNIT,
    forecasts: await sumsByOrigin(tx, forecastRollup, month, {
      by: ['prediction_type'],
      sums: overviewSums,
      only: { shadow: 0 },
    }),
    worst: await extremeSilence(tx, month, 'worst'),
    best: await extremeSilence(tx, month, 'best'),
  });
  await writeRestraint(tx, { month_iso: monthOf(month.from), composed_at: now, ...report });
}
