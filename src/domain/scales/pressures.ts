import type { ExpectedSignal } from '../atmosphere/signal.ts';
import type { Snapshot } from '../atmosphere/snapshot.ts';
import { clamp, weightedMean } from '../stats/unit-scale.ts';
import type { Scales } from './scales.ts';

/** Each measurement as a pressure on the pocket, from 0 (none) to 1 (heavy); null where it was not measured. */
export interface Pressures {
  crowd: number | null;
  transit: number | null;
  jam: number | null;
  rain: number | null;
  heat: number | null;
  air: number | null;
  parking: number | null;
}

/** Those of a reading: without a crowd there is none. */
export interface KnownPressures extends Pressures {
  crowd: number;
}

export function pressuresOf(
  { values, crowd }: Pick<Snapshot, 'values' | 'crowd'>,
  scales: Scales,
): Pressures {
  const pressure = (value: number | null, scale: (x: number) => number) =>
    value === null ? null : scale(value);
  return {
    crowd: pressure(crowd, clamp),
    transit: pressure(values.transit_crowding, scales.transit),
    jam: pressure(values.traffic_speed_kmh, scales.jam),
    rain: pressure(values.rain_mm, scales.rain),
    heat: pressure(values.temperature_c, (celsius) => scales.heat(celsius, values.humidity_pct)),
    air: pressure(values.pm25, scales.air),
    parking: pressure(values.carpark_occupancy, scales.parking),
  };
}

/** How much each pressure weighs in stress, and its level in an ordinary busy hour of a pocket that measures all. */
const weighed = {
  crowd: { weight: 0.28, busy: 1 },
  transit: { weight: 0.18, busy: 0.7 },
  jam: { weight: 0.2, busy: 0.7 },
  rain: { weight: 0.14, busy: 0.1 },
  heat: { weight: 0.06, busy: 0.3 },
  air: { weight: 0.07, busy: 0.1 },
  parking: { weight: 0.07, busy: 0.7 },
} as const satisfies Record<keyof Pressures, { weight: number; busy: number }>;
const pressureKinds = Object.keys(weighed) as (keyof Pressures)[];

const meanOf = (levels: (kind: keyof Pressures) => number | null): number | null =>
  weightedMean(pressureKinds.map((kind) => [levels(kind), weighed[kind].weight] as const));

/** The mean of all pressures in an ordinary busy hour, where all are measured. */
export const BUSY_MEAN = meanOf((kind) => weighed[kind].busy) ?? 1;

/**
 * The weighted mean of the known pressures as a share of the same mean in an ordinary busy hour; null where none is
 * known. So a pressure that is not measured, or is missing for an hour, moves nothing by its absence alone.
 */
export function pressureShare(pressures: Pressures): number | null {
  const mean = meanOf((kind) => pressures[kind]);
  const busy = meanOf((kind) => (pressures[kind] === null ? null : weighed[kind].busy));
  return mean === null || busy === null ? null : mean / busy;
}

/** How much of a reading rests on each signal that a pocket may expect: the weight of its pressure. */
export const signalWeights: Readonly<Record<ExpectedSignal, number>> = {
  footfall: weighed.crowd.weight,
  crowd: weighed.crowd.weight,
  transit_crowding: weighed.transit.weight,
  traffic_speed_kmh: weighed.jam.weight,
  rain_mm: weighed.rain.weight,
  // Humidity moves the heat by a sixth of its range at most.
  temperature_c: (5 / 6) * weighed.heat.weight,
  humidity_pct: (1 / 6) * weighed.heat.weight,
  pm25: weighed.air.weight,
  carpark_occupancy: weighed.parking.weight,
};
