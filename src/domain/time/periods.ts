/** The periods of reports: weeks, months and hours of the week, in Singapore time. */
import { dateOf, startOfDay, startOfMonth, weekday } from './sgt.ts';
import { DAY, SLOT } from './slot.ts';
import type { Span } from './window.ts';

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

/** Monday 00:00 of the week of `time`. */
export const startOfWeek = (time: number): number => startOfDay(time) - weekday(time) * DAY;

/** 'YYYY-Www' of ISO 8601: a week belongs to the year of its Thursday, and 4 January is always in week 1. */
export function weekOf(time: number): string {
  const start = startOfWeek(time);
  const year = dateOf(start + 3 * DAY).slice(0, 4);
  const first = startOfWeek(Date.parse(`${year}-01-04T00:00:00+08:00`));
  const week = 1 + (start - first) / (7 * DAY);
  return `${year}-W${String(week).padStart(2, '0')}`;
}

/** Whether a text such as '2026-W53' is a week of ISO 8601: a year has 52 or 53. */
export function isWeekName(text: string): boolean {
  const [, year, week] = /^(\d{4})-W(\d{2})$/.exec(text) ?? [];
  if (year === undefined || week === undefined) return false;
  const first = startOfWeek(Date.parse(`${year}-01-04T00:00:00+08:00`));
  return Number(week) > 0 && weekOf(first + (Number(week) - 1) * 7 * DAY) === text;
}

/** Whether a text such as '2026-03' is a month. */
export const isMonthName = (text: string): boolean => /^\d{4}-(0[1-9]|1[0-2])$/.test(text);

/** The whole week before that of `time`. */
export function weekBefore(time: number): Span {
  const to = startOfWeek(time);
  return { from: to - 7 * DAY, to };
}

/** The whole month before that of `time`. */
export const monthBefore = (time: number): Span => ({ from: startOfMonth(time, -1), to: startOfMonth(time) });

/** The month with the name 'YYYY-MM'. */
export function monthNamed(month: string): Span {
  const from = Date.parse(`${month}-01T00:00:00+08:00`);
  return { from, to: startOfMonth(from, 1) };
}

/** The start of the UTC day of `time`, which is 08:00 in Singapore. */
export const startOfUtcDay = (time: number): number => Math.floor(time / DAY) * DAY;

/** 'HH:00-HH:00' */
export const hourLabel = (hour: number): string => {
  const clock = (h: number) => `${String(h).padStart(2, '0')}:00`;
  return `${clock(hour)}-${clock((hour + 1) % 24)}`;
};

export const SLOTS_IN_WEEK = (7 * DAY) / SLOT;
