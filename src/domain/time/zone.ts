/**
 * Local time of a city: its time zone with the clock changes, from the rules of `Intl`. Pure: a zone is a function of its
 * name and locale. Times are epoch milliseconds; a "local" number counts milliseconds as if the local clock were UTC.
 */
import { DAY, HOUR, iso } from './slot.ts';
import { type OffsetPeriod, offsetTable } from './zone-offsets.ts';

/** Each function stands alone, so that it can be passed on without its zone. */
export interface Zone {
  /** Of the IANA database. */
  name: string;
  /** Milliseconds that the local clock is ahead of UTC. */
  offset(time: number): number;
  /** The offsets from `from` up to `to`, oldest first. */
  offsetsBetween(from: number, to: number): OffsetPeriod[];
  /** Hours that the clock shows, with the fraction: 08:30 is 8.5, also on a day whose clocks changed before. */
  hourOfDay(time: number): number;
  /** 0 is Monday. */
  weekday(time: number): number;
  /** 0..167, Monday 00:00–00:59 being 0. An hour that the clock shows twice is the same hour of the week. */
  hourOfWeek(time: number): number;
  /** 'YYYY-MM-DD' */
  localDate(time: number): string;
  /** 'YYYY-MM' */
  localMonth(time: number): string;
  /** 'HH:MM' */
  localClock(time: number): string;
  /** 'HH:MM SGT': the clock with the short name of the zone, for texts. */
  clockWithZone(time: number): string;
  /** The zone's short name at that time: 'SGT', 'CEST', 'GMT+5:45'. */
  abbreviation(time: number): string;
  /** The short name where clocks do not change, else 'local time': for texts that are not about one instant. */
  generalName: string;
  /** The first instant of the day of `time`, or of the day that many days later. */
  startOfDay(time: number, daysLater?: number): number;
  /** The first instant of the month of `time`, or of the month that many months later. */
  startOfMonth(time: number, monthsLater?: number): number;
  /**
   * The instant at which the clock shows 'HH:MM' on 'YYYY-MM-DD'. A time that clocks skip is the first instant after the
   * gap; one that they show twice is the first of the two.
   */
  atLocal(date: string, clock: string): number;
  /** The same for an hour of the day of `time`, or of that many days later: 8.5 is 08:30, 26 is 02:00 of the next day. */
  atHour(time: number, hour: number, daysLater?: number): number;
}

const zones = new Map<string, Zone>();

/** `locale` (BCP 47) chooses the language of the short name. Throws a RangeError for a zone that `Intl` does not know. */
export function timeZone(name: string, locale = 'en'): Zone {
  const key = `${name} ${locale}`;
  let zone = zones.get(key);
  if (!zone) {
    zone = createZone(name, locale);
    zones.set(key, zone);
  }
  return zone;
}

export const cityZone = ({ time_zone, locale }: { time_zone: string; locale: string }): Zone =>
  timeZone(time_zone, locale);

function createZone(name: string, locale: string): Zone {
  const { offset, offsetsBetween } = offsetTable(name);
  const local = (time: number): number => time + offset(time);
  const localText = (time: number): string => iso(local(time));
  const hourOfDay = (time: number): number => (local(time) % DAY) / HOUR;
  // Day 0 of the epoch was a Thursday.
  const weekday = (time: number): number => (Math.floor(local(time) / DAY) + 3) % 7;
  const localClock = (time: number): string => localText(time).slice(11, 16);
  const abbreviation = shortNames(name, locale, offset);

  function fromLocal(at: number): number {
    // No zone is as much as a day from UTC, so these two are the offsets on either side of a change near `at`.
    const before = offset(at - DAY);
    const first = at - before;
    if (offset(first) === before) return first;
    const after = offset(at + DAY);
    const second = at - after;
    return offset(second) === after ? second : firstWith(offset, after, second, first);
  }

  return {
    name,
    offset,
    offsetsBetween,
    hourOfDay,
    weekday,
    hourOfWeek: (time) => weekday(time) * 24 + Math.floor(hourOfDay(time)),
    localDate: (time) => localText(time).slice(0, 10),
    localMonth: (time) => localText(time).slice(0, 7),
    localClock,
    clockWithZone: (time) => `${localClock(time)} ${abbreviation(time)}`,
    abbreviation,
    generalName: changesClocks(offsetsBetween) ? 'local time' : abbreviation(RULES_AS_OF),
    startOfDay: (time, daysLater = 0) => fromLocal((Math.floor(local(time) / DAY) + daysLater) * DAY),
    startOfMonth(time, monthsLater = 0) {
      const at = new Date(local(time));
      return fromLocal(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + monthsLater, 1));
    },
    atHour: (time, hour, daysLater = 0) =>
      fromLocal((Math.floor(local(time) / DAY) + daysLater) * DAY + hour * HOUR),
    atLocal: (date, clock) => fromLocal(Date.parse(`${date}T${clock}:00Z`)),
  };
}

/** The first instant in (low, high] with that offset, by bisection: the offset of `low` is another. */
function firstWith(offset: (time: number) => number, wanted: number, low: number, high: number): number {
  let [without, withIt] = [low, high];
  while (withIt - without > 1) {
    const middle = Math.floor((without + withIt) / 2);
    if (offset(middle) === wanted) withIt = middle;
    else without = middle;
  }
  return withIt;
}

/** Beyond the years that are listed one by one, `Intl` goes by the rules that apply now. */
const RULES_AS_OF = Date.UTC(2038, 0, 1);

const changesClocks = (offsetsBetween: Zone['offsetsBetween']): boolean =>
  offsetsBetween(RULES_AS_OF, RULES_AS_OF + 366 * DAY).length > 1;

/** Formatting with `Intl` is slow, and a zone has one name for each of its offsets. */
function shortNames(timeZone: string, locale: string, offset: (time: number) => number) {
  const format = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' });
  const byOffset = new Map<number, string>();
  return (time: number): string => {
    const key = offset(time);
    let text = byOffset.get(key);
    if (text === undefined) {
      text = format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
      byOffset.set(key, text);
    }
    return text;
  };
}
