/** The monthly report of a pocket (docs/formulas.md, "State of a pocket"). */

import { type Comfort, type ComfortSums, strongestComfort } from '../atmosphere/comfort.ts';
import { type HourBucket, type HourSum, wakingBuckets } from '../stats/hour-buckets.ts';
import { round } from '../stats/unit-scale.ts';
import { type DayName, dayNames, hourLabel, SLOTS_IN_WEEK } from '../time/periods.ts';

/** Readings a month needs: a week of slots, so that every hour of the week can have been seen. */
export const LEAST_MONTH_READINGS = SLOTS_IN_WEEK;

/** Sums of a pocket's readings of a month. */
export interface MonthSums {
  hours: readonly HourSum[];
  anomalies: number;
}

/** A part is null where too little was read for it. */
export interface MonthObservations {
  most_stable_day: { day: DayName; deviation: number } | null;
  strongest_comfort: Comfort | null;
  strongest_calm_window: { label: string; calm: number } | null;
  anomaly_count: number;
}

export interface PocketMonth {
  readings: number;
  /** Null with too few readings. */
  observations: MonthObservations | null;
  narrative: string;
}

/** Readings that a day of the week and an hour of the week need. */
const LEAST_OF_DAY = 32;
const LEAST_OF_HOUR = 4;

/** The report, from the pocket's readings and the comfort of each signal here and in all pockets. */
export function pocketMonth(
  pocket: string,
  month: string,
  { hours, anomalies }: MonthSums,
  here: ComfortSums,
  everywhere: ComfortSums,
): PocketMonth {
  const readings = hours.reduce((sum, hour) => sum + hour.readings, 0);
  if (readings < LEAST_MONTH_READINGS) {
    const narrative = `${pocket} was read ${readings} times in ${month}, under the floor of ${LEAST_MONTH_READINGS}: too little to observe a month by.`;
    return { readings, observations: null, narrative };
  }
  const buckets = wakingBuckets(hours);
  const observations = {
    most_stable_day: mostStableDay(buckets),
    strongest_comfort: strongestComfort(here, everywhere),
    strongest_calm_window: strongestCalm(buckets),
    anomaly_count: anomalies,
  };
  return { readings, observations, narrative: narrativeOf(pocket, month, readings, observations) };
}

/** The day of the week with the least mean deviation of its hours. */
function mostStableDay(buckets: readonly HourBucket[]): MonthObservations['most_stable_day'] {
  const days = dayNames.flatMap((day) => {
    const hours = buckets.filter((bucket) => bucket.day === day);
    const readings = hours.reduce((sum, hour) => sum + hour.readings, 0);
    if (readings < LEAST_OF_DAY) return [];
    const deviation = round(hours.reduce((sum, hour) => sum + hour.deviation, 0) / hours.length);
    return [{ day, deviation }];
  });
  return days.sort((a, b) => a.deviation - b.deviation)[0] ?? null;
}

/** The calmest hour of the week; ties go to the least deviation, then to the earliest. */
function strongestCalm(buckets: readonly HourBucket[]): MonthObservations['strongest_calm_window'] {
  const [best] = buckets
    .filter(({ readings }) => readings >= LEAST_OF_HOUR)
    .sort((a, b) => b.calm - a.calm || a.deviation - b.deviation);
  return best ? { label: `${best.day} ${hourLabel(best.hour)}`, calm: best.calm } : null;
}

function narrativeOf(
  pocket: string,
  month: string,
  readings: number,
  { most_stable_day, strongest_comfort, strongest_calm_window, anomaly_count }: MonthObservations,
): string {
  return [
    `${pocket} was read ${readings} times in ${month}.`,
    ...(most_stable_day ? [`its ${most_stable_day.day}s were most like each other.`] : []),
    ...(strongest_calm_window
      ? [`it was calmest on ${strongest_calm_window.label} (${strongest_calm_window.calm}).`]
      : []),
    ...(strongest_comfort
      ? [
          `against all pockets it was most at ease by ${strongest_comfort.signal} (${strongest_comfort.comfort}, all ${strongest_comfort.network_comfort}).`,
        ]
      : []),
    anomaly_count === 0 ? 'nothing was unusual.' : `${anomaly_count} readings were unusual.`,
  ].join(' ');
}
