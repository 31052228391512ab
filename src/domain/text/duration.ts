import { countText } from './count-text.ts';

/** Durations as a person says them: minutes up to 90, then hours, from two days on days. */

/** The longest duration in minutes. */
const MOST_MINUTES = 90;

/** Units that are 0 are left out: '90 minutes', '5 hours 15 minutes', '2 days 3 hours'. */
export function durationText(minutes: number): string {
  const whole = Math.max(0, Math.round(minutes));
  if (whole <= MOST_MINUTES) return countText(whole, 'minute');
  const hours = Math.floor(whole / 60);
  if (hours < 48) return parts([hours, 'hour'], [whole % 60, 'minute']);
  return parts([Math.floor(hours / 24), 'day'], [hours % 24, 'hour']);
}

/** An estimate, to the nearest five minutes and never none; above 90 minutes to the nearest half hour. */
export function aboutDuration(minutes: number): string {
  const step = minutes > MOST_MINUTES ? 30 : 5;
  return durationText(Math.max(step, step * Math.round(minutes / step)));
}

/** A sum of the minutes of many, which is no stretch of time: whole minutes up to 90, then whole hours. */
export const totalDuration = (minutes: number): string =>
  minutes <= MOST_MINUTES
    ? countText(Math.round(minutes), 'minute')
    : countText(Math.round(minutes / 60), 'hour');

const parts = (...units: [number, string][]): string =>
  units
    .filter(([n]) => n > 0)
    .map(([n, name]) => countText(n, name))
    .join(' ');
