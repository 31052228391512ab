// What a soak's samples of memory and descriptors say.
import { median } from '../quantiles.ts';

export interface Sample {
  /** Since the load began, in seconds. */
  seconds: number;
  /** Resident memory of the service's processes, in bytes. */
  memory: number;
  descriptors: number;
}

/** From here on memory must not rise: caches are full, and code is compiled. */
export const SETTLED_SECONDS = 600;
export const MOST_RISE = 0.05;
export const MOST_AT_REST = 1.5;

export interface Verdict {
  /** Of the last fifth of the settled samples above the first fifth; null where the run was too short to tell. */
  memoryRise: number | null;
  descriptorRise: number | null;
  /** At rest as a multiple of idle. */
  atRest: number;
  clean: boolean;
}

export function judgeSoak(
  samples: readonly Sample[],
  idle: Sample,
  rest: Sample,
  settled = SETTLED_SECONDS,
): Verdict {
  const later = samples.filter(({ seconds }) => seconds >= settled);
  const memoryRise = relativeRise(later.map(({ memory }) => memory));
  const descriptorRise = relativeRise(later.map(({ descriptors }) => descriptors));
  const atRest = rest.memory / idle.memory;
  const clean =
    memoryRise !== null &&
    memoryRise < MOST_RISE &&
    descriptorRise !== null &&
    descriptorRise < MOST_RISE &&
    atRest <= MOST_AT_REST;
  return { memoryRise, descriptorRise, atRest, clean };
}

/** Medians: single samples catch a collection before or after it ran. */
function relativeRise(values: readonly number[]): number | null {
  const part = Math.floor(values.length / 5);
  if (part < 1) return null;
  return median(values.slice(-part)) / median(values.slice(0, part)) - 1;
}
