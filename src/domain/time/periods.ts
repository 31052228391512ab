/** The periods of reports: weeks, months and hours of the week, in local time. */

import { DAY, SLOT } from './slot.ts';
import type { Span } from './window.ts';
import type { Zone } from './zone.ts';

export const dayNames = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;
export type DayName = (typeof dayNames)[number];

/** An hour of the week, 0 to 167, as a day and an hour of it. */
export const dayAndHour = (hourOfWeek: number): { day: DayName; hour: number } => ({
  day: dayNames[Math.floor(hourOfWeek / 24)] ?? 'monday',
  hour: hourOfWeek % 24,
});

/** The first instant of the Monday of the week of `time`. */
export const startOfWeek = (time: number, zone: Zone): number => zone.startOfDay(time, -zone.weekday(time));

/** 'YYYY-Www' of ISO 8601. */
export const isoWeek = (time: number, zone: Zone): string => weekOfDate(zone.localDate(time));

/** A week belongs to the year of its Thursday. */
function weekOfDate(date: string): string {
  const day = Date.parse(`${date}T00:00:00Z`);
  const weekday = (new Date(day).getUTCDay() + 6) % 7;
  const thursday = new Date(day + (3 - weekday) * DAY).toISOString();
  const year = thursday.slice(0, 4);
  const dayOfYear = (Date.parse(thursday) - Date.parse(`${year}-01-01T00:00:00Z`)) / DAY;
  return `${year}-W${String(1 + Math.floor(dayOfYear / 7)).padStart(2, '0')}`;
}

/** Whether a text such as '2026-W53' is a week of ISO 8601: a year has 52 or 53, and 28 December is always in the last. */
export function isWeekName(text: string): boolean {
  const [, year, week] = /^(\d{4})-W(\d{2})$/.exec(text) ?? [];
  if (year === undefined || week === undefined) return false;
  return Number(week) > 0 && text <= weekOfDate(`${year}-12-28`);
}

/** Whether a text such as '2026-03' is a month. */
export const isMonthName = (text: string): boolean => /^\d{4}-(0[1-9]|1[0-2])$/.test(text);

/** The whole week before that of `time`. */
export function weekBefore(time: number, zone: Zone): Span {
  const to = startOfWeek(time, zone);
  return { from: zone.startOfDay(to, -7), to };
}

/** The whole month before that of `time`. */
export const monthBefore = (time: number, zone: Zone): Span => ({
  from: zone.startOfMonth(time, -1),
  to: zone.startOfMonth(time),
});

/** The week with the name 'YYYY-Www'. */
export function weekNamed(week: string, zone: Zone): Span {
  const [year, number] = week.split('-W');
  // 4 January is always in the first week of its year.
  const first = startOfWeek(zone.atLocal(`${year}-01-04`, '12:00'), zone);
  const from = zone.startOfDay(first, 7 * (Number(number) - 1));
  return { from, to: zone.startOfDay(from, 7) };
}

/** The month with the name 'YYYY-MM'. */
export function monthNamed(month: string, zone: Zone): Span {
  const from = zone.atLocal(`${month}-01`, '00:00');
  return { from, to: zone.startOfMonth(from, 1) };
}

export const periodNames = ['day', 'week', 'month'] as const;
export type PeriodName = (typeof periodNames)[number];

/** The last `count` days, weeks or months, oldest first; the last of them ends at `until`, which lies in it. */
export function lastPeriods(
  period: PeriodName,
  count: number,
  until: number,
  zone: Zone,
): (Span & { name: string })[] {
  const periodStart = (back: number): number => {
    if (period === 'month') return zone.startOfMonth(until, -back);
    return zone.startOfDay(
      period === 'week' ? startOfWeek(until, zone) : until,
      -back * (period === 'week' ? 7 : 1),
    );
  };
  const periodName = (time: number): string =>
    period === 'month'
      ? zone.localMonth(time)
      : period === 'week'
        ? isoWeek(time, zone)
        : zone.localDate(time);
  return Array.from({ length: count }, (_, i) => {
    const back = count - 1 - i;
    const from = periodStart(back);
    return { name: periodName(from), from, to: back === 0 ? until : periodStart(back - 1) };
  });
}

/** The start of the UTC day of `time`, or of the day that many days later. */
export const startOfUtcDay = (time: number, daysLater = 0): number =>
  (Math.floor(time / DAY) + daysLater) * DAY;

/** 'HH:00-HH:00' */
export const hourLabel = (hour: number): string => {
  const clock = (h: number) => `${String(h).padStart(2, '0')}:00`;
  return `${clock(hour)}-${clock((hour + 1) % 24)}`;
};

export const SLOTS_IN_WEEK = (7 * DAY) / SLOT;
