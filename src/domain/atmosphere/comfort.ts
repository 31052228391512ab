import { computePressures } from '../signals/pressures.ts';
import type { Scales } from '../signals/scales.ts';
import type { Snapshot } from '../signals/snapshot.ts';
import { round } from '../stats/unit-scale.ts';

/** The comfort of a pocket by signal: 1 less the pressure of that signal (domain/signals), averaged over a month. */
export const comfortSignals = ['crowd', 'transit', 'jam', 'rain', 'heat', 'air', 'parking'] as const;
export type ComfortSignal = (typeof comfortSignals)[number];

export type ComfortSums = Record<ComfortSignal, { sum: number; count: number }>;

export interface Comfort {
  signal: ComfortSignal;
  comfort: number;
  network_comfort: number;
}

/** The sums over snapshots; pressures that were not measured are left out. */
export function sumComfort(all: readonly Pick<Snapshot, 'values' | 'crowd'>[], scales: Scales): ComfortSums {
  const sums = noComfort();
  for (const measured of all) {
    const pressures = computePressures(measured, scales);
    for (const signal of comfortSignals) {
      const pressure = pressures[signal];
      if (pressure === null) continue;
      sums[signal].sum += 1 - pressure;
      sums[signal].count += 1;
    }
  }
  return sums;
}

export function addComfort(all: readonly ComfortSums[]): ComfortSums {
  const total = noComfort();
  for (const sums of all) {
    for (const signal of comfortSignals) {
      total[signal].sum += sums[signal].sum;
      total[signal].count += sums[signal].count;
    }
  }
  return total;
}

const noComfort = (): ComfortSums =>
  Object.fromEntries(comfortSignals.map((signal) => [signal, { sum: 0, count: 0 }])) as ComfortSums;

/** The signal by which the pocket is furthest above the mean of all pockets; among equals, the more comfortable. */
export function strongestComfort(here: ComfortSums, everywhere: ComfortSums): Comfort | null {
  const mean = ({ sum, count }: { sum: number; count: number }) => round(sum / count);
  const known = comfortSignals.filter((signal) => here[signal].count > 0 && everywhere[signal].count > 0);
  const comforts = known.map((signal) => {
    const comfort = mean(here[signal]);
    const network_comfort = mean(everywhere[signal]);
    return { signal, comfort, network_comfort, ahead: round(comfort - network_comfort) };
  });
  const [strongest] = comforts.sort((a, b) => b.ahead - a.ahead || b.comfort - a.comfort);
  if (!strongest) return null;
  const { ahead: _order, ...comfort } = strongest;
  return comfort;
}
