/** The weekly report of a pocket, over waking hours only (docs/formulas.md, "Weekly report"). */

import { CALM_STATE_LEVEL } from '../atmosphere/atmosphere.ts';
import type { PrimaryState } from '../atmosphere/primary-state.ts';
import type { Reading } from '../atmosphere/reading.ts';
import type { Holiday } from '../city/rest-day.ts';
import type { MqsBand } from '../decision/moment-quality.ts';
import { sumByKey } from '../stats/counts.ts';
import { type HourBucket, type OtherHours, sumHours, wakingBuckets } from '../stats/hour-buckets.ts';
import { round } from '../stats/unit-scale.ts';
import { countText } from '../text/count-text.ts';
import { durationText } from '../text/duration.ts';
import { percentText } from '../text/figures.ts';
import { WET_MM } from '../text/rain-words.ts';
import { spokenHour } from '../text/spoken-clock.ts';
import { type DayName, isoWeek } from '../time/periods.ts';
import { isWaking } from '../time/waking-hours.ts';
import type { Zone } from '../time/zone.ts';
import type { PocketComparison } from './compare-pockets.ts';
import { quietWindowLengths } from './quiet-windows.ts';
import { type ComparedWith, type StatedDifference, setsApart } from './sets-apart.ts';

/** One slot of a pocket, as far as the weekly report needs it. */
export interface WeekReading extends Omit<Reading, 'pocket_id' | 'anomaly_flag' | 'completeness'> {
  /** Null where rain was not measured. */
  rain_mm: number | null;
  /** Both null where no moment was composed. */
  signal_saturation: number | null;
  band: MqsBand | null;
}

export interface WeeklyMetrics {
  /** Means, and the state that was read most often. */
  atmosphere_score: {
    primary_state: PrimaryState;
    stress: number;
    calm: number;
    productive: number;
    social: number;
  };
  /** `longest_minutes` is null when there was no window. */
  quiet_window_score: { count: number; longest_minutes: number | null };
  /** Of the quarter hours with rain, the share that stayed calm. */
  rain_comfort_alignment: number | null;
  attention_saturation: { saturation: number | null; mqs_band: MqsBand | null };
  stable_periods: StablePeriod[];
}

export interface StablePeriod {
  day: DayName;
  hour: number;
  calm: number;
  /** The standard deviation of calm in this hour, and its mean in the other pockets (null: no other to compare with). */
  deviation: number;
  network_deviation: number | null;
}

/** Number of rows of waking hours behind the figures. */
export interface WeeklyBasis {
  readings: number;
  rainy_readings: number;
  moments: number;
}

export interface WeeklyReport {
  metrics: WeeklyMetrics;
  basis: WeeklyBasis;
  /** The city's public holidays of the week, in order. */
  holidays: Holiday[];
  sets_apart: StatedDifference[];
  compared_with: ComparedWith;
  narrative: string;
}

/** What a week is compared with. */
export interface WeekContext {
  zone: Zone;
  /** The same hour in the other pockets. */
  othersIn: (own: HourBucket) => OtherHours | null;
  comparison: PocketComparison;
  holidays: Holiday[];
}

/** The contract's. */
const STABLE_PERIODS = 3;
/** Readings that an hour needs, of four. */
const LEAST_READINGS = 3;
/** Readings below which the narrative says how few there were: half of the week's waking hours. */
const LEAST_WEEK_READINGS = 224;
/** Quarter hours with rain that the narrative needs to tell of it. */
const LEAST_RAINY = 4;
/** More than a person quotes is left to the figures. */
const MOST_SENTENCES = 5;

