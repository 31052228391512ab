import { dateOf, weekday } from './sgt.ts';

/** A Saturday, a Sunday or a public holiday. */
export const isRestDay = (time: number, holidays: readonly string[]): boolean =>
  weekday(time) >= 5 || holidays.includes(dateOf(time));
