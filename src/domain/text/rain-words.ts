/** Millimetres of rain in a quarter hour from which it counts as rain, as steady, and as heavy (as by the hour: 2.5, 7.6). */
export const WET_MM = 0.2;
const STEADY_MM = 0.6;
const HEAVY_MM = 1.9;

/** 'light rain', 'steady rain' or 'heavy rain'; null where it is dry or was not measured. */
export function rainWords(rain_mm: number | null): string | null {
  if (rain_mm === null || rain_mm < WET_MM) return null;
  return rain_mm < STEADY_MM ? 'light rain' : rain_mm < HEAVY_MM ? 'steady rain' : 'heavy rain';
}
