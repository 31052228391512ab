import { type CalendarSlot, monsoon, yearShare } from '../calendar.ts';
import { field, smooth } from '../random/noise.ts';
import { mix } from '../random/random.ts';
import type { Site } from '../sites.ts';

export interface Weather {
  /** mm in the last 15 minutes. */
  rain: number;
  /** 0..1: how wet it feels, which lags the rain by up to three quarters of an hour. */
  felt: number;
  temperature: number;
  humidity: number;
}

/** How much of the wetness each quarter hour contributes, the latest first. */
const feltWeights = [0.35, 0.3, 0.2, 0.15];
/** Quarters of rain that weather looks back on, the latest first. */
export const RAIN_MEMORY = 8;

/** Drizzle is half ignored; beyond a few millimetres more rain makes little difference. */
const wetting = (mm: number): number => 1 - Math.exp(-mm / 1.1);

export function weatherAt(site: Site, calendar: CalendarSlot, seed: number, recentRain: number[]): Weather {
  const felt = feltWeights.reduce((sum, weight, i) => sum + weight * wetting(recentRain[i] ?? 0), 0);
  const soaked = recentRain.reduce((sum, mm, i) => sum + mm * 0.82 ** i, 0);
  const chill = 1 - Math.exp(-soaked / 2.5);
  const sun = warmth(calendar.hour);
  const air = field(mix(seed, 1), site.x / 9, site.y / 9, calendar.quarter / 20);
  const clouds = 0.96 + 0.13 * smooth(mix(seed, 2), calendar.quarter / 80);
  const season = -0.9 * monsoon(calendar.day) + 0.5 * Math.sin(2 * Math.PI * yearShare(calendar.day));
  const temperature =
    25.6 +
    season +
    6.9 * sun * clouds +
    0.45 * air -
    1.3 * site.character.green * (0.25 + 0.75 * sun) -
    4.4 * chill * (0.3 + 0.7 * sun);
  const damp = 2.2 * field(mix(seed, 3), site.x / 12, site.y / 12, calendar.quarter / 32);
  return {
    rain: recentRain[0] ?? 0,
    felt,
    temperature: Math.min(37, Math.max(21.5, temperature)),
    humidity: Math.min(100, Math.max(38, 93 - 3.9 * (temperature - 25) + 6 * chill + damp)),
  };
}

/** 0..1 over the day: coolest before sunrise, warmest at two, cooling faster at first. */
function warmth(hour: number): number {
  if (hour >= 6.5 && hour < 14) return 0.5 - 0.5 * Math.cos((Math.PI * (hour - 6.5)) / 7.5);
  const since = ((hour + 10) % 24) / 16.5;
  return Math.max(0, 1 - since) ** 2.2;
}

/** Fine dust: a slow background, haze that drifts in for days, and the traffic of the hour. */
export function dustAt(
  site: Site,
  calendar: CalendarSlot,
  seed: number,
  felt: number,
  congestion: number,
): number {
  const { green, traffic } = site.character;
  const background = 11 * Math.exp(0.28 * smooth(mix(seed, 4), calendar.quarter / 150));
  const haze = Math.max(0, smooth(mix(seed, 5), calendar.quarter / 420) - 1.1);
  const local = 1 + 0.12 * field(mix(seed, 6), site.x / 8, site.y / 8, calendar.quarter / 24);
  const exhaust = 9 * traffic * congestion * (1 - 0.5 * green);
  return Math.max(2, (background * (1 - 0.2 * green) + 48 * haze + exhaust) * local * (1 - 0.35 * felt));
}
