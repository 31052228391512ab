import { cityCalendar, isRestDay } from '../../domain/city/rest-day.ts';
import { COMPARED_DAYS } from '../../domain/stats/comparison-words.ts';
import { compareWithinCells } from '../../domain/stats/matched-comparison.ts';
import { partHours, wakingParts } from '../../domain/time/waking-hours.ts';
import {
  comparisonCells,
  writeComparisons,
  writeHourChanges,
} from '../../store/decision/silence-comparisons.ts';
import type { JobContext } from '../core/context.ts';

/**
 * Adds yesterday's moments to the sums of its part of the week, and compares speaking with like moments of silence over
 * the days before. A day is summed once: neither this job nor an answer reads the moments of 90 days.
 */
export async function compareWithSilence({
  tx,
  registry,
  zone,
  slot,
  state,
  district,
}: JobContext): Promise<void> {
  const yesterday = zone.startOfDay(slot, -1);
  const days = isRestDay(yesterday, cityCalendar(registry)) ? 'rest day' : 'weekday';
  for (const part of wakingParts) {
    const { from, to } = partHours[part];
    const span = { from: zone.atHour(yesterday, from), to: zone.atHour(yesterday, to) };
    await writeHourChanges(tx, yesterday, `${days} ${part}`, span, district);
  }
  const span = { from: zone.startOfDay(slot, -COMPARED_DAYS), to: zone.startOfDay(slot) };
  for await (const pockets of state.inBatches(tx, registry.pockets)) {
    const ids = pockets.map(({ id }) => id);
    const cells = await comparisonCells(tx, ids, span);
    await writeComparisons(
      tx,
      slot,
      ids.map((pocket_id) => {
        const { calm = [], use = [] } = cells.get(pocket_id) ?? {};
        return { pocket_id, calm: compareWithinCells(calm), use: compareWithinCells(use) };
      }),
    );
  }
}
