import type { Hours } from '../../time/opening-hours.ts';
import { dnaDescriptor } from './dna-descriptor.ts';
import { hoursOverlap } from './hours-overlap.ts';
import type { OutletUse, Pattern, PocketQuarter } from './pattern.ts';
import { quietWindowPatterns } from './quiet-window.ts';
import { rainSensitivity } from './rain-sensitivity.ts';

/** All patterns of an outlet, in the order of `patternKinds`. */
export function findPatterns(
  outlet: Hours,
  uses: readonly OutletUse[],
  streets: readonly PocketQuarter[],
): Pattern[] {
  const single = [
    rainSensitivity(uses, streets),
    dnaDescriptor(uses, streets),
    hoursOverlap(outlet, streets),
  ];
  return [...quietWindowPatterns(uses), ...single.flatMap((pattern) => pattern ?? [])];
}
