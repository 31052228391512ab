import type { Calendar } from '../../city/rest-day.ts';
import { percentText } from '../../text/figures.ts';
import { WET_MM } from '../../text/rain-words.ts';
import {
  DailyRatios,
  dailyConfidence,
  LEAST_DAYS,
  type OutletUse,
  type Pattern,
  type PocketQuarter,
} from './pattern.ts';

/** Wet slots, two hours of rain in all: fewer may be a single shower. */
const LEAST_WET = 8;
/** Dry slots that each hour must be compared with. */
const LEAST_DRY = 4;
/** Smaller changes are described as little difference. */
const NOTICED = 0.05;

/** Effect of rain on use: wet slots against dry ones at the same hour, weekends separately. */
export function rainSensitivity(
  uses: readonly OutletUse[],
  streets: readonly PocketQuarter[],
  { zone, weekend }: Pick<Calendar, 'zone' | 'weekend'>,
): Pattern | null {
  /** 0-23 for weekdays, 24-47 for weekends. */
  const hourKey = (slot: number): number =>
    Math.floor(zone.hourOfDay(slot)) + (weekend.includes(zone.weekday(slot)) ? 24 : 0);
  const rain = new Map(streets.map(({ slot, rain_mm }) => [slot, rain_mm]));
  const dry = new Map<number, { n: number; use: number }>();
  const wet: OutletUse[] = [];
  for (const use of uses) {
    const mm = rain.get(use.slot) ?? null;
    if (mm === null) continue;
    if (mm >= WET_MM) wet.push(use);
    else {
      const hour = hourKey(use.slot);
      const { n, use: sum } = dry.get(hour) ?? { n: 0, use: 0 };
      dry.set(hour, { n: n + 1, use: sum + use.activity });
    }
  }
  const days = new DailyRatios(zone);
  let n = 0;
  for (const { slot, activity } of wet) {
    const usual = dry.get(hourKey(slot));
    if (!usual || usual.n < LEAST_DRY) continue;
    n += 1;
    days.add(slot, activity, usual.use / usual.n);
  }
  const ratio = days.ratio();
  if (ratio === null || n < LEAST_WET || days.count < LEAST_DAYS) return null;
  return {
    kind: 'rain_sensitivity',
    text: `${effect(ratio - 1)} (n = ${n}).`,
    confidence: dailyConfidence(days.ratios()),
    basis: `${n} wet quarter hours on ${days.count} days, each compared with dry ones at the same hour`,
  };
}

function effect(change: number): string {
  if (Math.abs(change) < NOTICED) return 'rain makes little difference to its use';
  return change < 0
    ? `rain takes ${percentText(-change)} of its use`
    : `rain adds ${percentText(change)} to its use`;
}
