/**
 * From measurements to pressures: what counts as hot, slow or full. `fixed` scales are those of the simulated
 * Singapore; `learned` ones follow the city's own past (docs/formulas.md, "Learned scales").
 */

import { clamp, ramp } from '../stats/unit-scale.ts';
import { addToRange, type OwnRange, type Priors, type Range, rangeWithPrior } from './own-range.ts';
import { BUSY_MEAN } from './pressure-weights.ts';
import type { Snapshot } from './snapshot.ts';

/** Each takes a measurement to a pressure, 0 (none) to 1 (heavy). */
export interface Scales {
  transit: (share: number) => number;
  jam: (kmh: number) => number;
  /** Rain of the last quarter hour. */
  rain: (mm: number) => number;
  heat: (celsius: number, humidity: number | null) => number;
  air: (pm25: number) => number;
  parking: (share: number) => number;
  /** From the pressure of the moment, as a share of that of an ordinary busy hour, to stress. */
  stress: (share: number) => number;
}

/** Chosen so that heavy rain, 1.9 mm in a quarter hour, is a pressure of 0.72. */
const TYPICAL_RAIN_MM = 1.5;

/** `mm` is the rain of the last quarter hour. */
export const rainPressure = (mm: number, typical = TYPICAL_RAIN_MM): number => 1 - Math.exp(-mm / typical);

/** Null where rain was not measured. */
export const knownRainPressure = (mm: number | null): number | null =>
  mm === null ? null : rainPressure(mm);

/** The harm of fine dust does not depend on what a city is used to. */
const air = (pm25: number): number => ramp(pm25, 20, 90);

/** A judgement of what is hot, slow or full in Singapore; an ordinary week of the simulated city uses all of the stress. */
export const fixedScales: Scales = {
  transit: clamp,
  jam: (kmh) => ramp(kmh, 45, 12),
  rain: (mm) => rainPressure(mm),
  // Without humidity the temperature alone is felt, as at 75 %.
  heat: (celsius, humidity) => ramp(celsius + (humidity === null ? 0 : 0.05 * (humidity - 75)), 29, 35),
  air,
  parking: (share) => ramp(share, 0.6, 1),
  stress: (share) => ramp(share * BUSY_MEAN, 0.06, 0.66),
};

/** What a learned scale follows. */
export const learnedKinds = [
  'rain_mm',
  'temperature_c',
  'transit_crowding',
  'traffic_speed_kmh',
  'carpark_occupancy',
] as const;
export type LearnedKind = (typeof learnedKinds)[number];

/** What a pocket has measured of each kind. */
export type PocketRanges = Partial<Record<LearnedKind, OwnRange>>;

/** Where a city states none: wide, so that little is called extreme before it is known. */
const defaultPriors: Record<LearnedKind, Range> = {
  rain_mm: { low: 0, high: TYPICAL_RAIN_MM },
  temperature_c: { low: -5, high: 35 },
  transit_crowding: { low: 0, high: 1 },
  traffic_speed_kmh: { low: 12, high: 45 },
  carpark_occupancy: { low: 0.2, high: 1 },
};

/** Up to a fifth of the pressure of a busy hour is without stress, and a busy hour leaves room for worse. */
const WITHOUT_STRESS = 0.2;
const STRESS_WHEN_BUSY = 0.75;

export function learnedScales(ranges: PocketRanges, priors: Priors): Scales {
  const of = (kind: LearnedKind): Range => rangeWithPrior(ranges[kind], priors[kind] ?? defaultPriors[kind]);
  const along = ({ low, high }: Range, x: number) => (high > low ? ramp(x, low, high) : 0);
  const [transit, speed, temperature] = [
    of('transit_crowding'),
    of('traffic_speed_kmh'),
    of('temperature_c'),
  ];
  const [rain, parking] = [of('rain_mm'), of('carpark_occupancy')];
  const within = (share: number) => temperature.low + share * (temperature.high - temperature.low);
  return {
    transit: (share) => along(transit, share),
    jam: (kmh) => (speed.high > speed.low ? ramp(kmh, speed.high, speed.low) : 0),
    rain: (mm) => rainPressure(mm, Math.max(0.3, rain.high)),
    // Unusual cold weighs as much as unusual heat; the middle half of the usual range does not weigh.
    heat: (celsius) =>
      Math.max(ramp(celsius, within(0.75), within(1)), ramp(celsius, within(0.25), within(0))),
    air,
    parking: (share) => along(parking, share),
    // Each pressure follows its own past already; a busy hour must not become calm by being repeated.
    stress: (share) => clamp((STRESS_WHEN_BUSY * (share - WITHOUT_STRESS)) / (1 - WITHOUT_STRESS)),
  };
}

/** The ranges with this slot's measurements added; null when none has changed, since one value an hour is kept. */
export function updateRanges(
  ranges: PocketRanges,
  slot: number,
  values: Snapshot['values'],
): PocketRanges | null {
  let changed: PocketRanges | null = null;
  for (const kind of learnedKinds) {
    const value = values[kind];
    // Dry hours say nothing about how heavy rain is when it falls.
    if (value === null || (kind === 'rain_mm' && value === 0)) continue;
    const updated = addToRange(ranges[kind], slot, value);
    if (updated) changed = { ...(changed ?? ranges), [kind]: updated };
  }
  return changed;
}
