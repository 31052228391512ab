import { addComfort, sumComfort } from '../../domain/atmosphere/comfort.ts';
import { pocketMonth } from '../../domain/report/pocket-month.ts';
import { restraintReport } from '../../domain/report/restraint-report.ts';
import { addCounts, nothingCounted } from '../../domain/stats/thirds.ts';
import { monthBefore } from '../../domain/time/periods.ts';
import { monthOf } from '../../domain/time/sgt.ts';
import type { Span } from '../../domain/time/spans.ts';
import {
  extremeSilence,
  hourlyValues,
  monthSums,
  writeMonths,
  writeRestraint,
} from '../../store/report/reports.ts';
import { tallyReveals } from '../../store/report/reveal-sums.ts';
import { addendsOf, pocketSums } from '../../store/report/third-sums.ts';
import type { JobContext } from '../core/context.ts';

/** Reports the month that has ended: of each pocket, and of what was and was not said. One without a reading has none. */
export async function reportMonth(tick: JobContext): Promise<void> {
  const month = monthBefore(tick.slot);
  if (await reportPockets(tick, month)) await reportRestraint(tick, month);
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

async function reportRestraint({ tx, state, now }: JobContext, month: Span): Promise<void> {
  // The last forecasts of the month may have been revealed in this very transaction.
  await state.addUp(tx);
  const window = { after: month.from - 1, until: month.to - 1 };
  const counts = nothingCounted();
  const addends = await addendsOf(tx, window, ['decisions', 'verdicts']);
  for (const own of (await pocketSums(tx, addends)).values()) addCounts(counts, own);
  const report = restraintReport({
    emitted: counts.emissions,
    withheld: counts.silences,
    verdicts: { vindicated: counts.vindicated, missed: counts.missed, inconclusive: counts.unjudged },
    attention_minutes: counts.attention_minutes,
    sums: (await tallyReveals(tx, window, undefined)).sums,
    worst: await extremeSilence(tx, month, 'worst'),
    best: await extremeSilence(tx, month, 'best'),
  });
  await writeRestraint(tx, { month_iso: monthOf(month.from), composed_at: now, ...report });
}
