import { computeAtmosphere, type PocketSetting } from '../atmosphere/atmosphere.ts';
import { computePressures } from '../signals/pressures.ts';
import { pocketSignalKinds } from '../signals/signal.ts';
import { round } from '../stats/unit-scale.ts';
import { partHours } from '../time/waking-hours.ts';
import type { Cause } from './difference.ts';
import type { ComparedQuality, PartMean, SignalMeans } from './part-means.ts';

/** The share of a difference that one measurement must account for. */
const LEAST_SHARE = 0.3;

/**
 * The measurement that accounts for most of a difference: each is changed alone from its reference to the pocket's
 * value, and the formula of atmosphere gives the effect. Null where none accounts for enough.
 */
export function differenceCause(
  { quality, difference }: { quality: ComparedQuality; difference: number },
  { weekend, part }: Pick<PartMean, 'weekend' | 'part'>,
  here: SignalMeans,
  reference: SignalMeans,
  setting: PocketSetting,
): Cause | null {
  const hour = (partHours[part].from + partHours[part].to) / 2;
  const computeQuality = (values: SignalMeans): number | null => {
    // Of footfall, the means are shares of the peak.
    const pressures = computePressures({ values, crowd: values.footfall }, setting.scales);
    const atmosphere = computeAtmosphere({ hour, rest: weekend, completeness: 1, pressures, ...setting });
    return atmosphere?.[quality === 'social' ? 'social_energy' : quality] ?? null;
  };
  const before = computeQuality(reference);
  if (before === null) return null;
  const causes = pocketSignalKinds.flatMap((signal) => {
    const [value, usual] = [here[signal], reference[signal]];
    if (value === null || usual === null) return [];
    const changed = computeQuality({ ...reference, [signal]: value });
    if (changed === null) return [];
    const effect = round(changed - before);
    return [{ signal, value: round(value), reference: round(usual), effect }];
  });
  const [most] = causes.sort((a, b) => (b.effect - a.effect) * Math.sign(difference));
  return most && most.effect / difference >= LEAST_SHARE ? most : null;
}

/** Sums of each measurement over parts, so that one pocket can be subtracted from all. */
export type SignalSums = Record<keyof SignalMeans, { sum: number; count: number }>;

export function sumSignals(parts: readonly PartMean[]): SignalSums {
  const sums = Object.fromEntries(
    pocketSignalKinds.map((kind) => [kind, { sum: 0, count: 0 }]),
  ) as SignalSums;
  for (const { signals } of parts) {
    for (const kind of pocketSignalKinds) {
      const value = signals[kind];
      if (value === null) continue;
      sums[kind].sum += value;
      sums[kind].count += 1;
    }
  }
  return sums;
}

/** The means of `all`, without `own`. */
export const meanSignals = (all: SignalSums, own: SignalSums = sumSignals([])): SignalMeans =>
  Object.fromEntries(
    pocketSignalKinds.map((kind) => {
      const count = all[kind].count - own[kind].count;
      return [kind, count > 0 ? (all[kind].sum - own[kind].sum) / count : null];
    }),
  ) as SignalMeans;
