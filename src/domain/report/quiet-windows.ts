import { CALM_STATE_LEVEL } from '../atmosphere/atmosphere.ts';
import { MINUTE, SLOT } from '../time/slot.ts';

/** The contract's. */
const LEAST_MINUTES = 60;

/**
 * Length in minutes of each quiet window of an hour or more. A missing reading ends a window; given the readings of waking
 * hours only, a window therefore lies within one day.
 */
export function quietWindowLengths(readings: readonly { slot: number; calm: number }[]): number[] {
  const windows: number[] = [];
  let minutes = 0;
  let last = Number.NaN;
  const close = () => {
    if (minutes >= LEAST_MINUTES) windows.push(minutes);
    minutes = 0;
  };
  for (const { slot, calm } of readings) {
    if (calm < CALM_STATE_LEVEL || slot !== last + SLOT) close();
    if (calm >= CALM_STATE_LEVEL) minutes += SLOT / MINUTE;
    last = slot;
  }
  close();
  return windows;
}
