import { type DayName, dayNames } from '../time/periods.ts';
import type { Span } from '../time/window.ts';
import { cityZone, type Zone } from '../time/zone.ts';
import type { Registry } from './city.ts';

/** The city's days of rest. */
export interface Calendar {
  zone: Zone;
  /** Days of rest in every week, 0 being Monday. */
  weekend: readonly number[];
  /** Public holidays as 'YYYY-MM-DD'. */
  holidays: readonly string[];
}

export const cityCalendar = ({ city, holidays }: Pick<Registry, 'city' | 'holidays'>): Calendar => ({
  zone: cityZone(city),
  weekend: city.weekend,
  holidays,
});

/** A day of the weekend or a public holiday. */
export const isRestDay = (time: number, { zone, weekend, holidays }: Calendar): boolean =>
  weekend.includes(zone.weekday(time)) || holidays.includes(zone.localDate(time));

export interface Holiday {
  /** 'YYYY-MM-DD' */
  date: string;
  day: DayName;
  name: string;
}

/** The public holidays of whole days, in order. */
export function holidaysIn(
  { from, to }: Span,
  { holidays, holidayNames }: Pick<Registry, 'holidays' | 'holidayNames'>,
  zone: Zone,
): Holiday[] {
  const [first, end] = [zone.localDate(from), zone.localDate(to)];
  return holidays
    .filter((date) => date >= first && date < end)
    .sort()
    .map((date) => ({
      date,
      day: dayNames[zone.weekday(zone.atLocal(date, '12:00'))] ?? 'monday',
      name: holidayNames[date] ?? date,
    }));
}
