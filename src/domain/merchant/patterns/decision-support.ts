import { SMALLEST_COUNT } from '../../stats/small-count-suppression.ts';
import { percentText } from '../../text/figures.ts';
import { closeCountdown, type Hours } from '../../time/opening-hours.ts';
import type { Zone } from '../../time/zone.ts';
import type { PocketQuarter } from './pattern.ts';

/** Other active outlets of the pocket that were counted, and the mean share of their capacity in use while open. */
export interface Others {
  outlets: number;
  use: number;
}

/** Lines about the pocket as a whole for one of its outlets. No line is based on fewer than five samples. */
export function decisionSupport(
  outlet: Hours,
  streets: readonly PocketQuarter[],
  others: Others,
  zone: Zone,
): string[] {
  const left = closeCountdown(outlet, zone);
  const open = streets.filter(({ slot }) => left(slot) > 0);
  const calmest = highest(open, ({ calm }) => calm, zone);
  const fullest = highest(open, ({ footfall }) => footfall, zone);
  return [
    ...(calmest
      ? [`within its hours the pocket is calmest from ${hours(calmest.hour)} (n = ${calmest.n}).`]
      : []),
    ...(fullest
      ? [
          `within its hours most people pass from ${hours(fullest.hour)}: ${Math.round(fullest.mean)} an hour (n = ${fullest.n}).`,
        ]
      : []),
    ...(others.outlets >= SMALLEST_COUNT
      ? [
          `other outlets of the pocket, while open, have ${percentText(others.use)} of their room in use (n = ${others.outlets}).`,
        ]
      : []),
  ];
}

/** The hour of the day with the highest mean; null when none has five readings. */
function highest(
  streets: readonly PocketQuarter[],
  levelOf: (street: PocketQuarter) => number | null,
  zone: Zone,
) {
  const sums = Array.from({ length: 24 }, (_, hour) => ({ hour, n: 0, sum: 0 }));
  for (const street of streets) {
    const value = levelOf(street);
    const at = sums[Math.floor(zone.hourOfDay(street.slot))];
    if (value === null || !at) continue;
    at.n += 1;
    at.sum += value;
  }
  const eligible = sums
    .filter(({ n }) => n >= SMALLEST_COUNT)
    .map(({ hour, n, sum }) => ({ hour, n, mean: sum / n }));
  if (!eligible.length) return null;
  return eligible.reduce((best, one) => (one.mean > best.mean ? one : best));
}

const hours = (hour: number): string => `${clock(hour)} to ${clock(hour + 1)}`;
const clock = (hour: number): string => `${String(hour % 24).padStart(2, '0')}:00`;
