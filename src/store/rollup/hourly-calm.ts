// The calm of single hours of a pocket, from rollups: a heat map of weeks reads one total for each hour and no readings.
import type { CalmSums } from '../../domain/stats/day-hours.ts';
import type { Span } from '../../domain/time/window.ts';
import type { Reader } from '../engine/store.ts';
import { firstReading } from '../observation/readings.ts';
import { sumsOfEach } from './read-rollups.ts';
import { pocketRollup } from './tables.ts';

const sums = ['readings', 'calm'] as const;
const none: CalmSums = { readings: 0, calm: 0 };

/** In the order of the hours. Hours before the first reading up to `now` and hours ahead are not looked up. */
export async function calmOfHours(
  store: Reader,
  pocket: string,
  hours: readonly Span[],
  now: number,
): Promise<CalmSums[]> {
  const first = (await firstReading(store, pocket, now)) ?? Number.POSITIVE_INFINITY;
  const isRead = ({ from, to }: Span) => to > first && from <= now;
  const read = hours.filter(isRead).map(({ from, to }) => ({ from, to: Math.min(to, now + 1) }));
  const found = await sumsOfEach(store, pocketRollup, read, { by: [], sums, only: { pocket_id: pocket } });
  let next = 0;
  return hours.map((hour) => (isRead(hour) ? (found[next++]?.[0] ?? none) : none));
}