/** A pocket's week, from its readings in the order of time; null when none is of a waking hour. */
export function weeklyReport(
  pocket: string,
  week: string,
  all: readonly WeekReading[],
  { zone, othersIn, comparison, holidays }: WeekContext,
): WeeklyReport | null {
  const readings = all.filter(({ slot }) => isWaking(slot, zone));
  const primary_state = commonest(readings.map((reading) => reading.primary_state));
  if (primary_state === null) return null;
  const rainy = readings.filter(({ rain_mm }) => (rain_mm ?? 0) >= WET_MM);
  const moments = readings.flatMap(({ signal_saturation, band }) =>
    signal_saturation === null || band === null ? [] : [{ saturation: signal_saturation, band }],
  );
  const windows = quietWindowLengths(readings);
  const metrics: WeeklyMetrics = {
    atmosphere_score: {
      primary_state,
      stress: mean(readings.map(({ stress }) => stress)) ?? 0,
      calm: mean(readings.map(({ calm }) => calm)) ?? 0,
      productive: mean(readings.map(({ productive }) => productive)) ?? 0,
      social: mean(readings.map(({ social_energy }) => social_energy)) ?? 0,
    },
    quiet_window_score: {
      count: windows.length,
      longest_minutes: windows.length ? Math.max(...windows) : null,
    },
    rain_comfort_alignment: mean(rainy.map(({ calm }) => (calm >= CALM_STATE_LEVEL ? 1 : 0))),
    attention_saturation: {
      saturation: mean(moments.map(({ saturation }) => saturation)),
      mqs_band: commonest(moments.map(({ band }) => band)),
    },
    stable_periods: stablePeriods(readings, othersIn, zone),
  };
  const basis = { readings: readings.length, rainy_readings: rainy.length, moments: moments.length };
  const { lead, ...apart } = setsApart(comparison, 'week', (day) => isoWeek(day, zone), zone, holidays);
  const few =
    readings.length < LEAST_WEEK_READINGS ? `, from ${countText(readings.length, 'reading')} only` : '';
  const told = [...lead, ...weekSentences(metrics, basis)].slice(0, MOST_SENTENCES);
  const narrative = [`${pocket} in ${week}${few}:`, ...told].join(' ');
  return { metrics, basis, holidays, ...apart, narrative };
}

/** Nothing to average gives null. */
const mean = (values: readonly number[]): number | null =>
  values.length ? round(values.reduce((sum, value) => sum + value, 0) / values.length) : null;

/** The most frequent name; of those as frequent, the first by alphabet. Null when there are none. */
function commonest<Name extends string>(names: readonly Name[]): Name | null {
  const [most] = sumByKey(
    names,
    (name) => name,
    () => 1,
  );
  return (most?.[0] as Name | undefined) ?? null;
}

/**
 * The waking hours in which calm varied least for that hour: by its deviation as a share of that in the other pockets,
 * or, where there are none, of the pocket's own mean. Hours cut off by the scale are left out. Ties go to the calmest,
 * then to the earliest.
 */
function stablePeriods(
  readings: readonly WeekReading[],
  othersIn: WeekContext['othersIn'],
  zone: Zone,
): StablePeriod[] {
  const buckets = wakingBuckets(sumHours(readings, zone)).filter(
    (bucket) => bucket.readings >= LEAST_READINGS && !bucket.cut_off,
  );
  const ownDeviation = mean(buckets.map(({ deviation }) => deviation));
  return buckets
    .map((bucket) => {
      const network_deviation = othersIn(bucket)?.deviation ?? null;
      return {
        ...bucket,
        network_deviation,
        relative: bucket.deviation / (network_deviation || ownDeviation || 1),
      };
    })
    .sort((a, b) => a.relative - b.relative || b.calm - a.calm)
    .slice(0, STABLE_PERIODS)
    .map(({ day, hour, calm, deviation, network_deviation }) => ({
      day,
      hour,
      calm,
      deviation,
      network_deviation,
    }));
}

/** What the pocket's own week was like, the most telling first; the figures behind it are the metrics. */
function weekSentences(metrics: WeeklyMetrics, { rainy_readings }: WeeklyBasis): string[] {
  const { atmosphere_score, quiet_window_score, rain_comfort_alignment: dry, stable_periods } = metrics;
  const { count, longest_minutes: longest } = quiet_window_score;
  const steadiest = stable_periods.map(({ day, hour }) => `${day} at ${spokenHour(hour)}`);
  return [
    longest === null
      ? 'it was never quiet for an hour on end.'
      : `it was quiet for an hour or more ${count === 1 ? 'once, for' : `${count} times, at the longest for`} ${durationText(longest)}.`,
    ...(steadiest.length
      ? [`it was steadiest on ${steadiest.join(', ').replace(/, (?!.*, )/, ' and ')}.`]
      : []),
    ...(dry !== null && rainy_readings >= LEAST_RAINY
      ? [`of ${rainy_readings} quarter hours with rain it stayed calm in ${percentText(dry)}.`]
      : []),
    `it was most often ${atmosphere_score.primary_state}.`,
  ];
}
