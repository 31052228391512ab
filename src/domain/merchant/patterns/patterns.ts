import { closeCountdown, type Hours } from '../../time/opening-hours.ts';
import { dnaDescriptor } from './dna-descriptor.ts';
import { hoursOverlap } from './hours-overlap.ts';
import type { OutletUse, Pattern, PocketQuarter } from './pattern.ts';
import { quietWindowPatterns } from './quiet-window.ts';
import { rainSensitivity } from './rain-sensitivity.ts';

/** All patterns of an outlet, in the order of `patternKinds`. What was counted while it was closed is left out. */
export function findPatterns(
  outlet: Hours,
  counted: readonly OutletUse[],
  streets: readonly PocketQuarter[],
): Pattern[] {
  const left = closeCountdown(outlet);
  const uses = counted.filter(({ slot }) => left(slot) > 0);
  const single = [
    rainSensitivity(uses, streets),
    dnaDescriptor(uses, streets),
    hoursOverlap(outlet, streets),
  ];
  return [...quietWindowPatterns(outlet, uses), ...single.flatMap((pattern) => pattern ?? [])];
}
