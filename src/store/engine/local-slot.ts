// SQL for local time: statements that group rows by day or hour of a city's clock.
import type { Span } from '../../domain/time/window.ts';
import type { Zone } from '../../domain/time/zone.ts';

/**
 * An expression for the local time of `slot`: milliseconds as if the local clock were UTC. It is right for the slots of
 * the span. Numbers are part of the text because a parameter would make PostgreSQL divide fractions.
 */
export function localSlot(zone: Zone, { from, to }: Span): string {
  const [first, ...changes] = zone.offsetsBetween(from, to);
  const latest = changes.at(-1) ?? first;
  const before = [first, ...changes].slice(0, -1).map((period, i) => ({
    offset: period?.offset,
    until: changes[i]?.from,
  }));
  if (!before.length) return `(slot + ${latest?.offset})`;
  const cases = before.map(({ offset, until }) => `when slot < ${until} then ${offset}`);
  return `(slot + case ${cases.join(' ')} else ${latest?.offset} end)`;
}
