/** A slot as the people of a place count it. */
export interface CalendarStep {
  /** Epoch minutes / step: the next slot is one more. */
  slot: number;
  /** Steps since Monday 00:00 on the local clock. */
  stepOfWeek: number;
  holiday: boolean;
}

const WEEK_MINUTES = 7 * 24 * 60;
/** Day 0 of the epoch was a Thursday. */
const EPOCH_WEEKDAY_MINUTES = 3 * 24 * 60;

export function calendarStepAt(
  slot: number,
  stepMinutes: number,
  offsetMinutes: number,
  holiday: boolean,
): CalendarStep {
  const minutes = slot * stepMinutes + offsetMinutes + EPOCH_WEEKDAY_MINUTES;
  const ofWeek = ((minutes % WEEK_MINUTES) + WEEK_MINUTES) % WEEK_MINUTES;
  return { slot, stepOfWeek: Math.floor(ofWeek / stepMinutes), holiday };
}

/** A holiday is lived as a Sunday. */
export const livedStep = ({ stepOfWeek, holiday }: CalendarStep, day: number): number =>
  holiday ? 6 * day + (stepOfWeek % day) : stepOfWeek;

/** 1 on a Saturday or Sunday, or a day lived as one. */
export const restOf = (lived: number, day: number): 0 | 1 => (lived >= 5 * day ? 1 : 0);
