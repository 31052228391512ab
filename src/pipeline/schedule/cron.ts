// Cron expressions on the clock of a city. Only what the table of jobs uses: `*`, `*/n` and lists of numbers.
import { HOUR, MINUTE, SLOT } from '../../domain/time/slot.ts';
import type { Zone } from '../../domain/time/zone.ts';

/** Null stands for `*`. */
interface Cron {
  minutes: readonly number[];
  hours: readonly number[] | null;
  days: readonly number[] | null;
  /** 0 is Sunday. */
  weekdays: readonly number[] | null;
}

const parsed = new Map<string, Cron>();

/**
 * Whether a job is due for a slot.
 *
 * Minutes of every hour are those of UTC, to whose half hours rollups are aligned. Hours are those of the local clock:
 * when clocks change, a time that is skipped falls on the first slot after the gap, and one that is shown twice on the
 * first of the two, so that a daily job runs once on every day.
 */
export function isCronSlot(cron: string, slot: number, zone: Zone): boolean {
  if (slot % SLOT !== 0) return false;
  const { minutes, hours, days, weekdays } = parse(cron);
  if (hours === null) return minutes.includes((slot % HOUR) / MINUTE);
  return (
    hours.some((hour) => minutes.some((minute) => zone.atHour(slot, hour + minute / 60) === slot)) &&
    (weekdays?.includes((zone.weekday(slot) + 1) % 7) ?? true) &&
    (days?.includes(Number(zone.localDate(slot).slice(-2))) ?? true)
  );
}

function parse(text: string): Cron {
  let cron = parsed.get(text);
  if (!cron) {
    const [minutes, hours, days, months, weekdays] = text.split(' ').map((field, i) => parseField(field, i));
    if (!minutes || months !== null || (hours === null && (days || weekdays)))
      throw new Error(`unsupported cron expression: ${text}`);
    cron = { minutes, hours: hours ?? null, days: days ?? null, weekdays: weekdays ?? null };
    parsed.set(text, cron);
  }
  return cron;
}

function parseField(field: string, position: number): number[] | null {
  if (field === '*') return null;
  const [, step] = /^\*\/(\d+)$/.exec(field) ?? [];
  if (step !== undefined && position === 0)
    return Array.from({ length: Math.ceil(60 / Number(step)) }, (_, n) => n * Number(step));
  if (!/^\d+(,\d+)*$/.test(field)) throw new Error(`unsupported cron field: ${field}`);
  return field.split(',').map(Number);
}
