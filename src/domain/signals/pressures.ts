import { clamp, weightedMean } from '../stats/unit-scale.ts';
import { pressureWeights } from './pressure-weights.ts';
import type { Scales } from './scales.ts';
import type { Snapshot } from './snapshot.ts';

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

export function computePressures(
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

const pressureKinds = Object.keys(pressureWeights) as (keyof Pressures)[];

const weightedPressure = (levels: (kind: keyof Pressures) => number | null): number | null =>
  weightedMean(pressureKinds.map((kind) => [levels(kind), pressureWeights[kind].weight] as const));

/**
 * The weighted mean of the known pressures as a share of the same mean in an ordinary busy hour; null where none is
 * known. So a pressure that is not measured, or is missing for an hour, moves nothing by its absence alone.
 */
export function pressureShare(pressures: Pressures): number | null {
  const mean = weightedPressure((kind) => pressures[kind]);
  const busy = weightedPressure((kind) => (pressures[kind] === null ? null : pressureWeights[kind].busy));
  return mean === null || busy === null ? null : mean / busy;
}
