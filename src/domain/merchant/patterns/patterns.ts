import type { Hours } from '../../time/opening-hours.ts';
import { dnaDescriptor } from './dna-descriptor.ts';
import { hoursOverlap } from './hours-overlap.ts';
import type { Pattern, Street, Use } from './pattern.ts';
import { quietWindows } from './quiet-window.ts';
import { rainSensitivity } from './rain-sensitivity.ts';

/** All that recurs in an outlet's history, in the order of the kinds. */
export function patternsOf(outlet: Hours, uses: readonly Use[], streets: readonly Street[]): Pattern[] {
  const single = [
    rainSensitivity(uses, streets),
    dnaDescriptor(uses, streets),
    hoursOverlap(outlet, streets),
  ];
  return [...quietWindows(uses), ...single.flatMap((pattern) => pattern ?? [])];
}
