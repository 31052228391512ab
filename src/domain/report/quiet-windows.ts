import { MINUTE, SLOT } from '../time/slot.ts';

/** Calm from which a slot is quiet; the quiet_window forecast uses the same bound. */
export const QUIET_CALM = 0.55;
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
    if (calm < QUIET_CALM || slot !== last + SLOT) close();
    if (calm >= QUIET_CALM) minutes += SLOT / MINUTE;
    last = slot;
  }
  close();
  return windows;
}
