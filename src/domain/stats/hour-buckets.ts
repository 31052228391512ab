import { type DayName, dayAndHour } from '../time/periods.ts';
import { isWakingHour } from '../time/waking-hours.ts';
import type { Zone } from '../time/zone.ts';

/** What the readings of one hour of the week add up to. */
export interface HourSum {
  hour_of_week: number;
  readings: number;
  /** In thousandths, the precision of a reading: a sum of whole numbers does not depend on their order. */
  calm: number;
  squares: number;
  /** Readings at either end of the scale of calm (see `isAtEnd`). */
  at_end: number;
}

/** The readings of one hour of the week, taken together. */
export interface HourBucket {
  day: DayName;
  hour: number;
  readings: number;
  /** The mean. */
  calm: number;
  /** The standard deviation of calm. */
  deviation: number;
  /** A reading lies at an end of the scale. Calm is cut off there, so that a small deviation says nothing. */
  cut_off: boolean;
}

/** How near to 0 or 1, in thousandths, calm counts as cut off by its scale. */
export const END_MARGIN = 50;

const isAtEnd = (thousandths: number): boolean =>
  thousandths <= END_MARGIN || thousandths >= 1000 - END_MARGIN;

export function sumHours(readings: readonly { slot: number; calm: number }[], zone: Zone): HourSum[] {
  return [...Map.groupBy(readings, ({ slot }) => zone.hourOfWeek(slot))].map(([hour_of_week, within]) => {
    const calms = within.map(({ calm }) => Math.round(calm * 1000));
    return {
      hour_of_week,
      readings: within.length,
      calm: calms.reduce((sum, calm) => sum + calm, 0),
      squares: calms.reduce((sum, calm) => sum + calm * calm, 0),
      at_end: calms.filter(isAtEnd).length,
    };
  });
}

/** The waking hours that were read, in the order of the week. At night every pocket is calm, which says nothing. */
export function wakingBuckets(hours: readonly HourSum[]): HourBucket[] {
  return hours
    .filter(({ hour_of_week }) => isWakingHour(hour_of_week % 24))
    .sort((a, b) => a.hour_of_week - b.hour_of_week)
    .map(({ hour_of_week, readings, calm, squares, at_end }) => {
      const variance = (readings * squares - calm * calm) / (readings * readings);
      return {
        ...dayAndHour(hour_of_week),
        readings,
        calm: Math.round(calm / readings) / 1000,
        deviation: Math.round(Math.sqrt(variance)) / 1000,
        cut_off: at_end > 0,
      };
    });
}

/** The same hour of the week in the other pockets. */
export interface OtherHours {
  /** The mean over the other pockets that were read in this hour. */
  calm: number;
  /** The same of the deviation, without pockets in which the hour is cut off; null where there is none. */
  deviation: number | null;
}

/** Looks up the other pockets' hour for a bucket, from the buckets of all pockets; null where no other was read. */
export function otherHours(pockets: Iterable<readonly HourBucket[]>): (own: HourBucket) => OtherHours | null {
  const byHour = Map.groupBy([...pockets].flat(), hourKey);
  const sums = new Map([...byHour].map(([key, buckets]) => [key, sumBuckets(buckets)]));
  return (own) => {
    const all = sums.get(hourKey(own)) ?? sumBuckets([own]);
    const less = sumBuckets([own]);
    const read = all.read - less.read;
    const uncut = all.uncut - less.uncut;
    if (!read) return null;
    return {
      calm: Math.round((all.calm - less.calm) / read) / 1000,
      deviation: uncut ? Math.round((all.deviation - less.deviation) / uncut) / 1000 : null,
    };
  };
}

const hourKey = ({ day, hour }: HourBucket): string => `${day} ${hour}`;

/** In whole thousandths, so that subtracting a pocket's own bucket is exact. */
function sumBuckets(buckets: readonly HourBucket[]) {
  const uncut = buckets.filter(({ cut_off }) => !cut_off);
  const thousandths = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + Math.round(1000 * value), 0);
  return {
    read: buckets.length,
    calm: thousandths(buckets.map(({ calm }) => calm)),
    uncut: uncut.length,
    deviation: thousandths(uncut.map(({ deviation }) => deviation)),
  };
}
