import { type DayName, dayAndHour } from '../time/periods.ts';
import { hourOfWeek } from '../time/sgt.ts';

/** What the readings of one hour of the week add up to. */
export interface HourSum {
  hour_of_week: number;
  readings: number;
  /** In thousandths, the precision of a reading: a sum of whole numbers does not depend on their order. */
  calm: number;
  squares: number;
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
}

export function sumHours(readings: readonly { slot: number; calm: number }[]): HourSum[] {
  return [...Map.groupBy(readings, ({ slot }) => hourOfWeek(slot))].map(([hour_of_week, within]) => {
    const calms = within.map(({ calm }) => Math.round(calm * 1000));
    return {
      hour_of_week,
      readings: within.length,
      calm: calms.reduce((sum, calm) => sum + calm, 0),
      squares: calms.reduce((sum, calm) => sum + calm * calm, 0),
    };
  });
}

const WAKING = { from: 7, to: 23 };

/** The waking hours that were read, in the order of the week. At night every pocket is calm, which says nothing. */
export function wakingBuckets(hours: readonly HourSum[]): HourBucket[] {
  return hours
    .map(({ hour_of_week, readings, calm, squares }) => {
      const variance = (readings * squares - calm * calm) / (readings * readings);
      return {
        at: hour_of_week,
        ...dayAndHour(hour_of_week),
        readings,
        calm: Math.round(calm / readings) / 1000,
        deviation: Math.round(Math.sqrt(variance)) / 1000,
      };
    })
    .filter(({ hour }) => hour >= WAKING.from && hour < WAKING.to)
    .sort((a, b) => a.at - b.at)
    .map(({ at: _order, ...bucket }) => bucket);
}
