// SQL for local time: statements that group rows by day or hour of a city's clock.

import type { ClockHours } from '../../domain/time/opening-hours.ts';
import { DAY, HOUR } from '../../domain/time/slot.ts';
import type { Span } from '../../domain/time/window.ts';
import type { Zone } from '../../domain/time/zone.ts';

/**
 * An expression for the local time of a slot: milliseconds as if the local clock were UTC. It is right for the slots of
 * the span. Numbers are part of the text because a parameter would make PostgreSQL divide fractions.
 */
export function localSlot(zone: Zone, { from, to }: Span, slot = 'slot'): string {
  const [first, ...changes] = zone.offsetsBetween(from, to);
  const latest = changes.at(-1) ?? first;
  const before = [first, ...changes].slice(0, -1).map((period, i) => ({
    offset: period?.offset,
    until: changes[i]?.from,
  }));
  if (!before.length) return `(${slot} + ${latest?.offset})`;
  const cases = before.map(({ offset, until }) => `when ${slot} < ${until} then ${offset}`);
  return `(${slot} + case ${cases.join(' ')} else ${latest?.offset} end)`;
}

/** The end of a condition: only slots at which the local clock shows these hours. */
export function duringHours({ from, to }: ClockHours, zone: Zone, span: Span, slot = 'slot'): string {
  if (to - from >= 24) return '';
  const timeOfDay = `${localSlot(zone, span, slot)} % ${DAY}`;
  const [first, end] = [from * HOUR, to * HOUR];
  return end <= DAY
    ? ` and ${timeOfDay} >= ${first} and ${timeOfDay} < ${end}`
    : ` and (${timeOfDay} >= ${first} or ${timeOfDay} < ${end - DAY})`;
}
