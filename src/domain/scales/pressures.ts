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

/** The weighted mean of the known pressures; null where none is known. */
export const meanPressure = ({ crowd, transit, jam, rain, heat, air, parking }: Pressures): number | null =>
  weightedMean([
    [crowd, 0.28],
    [transit, 0.18],
    [jam, 0.2],
    [rain, 0.14],
    [heat, 0.06],
    [air, 0.07],
    [parking, 0.07],
  ]);
