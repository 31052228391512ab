/** The monthly report of a pocket, over waking hours (docs/formulas.md, "State of a pocket"). */

import { type Comfort, type ComfortSums, strongestComfort } from '../atmosphere/comfort.ts';
import { MUCH, NOTICEABLE } from '../atmosphere/usual-calm.ts';
import { type HourBucket, type HourSum, type OtherHours, wakingBuckets } from '../stats/hour-buckets.ts';
import { mean, sum } from '../stats/samples.ts';
import { round } from '../stats/unit-scale.ts';
import { countText } from '../text/count-text.ts';
import { type DayName, dayNames, hourLabel, SLOTS_IN_WEEK } from '../time/periods.ts';
import type { Zone } from '../time/zone.ts';
import type { PocketComparison } from './compare-pockets.ts';
import { type ComparedWith, type StatedDifference, setsApart } from './sets-apart.ts';

/** Readings a month needs: a week of slots, so that every hour of the week can have been seen. */
export const LEAST_MONTH_READINGS = SLOTS_IN_WEEK;

/** Sums of a pocket's readings of a month, day and night. */
export interface MonthSums {
  hours: readonly HourSum[];
  anomalies: number;
}

/** A part is null where too little was read for it, or where there is no other pocket to compare with. */
export interface MonthObservations {
  /** The day of the week whose hours varied least; the deviations are means over its hours, here and in the other pockets. */
  most_stable_day: { day: DayName; deviation: number; network_deviation: number } | null;
  strongest_comfort: Comfort | null;
  /** The hour of the week in which the pocket was furthest above the calm of the other pockets. */
  strongest_calm_window: CalmWindow | null;
  anomaly_count: number;
  /** The mean of the other pockets. */
  network_anomaly_count: number | null;
  sets_apart: StatedDifference[];
  compared_with: ComparedWith;
}

export interface CalmWindow {
  label: string;
  calm: number;
  network_calm: number;
  /** Below zero where the pocket was never calmer than the others. */
  difference: number;
}

export interface PocketMonth {
  readings: number;
  /** Null with too few readings. */
  observations: MonthObservations | null;
  narrative: string;
}

/** What a month is compared with. */
export interface MonthContext {
  zone: Zone;
  /** The same hour of the week in the other pockets. */
  othersIn: (own: HourBucket) => OtherHours | null;
  comparison: PocketComparison;
  /** Of each signal, in this pocket and in all pockets together. */
  comfort: { here: ComfortSums; everywhere: ComfortSums };
  /** Anomalous readings in the other pockets, on average; null where there are none. */
  otherAnomalies: number | null;
}

/** Readings that a day of the week and an hour of the week need. */
const LEAST_OF_DAY = 32;
const LEAST_OF_HOUR = 4;
/** A lead in comfort below this is no lead. */
const LEAST_COMFORT_LEAD = 0.01;

export function pocketMonth(
  pocket: string,
  month: string,
  { hours, anomalies }: MonthSums,
  { zone, othersIn, comparison, comfort, otherAnomalies }: MonthContext,
): PocketMonth {
  const readings = sum(hours.map((hour) => hour.readings));
  if (readings < LEAST_MONTH_READINGS) {
    const narrative = `${pocket} was read ${readings} times in ${month}, under the floor of ${LEAST_MONTH_READINGS}: too little to observe a month by.`;
    return { readings, observations: null, narrative };
  }
  const compared = wakingBuckets(hours).flatMap((bucket) => {
    const others = othersIn(bucket);
    return others ? [{ ...bucket, others }] : [];
  });
  const { lead, ...apart } = setsApart(comparison, 'month', zone.localMonth, zone);
  const observations = {
    most_stable_day: mostStableDay(compared),
    strongest_comfort: strongestComfort(comfort.here, comfort.everywhere),
    strongest_calm_window: strongestCalm(compared),
    anomaly_count: anomalies,
    network_anomaly_count: otherAnomalies === null ? null : round(otherAnomalies, 1),
    ...apart,
  };
  const sentences = [...lead, ...monthSentences(observations)];
  return { readings, observations, narrative: `${pocket} in ${month}: ${sentences.join(' ')}` };
}

type ComparedHour = HourBucket & { others: OtherHours };

/** The day of the week whose hours varied least, as a share of how much the same hours varied in the other pockets. */
function mostStableDay(hours: readonly ComparedHour[]): MonthObservations['most_stable_day'] {
  const days = dayNames.flatMap((day) => {
    const steady = hours.flatMap(({ readings, deviation, others, ...hour }) =>
      hour.day === day && !hour.cut_off && others.deviation
        ? [{ readings, deviation, network: others.deviation }]
        : [],
    );
    if (sum(steady.map(({ readings }) => readings)) < LEAST_OF_DAY) return [];
    const deviation = round(mean(steady.map((hour) => hour.deviation)));
    const network_deviation = round(mean(steady.map(({ network }) => network)));
    return [{ day, deviation, network_deviation }];
  });
  const relative = ({ deviation, network_deviation }: (typeof days)[number]) => deviation / network_deviation;
  return days.sort((a, b) => relative(a) - relative(b))[0] ?? null;
}

/** The hour furthest above the other pockets; ties go to the calmest, then to the earliest. */
function strongestCalm(hours: readonly ComparedHour[]): CalmWindow | null {
  const [best] = hours
    .filter(({ readings }) => readings >= LEAST_OF_HOUR)
    .map(({ day, hour, calm, others }) => ({
      label: `${day} ${hourLabel(hour)}`,
      calm,
      network_calm: others.calm,
      difference: round(calm - others.calm),
    }))
    .sort((a, b) => b.difference - a.difference || b.calm - a.calm);
  return best ?? null;
}

function monthSentences(observed: MonthObservations): string[] {
  const { most_stable_day: stable, strongest_calm_window: window, strongest_comfort: comfort } = observed;
  return [
    ...(window ? [windowText(window)] : []),
    ...(stable ? [`its ${stable.day}s were most like each other.`] : []),
    ...(comfort && comfort.comfort - comfort.network_comfort >= LEAST_COMFORT_LEAD
      ? [`against all pockets it was most at ease by ${comfort.signal}.`]
      : []),
    anomalyText(observed),
  ];
}

const windowText = ({ label, difference }: CalmWindow): string =>
  difference > 0
    ? `its calm stood out most on ${label}, ${difference >= MUCH ? 'much calmer' : difference >= NOTICEABLE ? 'calmer' : 'a little calmer'} than the other pockets.`
    : `it was never calmer than the other pockets; nearest on ${label}.`;

function anomalyText({ anomaly_count, network_anomaly_count: others }: MonthObservations): string {
  if (anomaly_count === 0) return 'nothing was unusual for its hour.';
  const mean = others === null ? null : Math.round(others);
  const elsewhere = mean === null ? '' : `, against ${mean === 0 ? 'hardly any' : `about ${mean}`} elsewhere`;
  return `${countText(anomaly_count, 'reading was', 'readings were')} unusual for the hour${elsewhere}.`;
}
