import { weightedMean } from '../stats/unit-scale.ts';
import type { ExpectedSignal } from './signal.ts';

/**
 * How much each pressure weighs in stress, and its level in an ordinary busy hour of a pocket that measures all. The
 * contract shows no formula; the weights are a judgement, not a fit: people and the ways they take (crowd, transit, jam)
 * make up two thirds, the weather (rain, heat) a fifth, air and parking the rest.
 */
export const pressureWeights = {
  crowd: { weight: 0.28, busy: 1 },
  transit: { weight: 0.18, busy: 0.7 },
  jam: { weight: 0.2, busy: 0.7 },
  rain: { weight: 0.14, busy: 0.1 },
  heat: { weight: 0.06, busy: 0.3 },
  air: { weight: 0.07, busy: 0.1 },
  parking: { weight: 0.07, busy: 0.7 },
} as const;

/** The mean of all pressures in an ordinary busy hour, where all are measured. */
export const BUSY_MEAN = weightedMean(
  Object.values(pressureWeights).map(({ weight, busy }) => [busy, weight] as const),
) as number;

/** How much of a reading rests on each signal that a pocket may expect: the weight of its pressure. */
export const signalWeights: Readonly<Record<ExpectedSignal, number>> = {
  footfall: pressureWeights.crowd.weight,
  crowd: pressureWeights.crowd.weight,
  transit_crowding: pressureWeights.transit.weight,
  traffic_speed_kmh: pressureWeights.jam.weight,
  rain_mm: pressureWeights.rain.weight,
  // Humidity moves the heat by a sixth of its range at most.
  temperature_c: (5 / 6) * pressureWeights.heat.weight,
  humidity_pct: (1 / 6) * pressureWeights.heat.weight,
  pm25: pressureWeights.air.weight,
  carpark_occupancy: pressureWeights.parking.weight,
};
