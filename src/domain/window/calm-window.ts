/**
 * The calm window of a pocket: from now to the latest half hour to which windows with such chances held on other days
 * (docs/formulas.md, "Windows").
 */
import { LIKELY_CALM } from '../atmosphere/calm-band.ts';
import { round } from '../stats/unit-scale.ts';
import { HOUR, MINUTE } from '../time/slot.ts';
import { heldShare, type WindowRecord } from './window-record.ts';

/** A window begins where calm is likely. */
export const WINDOW_START = LIKELY_CALM;
/**
 * The share of windows with such chances that must have held. Above the four fifths that are promised: of several ends
 * the latest is taken, which favours shares that came out high by luck.
 */
export const HELD_SHARE = 0.845;
/** The lengths of a window, in minutes: half hours, from an hour to the last forecast. */
export const WINDOW_MINUTES = [60, 90, 120, 150, 180] as const;
/** No window is longer. */
export const LONGEST_WINDOW = 180 * MINUTE;
/** What is judged where no window was drafted: the next hour. */
export const WITHOUT_WINDOW = HOUR;

/** What is expected of a pocket at a time: now from its moment, later from its sealed forecasts. */
export interface Outlook {
  /** Minutes from now. */
  minutes: number;
  calm_probability: number;
  expected_calm: number;
}

export interface CalmWindow {
  /** Epoch milliseconds; null without a window. */
  window_ends_at: number | null;
  /**
   * The share of windows with such chances that held to that end; without a window, to the end of an hour; null where
   * none begins, because a calm state is not likely.
   */
  window_held_share: number | null;
  /** The mean calm that is expected until that end; without a window, until the end of an hour. */
  window_expected_calm: number;
}

/**
 * The lowest chance of calm within each length of a window that begins `lead` minutes from now, for as many lengths as
 * the forecasts reach; none where a calm state is not likely at its start.
 */
export function windowChances(ahead: readonly Outlook[], lead = 0): number[] {
  const start = between(ahead, lead, 'calm_probability');
  if (start < WINDOW_START) return [];
  const reach = (ahead.at(-1)?.minutes ?? 0) - lead;
  return WINDOW_MINUTES.filter((minutes) => minutes <= reach).map((minutes) =>
    halfHours(minutes).reduce(
      (least, at) => Math.min(least, between(ahead, lead + at, 'calm_probability')),
      start,
    ),
  );
}

/** The longest length that windows with such chances held, or of none the shortest; null where none begins. */
export function longestHeld(
  chances: readonly number[],
  lengths: readonly number[],
  record: WindowRecord,
): { minutes: number; share: number; holds: boolean } | null {
  const shares = chances.map((chance, n) => heldShare(record, lengths[n] as number, chance));
  const last = shares.findLastIndex((share) => share >= HELD_SHARE);
  const share = shares[Math.max(last, 0)];
  if (share === undefined) return null;
  return { minutes: lengths[Math.max(last, 0)] as number, share: round(share), holds: last >= 0 };
}

/** The window that begins now. `ahead`: the present and what follows it, in the order of time. */
export function calmWindow(slot: number, ahead: readonly Outlook[], record: WindowRecord): CalmWindow {
  const longest = longestHeld(windowChances(ahead), WINDOW_MINUTES, record);
  const minutes = longest?.holds ? longest.minutes : null;
  return {
    window_ends_at: minutes === null ? null : slot + minutes * MINUTE,
    window_held_share: longest?.share ?? null,
    window_expected_calm: expectedCalm(ahead, minutes ?? WITHOUT_WINDOW / MINUTE),
  };
}

/** The mean expected calm of the half hours from now to `minutes` later. */
const expectedCalm = (ahead: readonly Outlook[], minutes: number): number => {
  const at = [0, ...halfHours(minutes)];
  return round(at.reduce((sum, time) => sum + between(ahead, time, 'expected_calm'), 0) / at.length);
};

const halfHours = (minutes: number): number[] => Array.from({ length: minutes / 30 }, (_, n) => 30 * (n + 1));

/** On the straight line between the two nearest; the last one beyond it. */
export function between(
  ahead: readonly Outlook[],
  minutes: number,
  of: 'calm_probability' | 'expected_calm',
): number {
  const next = ahead.findIndex((one) => one.minutes >= minutes);
  const after = ahead[next] ?? ahead.at(-1);
  const before = ahead[next - 1];
  if (!after) return 0;
  if (!before || after.minutes === minutes) return after[of];
  const share = (minutes - before.minutes) / (after.minutes - before.minutes);
  return before[of] + share * (after[of] - before[of]);
}

/** The time at which what could be said now is judged: the end of its window, else an hour later. */
export const judgedAt = (slot: number, window_ends_at: number | null): number =>
  window_ends_at ?? slot + WITHOUT_WINDOW;
