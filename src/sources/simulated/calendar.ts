import { DAY, SLOT, slotStart } from '../../domain/time/slot.ts';
import type { Zone } from '../../domain/time/zone.ts';

/** A quarter hour in the calendar of the simulated city. */
export interface CalendarSlot {
  slot: number;
  /** Quarter hours since the epoch on the local clock: a multiple of 96 is a midnight. */
  quarter: number;
  /** Days since the epoch on the local calendar. */
  day: number;
  /** 0 <= hour < 24. */
  hour: number;
  /** The day that people's behaviour belongs to: a night out belongs to the day it began, so 01:00 on Saturday is Friday 25:00. */
  outing: Outing;
}

export interface Outing {
  day: number;
  /** 0 is Monday. */
  weekday: number;
  /** 4 <= hour < 28. */
  hour: number;
  /** A public holiday counts as a Sunday. */
  kind: DayKind;
  /** The next day is free, so people stay out longer. */
  late: boolean;
}

export type DayKind = 'weekday' | 'saturday' | 'sunday';

export const QUARTERS = 96;
const DAWN = 4;

/** Days of a calendar, counted as `CalendarSlot.day` counts them. */
export const dayNumbers = (dates: string[]): Set<number> =>
  new Set(dates.map((date) => Date.parse(`${date}T00:00:00Z`) / DAY));

export function calendarSlotAt(time: number, holidays: Set<number>, zone: Zone): CalendarSlot {
  const slot = slotStart(time);
  const quarter = (slot + zone.offset(slot)) / SLOT;
  const day = Math.floor(quarter / QUARTERS);
  const hour = (quarter - day * QUARTERS) / 4;
  const outingDay = hour < DAWN ? day - 1 : day;
  const kind = dayKind(outingDay, holidays);
  return {
    slot,
    quarter,
    day,
    hour,
    outing: {
      day: outingDay,
      weekday: weekdayNumber(outingDay),
      hour: hour < DAWN ? hour + 24 : hour,
      kind,
      late: dayKind(outingDay + 1, holidays) !== 'weekday' && kind !== 'sunday',
    },
  };
}

const weekdayNumber = (day: number): number => (((day + 3) % 7) + 7) % 7;

function dayKind(day: number, holidays: Set<number>): DayKind {
  const weekday = weekdayNumber(day);
  if (weekday === 6 || holidays.has(day)) return 'sunday';
  return weekday === 5 ? 'saturday' : 'weekday';
}

const YEAR = 365.25;

/** 0..1: how far into the year the day lies. */
export const yearShare = (day: number): number => (day % YEAR) / YEAR;

/** 0..1: the wet north-east monsoon, at its height in mid December. */
export function monsoon(day: number): number {
  const away = Math.abs(yearShare(day) - 0.955);
  return Math.exp(-((Math.min(away, 1 - away) / 0.1) ** 2));
}

const schoolHolidays: [number, number][] = [
  [0.195, 0.22],
  [0.41, 0.485],
  [0.67, 0.69],
  [0.885, 1],
];

export const schoolIsOut = (day: number): boolean =>
  schoolHolidays.some(([from, to]) => yearShare(day) >= from && yearShare(day) < to);
