/** A slot and its position in the local week. Positions are counted in steps of the forecaster, not in minutes. */
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
  const minuteOfWeek = ((minutes % WEEK_MINUTES) + WEEK_MINUTES) % WEEK_MINUTES;
  return { slot, stepOfWeek: Math.floor(minuteOfWeek / stepMinutes), holiday };
}

/** The step of the week whose usual level applies: a holiday is treated as a Sunday. `day` is the steps in a day. */
export const effectiveStep = ({ stepOfWeek, holiday }: CalendarStep, day: number): number =>
  holiday ? 6 * day + (stepOfWeek % day) : stepOfWeek;

/** 1 for an effective step on a Saturday or Sunday, else 0. */
export const restDayFlag = (stepOfWeek: number, day: number): 0 | 1 => (stepOfWeek >= 5 * day ? 1 : 0);

/** Index into tables that hold the steps of a working day, then those of a rest day. */
export const stepOfDayKind = (stepOfWeek: number, day: number): number =>
  restDayFlag(stepOfWeek, day) * day + (stepOfWeek % day);
