import { MINUTE, SLOT } from '../time/sgt.ts';

/** From this calm on it is quiet, as a forecast of a quiet window has it. */
export const QUIET_CALM = 0.55;
const LEAST_MINUTES = 60;

/** How long each sustained window was, in minutes: readings stand for their quarter hour, and a gap ends a window. */
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
