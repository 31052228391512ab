/** Compares every pocket of a period with the other pockets, and with its own earlier weeks or months. */
import type { PocketSetting } from '../atmosphere/atmosphere.ts';
import { networkComparer } from './compare-network.ts';
import { usualComparer } from './compare-usual.ts';
import type { Difference } from './difference.ts';
import { hasEnoughReadings, type PartMean } from './part-means.ts';

export interface PocketComparison {
  /** From the own usual, then from the network; the furthest first. */
  differences: Difference[];
  /** Other pockets that were read enough. */
  other_pockets: number;
  /** The others are those of its district, not of the whole city. */
  within_district?: boolean;
  /** The days before the period that were read enough, as their midnights, oldest first. */
  earlier_days: number[];
}

/** `parts` are of all pockets of the city or of a district, within the period that begins at `from` and before it. */
export function pocketComparer(
  parts: readonly PartMean[],
  from: number,
  within_district = false,
): (pocket: string, setting: PocketSetting) => PocketComparison {
  const read = parts.filter(hasEnoughReadings);
  const within = read.filter(({ day }) => day >= from);
  const fromNetwork = networkComparer(within);
  const fromUsual = usualComparer(read, from);
  const pockets = new Set(within.map(({ pocket_id }) => pocket_id));
  const earlier = Map.groupBy(
    read.filter(({ day }) => day < from),
    ({ pocket_id }) => pocket_id,
  );
  return (pocket, setting) => ({
    differences: [...fromUsual(pocket, setting), ...fromNetwork(pocket, setting)],
    other_pockets: pockets.size - (pockets.has(pocket) ? 1 : 0),
    within_district,
    earlier_days: [...new Set((earlier.get(pocket) ?? []).map(({ day }) => day))].sort((a, b) => a - b),
  });
}
