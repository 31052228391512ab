// The default values: for each feed and place a curve over the day, quiet at night and busiest in the evening, so that
// a service that watches the emulator has something to show. Nothing in it is random.
import type { Place, Values } from './view.ts';

interface Range {
  night: number;
  peak: number;
  /** Decimals that the publisher writes. */
  digits: number;
}

const range = (night: number, peak: number, digits = 0): Range => ({ night, peak, digits });

/** By the field's name; `night` is above `peak` where the value falls as the street fills. */
const ranges: Readonly<Record<string, Range>> = {
  rain_mm_5min: range(0, 0.4, 1),
  rain_mm_15min: range(0, 0.6, 1),
  temperature_c: range(25, 32, 1),
  humidity_pct: range(92, 64, 1),
  pm25_ug_m3: range(8, 19),
  pm10_ug_m3: range(14, 32),
  wbgt_c: range(24, 30, 1),
  wind_kmh: range(4, 14, 1),
  weather_code: range(1, 3),
  lightning_strikes: range(0, 0),
  forecast_rain: range(0, 0.4, 1),
  free_taxis: range(45, 8),
  free_lots: range(420, 60),
  total_lots: range(500, 500),
  speed_kmh: range(54, 24),
  platform_crowding: range(0.1, 0.9, 1),
  disruption: range(0, 0),
  bikes_available: range(16, 3),
  docks_available: range(4, 17),
  vehicles_nearby: range(12, 3),
  vehicles: range(1, 6),
  occupancy_share: range(0.05, 0.85, 2),
  people_per_minute: range(1, 45),
  free_spaces: range(300, 40),
  total_spaces: range(400, 400),
  bikes_15min: range(4, 110),
};

export const dailyCurve: Values = (feed, place, time) => {
  const [, field = ''] = feed.split('.');
  const { night, peak, digits } = ranges[field] ?? range(0, 10);
  const value = night + (peak - night) * activity(place, time);
  return Number(value.toFixed(digits));
};

/** 0 in the depth of the night to 1 at the evening's peak of the busiest place, by the hour of the sun at the place. */
function activity(place: Place, time: number): number {
  const hour = (time / 3_600_000 + place.lng / 15) % 24;
  const lunch = bump(hour, 12.5, 2.5) * 0.7;
  const evening = bump(hour, 18.5, 3);
  return Math.min(1, lunch + evening) * (0.6 + 0.4 * placeShare(place.id));
}

const bump = (hour: number, middle: number, width: number): number =>
  Math.exp(-(((hour - middle) / width) ** 2));

/** A number from 0 to 1 that belongs to the place. */
function placeShare(id: string): number {
  let hash = 7;
  for (const character of id) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1009;
  return hash / 1008;
}
