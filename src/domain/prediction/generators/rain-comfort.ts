import { WET_MM } from '../../text/rain-words.ts';
import { sideGenerator } from './side.ts';

/** A prior, not measured: most hours are dry. It is also the baseline that is sealed. */
const USUAL = 0.93;

const rainNow = (mm: number): 'dry' | 'wet' | 'pouring' => (mm === 0 ? 'dry' : mm < 1 ? 'wet' : 'pouring');

/** The prior of a dry hour, by whether it rains now: rain lasts. */
const dryHour = { dry: USUAL, wet: 0.4, pouring: 0.1 };

const isDry = (mm: number | null): number | null => (mm === null ? null : Number(mm < WET_MM));

/** The chance that every quarter of the next hour is dry. */
export const rainComfort = sideGenerator({
  type: 'rain_comfort',
  kind: 'chance',
  horizon: 60,
  shadow: false,
  usual: USUAL,
  condition: ({ rain_mm }) => (rain_mm === null ? null : rainNow(rain_mm)),
  prior: ({ rain_mm }) => (rain_mm === null ? USUAL : dryHour[rainNow(rain_mm)]),
  outcome: ({ since }) => since && isDry(since.most_rain),
  current: ({ rain_mm }) => isDry(rain_mm),
  miss: 'weather_miss',
});
